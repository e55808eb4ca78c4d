'use client'

import { Check } from 'lucide-react'
import Link from 'next/link'
import { type FormEvent, useEffect, useState } from 'react'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/class-names'
import { accountTexts, accountToasts } from '@/lib/accounts/messages'
import { RESET_PASSWORD_MIN } from '@/lib/accounts/rules'
import { ApiError, callApi } from '@/lib/client/api'
import { toast } from '@/lib/client/toast-store'
import { PasswordField } from './password-field'

/** SPEC §5, Reset password: what stands in the way. */
function problemOf(token: string, password: string, confirmation: string) {
  if (!token) return accountToasts.invalidToken
  if (password.length < RESET_PASSWORD_MIN) return accountToasts.passwordTooShort
  return password === confirmation ? null : accountToasts.passwordsDiffer
}

export function ResetForm({ token }: { token: string }) {
  const [password, setPassword] = useState('')
  const [confirmation, setConfirmation] = useState('')
  const [phase, setPhase] = useState<'idle' | 'submitting' | 'complete'>('idle')
  const [error, setError] = useState<string>()

  useEffect(() => {
    if (!token) toast({ ...accountToasts.invalidResetLink, tone: 'bad' })
  }, [token])

  async function submit(event: FormEvent) {
    event.preventDefault()
    const problem = problemOf(token, password, confirmation)
    setError(problem?.description)
    if (problem) return toast({ ...problem, tone: 'bad' })
    setPhase('submitting')
    try {
      await callApi('POST', '/api/auth/reset-password', { token, newPassword: password })
      toast(accountToasts.passwordReset)
      setPhase('complete')
    } catch (failure) {
      const description = failure instanceof ApiError ? failure.text : accountToasts.resetFailed.description
      setError(description)
      toast({ ...accountToasts.resetFailed, description, tone: 'bad' })
      setPhase('idle')
    }
  }

  if (phase === 'complete') {
    return (
      <div className="grid gap-5" role="status">
        <p className="text-2xl font-bold">Password Reset Complete</p>
        <Button asChild size="lg">
          <Link href="/login">Continue to Login</Link>
        </Button>
      </div>
    )
  }
  const isLongEnough = password.length >= RESET_PASSWORD_MIN
  return (
    <form method="post" noValidate onSubmit={(event) => void submit(event)} className="grid gap-5">
      <PasswordField
        id="newPassword"
        label="New password"
        value={password}
        onChange={(event) => {
          setPassword(event.target.value)
          setError(undefined)
        }}
        error={error}
        autoComplete="new-password"
        enterKeyHint="next"
      />
      <p
        className={cn('-mt-3 flex items-center gap-1.5 text-sm', isLongEnough ? 'font-medium text-good' : 'text-muted')}
        aria-live="polite"
      >
        {isLongEnough ? <Check aria-hidden className="size-4" /> : null}
        {accountTexts.resetPasswordHint}
      </p>
      <PasswordField
        id="confirmPassword"
        label="Confirm password"
        value={confirmation}
        onChange={(event) => {
          setConfirmation(event.target.value)
          setError(undefined)
        }}
        autoComplete="new-password"
        enterKeyHint="go"
      />
      <Button type="submit" size="lg" disabled={!token || phase === 'submitting'}>
        {phase === 'submitting' ? 'Resetting Password...' : 'Reset Password'}
      </Button>
    </form>
  )
}
