'use client'

import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { Button } from '@/components/ui/button'
import { type StartTwoFactorInput, startTwoFactorSchema } from '@/lib/accounts/schema'
import { callAction } from '@/lib/client/call-action'
import type { ServerAction } from '@/lib/kernel/action-outcome'
import { PasswordField } from './password-field'

type OwnPasswordFormProps<Value> = {
  id: string
  button?: string
  onSend: ServerAction<StartTwoFactorInput, Value>
  onDone: (value: Value) => void
  onCancel: () => void
  /** Keeps the button busy after success, while another page opens. */
  isBusy?: boolean
}

/**
 * Asks for the password before a second factor is set up or payouts are connected, because a session alone must not be
 * enough to lock out the owner of the account or to redirect the money. A step-up also uses this form for an account
 * that has no second factor.
 */
export function OwnPasswordForm<Value>(props: OwnPasswordFormProps<Value>) {
  const { id, button = 'Continue', onSend, onDone, onCancel, isBusy = false } = props
  const { control, handleSubmit, formState, setError } = useForm<StartTwoFactorInput>({
    resolver: zodResolver(startTwoFactorSchema),
    defaultValues: { password: '' },
  })
  const send = handleSubmit(async (input) => {
    const outcome = await callAction(onSend, input)
    if (outcome.ok) onDone(outcome.value)
    else setError('password', { message: outcome.error }, { shouldFocus: true })
  })
  return (
    <form noValidate onSubmit={(event) => void send(event)} className="grid gap-3">
      <PasswordField control={control} name="password" id={id} label="Your password" autoComplete="current-password" />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" isBusy={formState.isSubmitting || isBusy}>
          {button}
        </Button>
        <Button variant="ghost" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
