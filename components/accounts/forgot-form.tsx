'use client'

import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { Button } from '@/components/ui/button'
import { Input } from '@/components/ui/input'
import { LabeledField } from '@/components/ui/labeled-field'
import { accountToasts } from '@/lib/accounts/messages'
import { type ForgotInput, forgotSchema } from '@/lib/accounts/schema'
import { ApiError, callApi } from '@/lib/client/call-api'
import { toast } from '@/lib/client/toast-store'
import { useSettling } from '@/lib/client/use-settling'

const kinds = {
  password: {
    path: '/api/auth/forgot-password',
    label: 'Send Reset Link',
    busy: 'Sending Reset Link...',
    sent: accountToasts.resetLinkSent,
    failed: accountToasts.resetLinkFailed,
  },
  username: {
    path: '/api/auth/forgot-username',
    label: 'Send Username',
    busy: 'Sending Username...',
    sent: accountToasts.usernameSent,
    failed: accountToasts.usernameFailed,
  },
} as const

type ForgotFormProps = {
  kind: keyof typeof kinds
  email?: string
  onType?: (email: string) => void
  onSent?: () => void
}

export function ForgotForm({ kind, email = '', onType, onSent }: ForgotFormProps) {
  const { path, label, busy, sent, failed } = kinds[kind]
  const { control, handleSubmit, formState, setFocus } = useForm<ForgotInput>({
    resolver: zodResolver(forgotSchema),
    defaultValues: { email },
  })
  // A double tap would send a second email. The link in a second reset email would also make the link in the first one
  // useless.
  const isSettling = useSettling(String(formState.isSubmitting))
  const send = handleSubmit(
    async (input) => {
      try {
        await callApi('POST', path, input)
        toast(sent)
        onSent?.()
      } catch (failure) {
        const isTooOften = failure instanceof ApiError && failure.status === 429
        toast({ ...failed, ...(isTooOften ? { description: failure.text } : {}), tone: 'bad' })
      }
    },
    ({ email: refused }) => {
      if (refused?.message === accountToasts.emailRequired.description)
        toast({ ...accountToasts.emailRequired, tone: 'bad' })
      setFocus('email')
    },
  )
  return (
    <form method="post" noValidate onSubmit={(event) => void send(event)} className="grid gap-5">
      <LabeledField control={control} name="email" id={`forgot-${kind}`} label="Email">
        {(field) => (
          <Input
            {...field}
            type="email"
            inputMode="email"
            autoComplete="email"
            enterKeyHint="send"
            onChange={(event) => {
              field.onChange(event)
              onType?.(event.target.value)
            }}
          />
        )}
      </LabeledField>
      <Button type="submit" size="lg" disabled={formState.isSubmitting || isSettling}>
        {formState.isSubmitting ? busy : label}
      </Button>
    </form>
  )
}
