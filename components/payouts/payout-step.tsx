'use client'

import { type FormEvent, useState } from 'react'
import { Button } from '@/components/ui/button'
import { Field, FieldDescription, FieldError, FieldLabel } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { NativeSelect } from '@/components/ui/native-select'
import { ApiError, callApi, failureText } from '@/lib/client/call-api'
import { toast } from '@/lib/client/toast-store'
import { countryName } from '@/lib/kernel/country'
import { PAYOUT_COUNTRIES } from '@/lib/payouts/rules'

type PayoutStepProps = {
  label: string
  variant: 'default' | 'outline'
  /**
   * True while no account is connected and none was ever ready. The seller then chooses the country of the new account,
   * which Stripe cannot change later.
   */
  asksCountry: boolean
}

/**
 * The button for the next step of connecting payouts. Each press requests a new link to Stripe's page and opens it. If
 * the seller signed in some time ago, a form asks for the password first.
 */
export function PayoutStep({ label, variant, asksCountry }: PayoutStepProps) {
  const [isGoing, setIsGoing] = useState(false)
  const [country, setCountry] = useState<string>(PAYOUT_COUNTRIES[0])
  const [passwordPrompt, setPasswordPrompt] = useState<{ error?: string } | null>(null)
  async function go(event?: FormEvent<HTMLFormElement>): Promise<void> {
    event?.preventDefault()
    const password = event && String(new FormData(event.currentTarget).get('password'))
    setIsGoing(true)
    try {
      const { url } = await callApi<{ url: string }>('POST', '/api/payouts/connect', {
        ...(asksCountry ? { country } : {}),
        ...(password ? { password } : {}),
      })
      window.location.assign(url)
    } catch (error) {
      setIsGoing(false)
      if (error instanceof ApiError && error.code === 'PROOF_REQUIRED') return setPasswordPrompt({})
      if (error instanceof ApiError && error.field === 'password') return setPasswordPrompt({ error: error.text })
      toast({ title: 'Error', description: failureText(error), tone: 'bad' })
    }
  }
  if (passwordPrompt) {
    return (
      <form className="grid max-w-sm gap-3" onSubmit={(event) => void go(event)}>
        <Field>
          <FieldLabel htmlFor="payout-password">Your password</FieldLabel>
          <Input
            id="payout-password"
            name="password"
            type="password"
            autoComplete="current-password"
            aria-invalid={passwordPrompt.error ? true : undefined}
            autoFocus
            required
          />
          {passwordPrompt.error ? <FieldError>{passwordPrompt.error}</FieldError> : null}
        </Field>
        <Button type="submit" variant={variant} className="justify-self-start" disabled={isGoing}>
          {isGoing ? 'Redirecting...' : label}
        </Button>
      </form>
    )
  }
  return (
    <>
      {asksCountry ? (
        <Field>
          <FieldLabel htmlFor="payout-country">Country you&apos;re paid in</FieldLabel>
          <NativeSelect
            id="payout-country"
            aria-describedby="payout-country-hint"
            value={country}
            onChange={(event) => setCountry(event.target.value)}
          >
            {PAYOUT_COUNTRIES.map((code) => (
              <option key={code} value={code}>
                {countryName(code)}
              </option>
            ))}
          </NativeSelect>
          <FieldDescription id="payout-country-hint">You can&apos;t change it later.</FieldDescription>
        </Field>
      ) : null}
      <Button variant={variant} className="justify-self-start" disabled={isGoing} onClick={() => void go()}>
        {isGoing ? 'Redirecting...' : label}
      </Button>
    </>
  )
}
