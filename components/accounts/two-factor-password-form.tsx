'use client'

import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { Button } from '@/components/ui/button'
import { type StartTwoFactorInput, startTwoFactorSchema } from '@/lib/accounts/schema'
import { callAction } from '@/lib/client/call-action'
import type { ServerAction } from '@/lib/kernel/action-outcome'
import { PasswordField } from './password-field'

export type Secret = { secret: string; qr: string; uri: string }

type TwoFactorPasswordFormProps = {
  onSend: ServerAction<StartTwoFactorInput, Secret>
  onDone: (secret: Secret) => void
  onCancel: () => void
}

/** Starts the set-up. It asks for the password, because a session alone must not be enough to lock its owner out. */
export function TwoFactorPasswordForm({ onSend, onDone, onCancel }: TwoFactorPasswordFormProps) {
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
      <PasswordField
        control={control}
        name="password"
        id="two-factor-password"
        label="Your password"
        autoComplete="current-password"
      />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" isBusy={formState.isSubmitting}>
          Continue
        </Button>
        <Button variant="ghost" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
