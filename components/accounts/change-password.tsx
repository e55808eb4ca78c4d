'use client'

import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { accountTexts, accountToasts } from '@/lib/accounts/messages'
import { type ChangePasswordInput, changePasswordSchema } from '@/lib/accounts/schema'
import { callAction } from '@/lib/client/call-action'
import { toast } from '@/lib/client/toast-store'
import type { ServerAction } from '@/lib/kernel/action-outcome'
import { PasswordField } from './password-field'

type ChangePasswordProps = { action: ServerAction<ChangePasswordInput> }

export function ChangePassword({ action }: ChangePasswordProps) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <Card className="grid gap-4 p-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h3 className="text-lg font-bold">Password</h3>
        <Button variant="outline" size="sm" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {isOpen ? 'Cancel' : 'Change'}
        </Button>
      </div>
      {isOpen ? <PasswordForm action={action} onDone={() => setIsOpen(false)} /> : null}
    </Card>
  )
}

function PasswordForm({ action, onDone }: ChangePasswordProps & { onDone: () => void }) {
  const { control, handleSubmit, formState, setError } = useForm<ChangePasswordInput>({
    resolver: zodResolver(changePasswordSchema),
    defaultValues: { password: '', newPassword: '' },
  })
  const save = handleSubmit(async (input) => {
    const outcome = await callAction(action, input)
    if (outcome.ok) {
      toast(accountToasts.passwordChanged)
      return onDone()
    }
    const field = outcome.field === 'newPassword' ? 'newPassword' : 'password'
    setError(field, { message: outcome.error }, { shouldFocus: true })
  })
  return (
    <form noValidate onSubmit={(event) => void save(event)} className="grid gap-4">
      <PasswordField
        control={control}
        name="password"
        id="current-password"
        label="Current password"
        autoComplete="current-password"
      />
      <PasswordField
        control={control}
        name="newPassword"
        id="changed-password"
        label="New password"
        hint={accountTexts.resetPasswordHint}
        autoComplete="new-password"
      />
      <Button type="submit" isBusy={formState.isSubmitting}>
        {formState.isSubmitting ? 'Saving…' : 'Change password'}
      </Button>
    </form>
  )
}
