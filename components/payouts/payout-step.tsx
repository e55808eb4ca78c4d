'use client'

import { type FormEvent, useState } from 'react'
import { Button } from '@/components/ui/button'
import { Field, FieldError, FieldLabel } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { ApiError, callApi, failureText } from '@/lib/client/api'
import { toast } from '@/lib/client/toast-store'

/**
 * The one next step: leads to Stripe's page, whose address is made anew for each visit. Some time after the sign-in it asks
 * for the password first.
 */
export function PayoutStep({ label, variant }: { label: string; variant: 'default' | 'outline' }) {
  const [isGoing, setIsGoing] = useState(false)
  const [asks, setAsks] = useState<{ error?: string } | null>(null)
  async function go(event?: FormEvent<HTMLFormElement>): Promise<void> {
    event?.preventDefault()
    const password = event && String(new FormData(event.currentTarget).get('password'))
    setIsGoing(true)
    try {
      const { url } = await callApi<{ url: string }>(
        'POST',
        '/api/payouts/connect',
        password ? { password } : undefined,
      )
      window.location.assign(url)
    } catch (error) {
      setIsGoing(false)
      if (error instanceof ApiError && error.code === 'PROOF_REQUIRED') return setAsks({})
      if (error instanceof ApiError && error.field === 'password') return setAsks({ error: error.text })
      toast({ title: 'Error', description: failureText(error), tone: 'bad' })
    }
  }
  if (asks) {
    return (
      <form className="grid max-w-sm gap-3" onSubmit={(event) => void go(event)}>
        <Field>
          <FieldLabel htmlFor="payout-password">Your password</FieldLabel>
          <Input
            id="payout-password"
            name="password"
            type="password"
            autoComplete="current-password"
            aria-invalid={asks.error ? true : undefined}
            autoFocus
            required
          />
          {asks.error ? <FieldError>{asks.error}</FieldError> : null}
        </Field>
        <Button type="submit" variant={variant} className="justify-self-start" disabled={isGoing}>
          {isGoing ? 'Redirecting...' : label}
        </Button>
      </form>
    )
  }
  return (
    <Button variant={variant} className="justify-self-start" disabled={isGoing} onClick={() => void go()}>
      {isGoing ? 'Redirecting...' : label}
    </Button>
  )
}
