'use client'

import { useState } from 'react'
import { OwnPasswordForm } from '@/components/accounts/own-password-form'
import { Button } from '@/components/ui/button'
import { Field, FieldDescription, FieldLabel } from '@/components/ui/field'
import { NativeSelect } from '@/components/ui/native-select'
import { ApiError, callApi, failureText } from '@/lib/client/call-api'
import { toast } from '@/lib/client/toast-store'
import type { ActionOutcome } from '@/lib/kernel/action-outcome'
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
  const [asksPassword, setAsksPassword] = useState(false)
  const open = (url: string) => {
    setIsGoing(true)
    window.location.assign(url)
  }
  async function go(): Promise<void> {
    setIsGoing(true)
    const outcome = await requestLink(asksCountry ? { country } : {})
    if (outcome.ok) return open(outcome.value)
    setIsGoing(false)
    if (outcome.code === 'PROOF_REQUIRED') setAsksPassword(true)
    else toast({ title: 'Error', description: outcome.error, tone: 'bad' })
  }
  if (asksPassword) {
    return (
      <div className="max-w-sm">
        <OwnPasswordForm
          id="payout-password"
          button={label}
          onSend={({ password }) => requestLink({ ...(asksCountry ? { country } : {}), password })}
          onDone={open}
          isBusy={isGoing}
          onCancel={() => setAsksPassword(false)}
        />
      </div>
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
          <FieldDescription id="payout-country-hint">You can&apos;t change your country later.</FieldDescription>
        </Field>
      ) : null}
      <Button variant={variant} className="justify-self-start" disabled={isGoing} onClick={() => void go()}>
        {isGoing ? 'Redirecting…' : label}
      </Button>
    </>
  )
}

/** Requests a link to Stripe's page, with the code of the refusal when there is none. */
async function requestLink(input: Record<string, string>): Promise<ActionOutcome<string>> {
  try {
    const { url } = await callApi<{ url: string }>('POST', '/api/payouts/connect', input)
    return { ok: true, value: url }
  } catch (error) {
    return { ok: false, error: failureText(error), code: (error instanceof ApiError && error.code) || 'NOT_ANSWERED' }
  }
}
