'use client'

import { zodResolver } from '@hookform/resolvers/zod'
import { Check } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/class-names'
import { accountTexts, accountToasts } from '@/lib/accounts/messages'
import { RESET_PASSWORD_MIN } from '@/lib/accounts/rules'
import { resetFormSchema } from '@/lib/accounts/schema'
import { ApiError, callApi } from '@/lib/client/call-api'
import { toast } from '@/lib/client/toast-store'
import { AuthPage } from './auth-page'
import { PasswordField } from './password-field'
import { ResetComplete } from './reset-complete'

/** The toasts for mistakes that are found before anything is sent. Each is looked up by its text. */
const toasts = [accountToasts.invalidToken, accountToasts.passwordTooShort, accountToasts.passwordsDiffer]

/**
 * The form of a reset link. Each mistake and each refusal is shown in a toast, and a refusal also at the first field.
 * @returns `isComplete` is true once the password was changed
 */
function useReset(token: string) {
  const [isComplete, setIsComplete] = useState(false)
  const { control, handleSubmit, formState, setError, clearErrors } = useForm({
    resolver: zodResolver(resetFormSchema),
    defaultValues: { token, newPassword: '', confirmation: '' },
    reValidateMode: 'onSubmit',
  })

  useEffect(() => {
    if (!token) toast({ ...accountToasts.invalidResetLink, tone: 'bad' })
  }, [token])

  const send = handleSubmit(
    async ({ newPassword }) => {
      try {
        await callApi('POST', '/api/auth/reset-password', { token, newPassword })
        toast(accountToasts.passwordReset)
        setIsComplete(true)
      } catch (failure) {
        const description = failure instanceof ApiError ? failure.text : accountToasts.resetFailed.description
        setError('newPassword', { message: description }, { shouldFocus: true })
        toast({ ...accountToasts.resetFailed, description, tone: 'bad' })
      }
    },
    ({ token: missing, newPassword }) => {
      const description = (missing ?? newPassword)?.message
      const known = toasts.find((candidate) => candidate.description === description)
      toast({ ...(known ?? { ...accountToasts.resetFailed, description }), tone: 'bad' })
    },
  )

  return { control, clearErrors, send, isSending: formState.isSubmitting, isComplete }
}

/** Shows the page that a reset link opens: first the form, then a message that the password was changed. */
export function ResetForm({ token }: { token: string }) {
  const { control, clearErrors, send, isSending, isComplete } = useReset(token)
  const isLongEnough = useWatch({ control, name: 'newPassword' }).length >= RESET_PASSWORD_MIN

  if (isComplete) return <ResetComplete />
  return (
    <AuthPage title="Reset password" text="Choose a new password." back={{ href: '/login', label: 'Back to sign in' }}>
      {token ? null : (
        // With JavaScript, a toast says this.
        <noscript>
          <p className="text-bad">{accountToasts.invalidResetLink.description}</p>
        </noscript>
      )}
      <form
        method="post"
        noValidate
        onSubmit={(event) => void send(event)}
        // Passwords that differ are reported at the first field, but can be corrected in either field.
        onChange={() => clearErrors()}
        className="grid gap-5"
      >
        <PasswordField
          control={control}
          name="newPassword"
          id="newPassword"
          label="New password"
          autoComplete="new-password"
          enterKeyHint="next"
        />
        <p
          className={cn(
            '-mt-3 flex items-center gap-1.5 text-sm',
            isLongEnough ? 'font-medium text-good' : 'text-muted',
          )}
          aria-live="polite"
        >
          {isLongEnough ? <Check aria-hidden className="size-4" /> : null}
          {accountTexts.resetPasswordHint}
        </p>
        <PasswordField
          control={control}
          name="confirmation"
          id="confirmPassword"
          label="Confirm password"
          autoComplete="new-password"
          enterKeyHint="go"
        />
        <Button type="submit" size="lg" disabled={!token || isSending}>
          {isSending ? 'Resetting Password...' : 'Reset Password'}
        </Button>
      </form>
    </AuthPage>
  )
}
