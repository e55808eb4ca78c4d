'use client'

import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { accountToasts } from '@/lib/accounts/messages'
import { emailSchema } from '@/lib/accounts/schema'
import { toast } from '@/lib/client/toast-store'
import { emptySignup, SignupFields, type SignupValues } from './signup-fields'
import { useAuthSubmit } from './use-auth-submit'
import { useUsernameCheck } from './use-username-check'

/** How long typing must pause before the username is checked (docs/product.md#usernames). */
const USERNAME_DEBOUNCE_MS = 500
const REDIRECT_MS = 500

/** The required fields in the order of the form. */
const REQUIRED = ['firstName', 'username', 'email', 'password'] as const

/**
 * Finds the first problem before anything is sent: its toast and the field it belongs to (docs/product.md#signing-up).
 */
function problemOf(values: SignupValues, isUsernameAvailable: boolean) {
  const missing = REQUIRED.find((field) => values[field].trim() === '')
  if (missing) return { toast: accountToasts.missingFields, field: missing }
  if (!emailSchema.safeParse(values.email).success) return { toast: accountToasts.invalidEmail, field: 'email' }
  if (values.password.length < 6) return { toast: accountToasts.invalidPassword, field: 'password' }
  return isUsernameAvailable ? null : { toast: accountToasts.usernameUnavailable, field: 'username' }
}

/**
 * @param known what was typed before the plan step, which can lead back here. The password is not part of it, because
 * only its hash was kept.
 */
export function SignupForm({ known }: { known: Partial<SignupValues> }) {
  const [values, setValues] = useState({ ...emptySignup, ...known })
  const username = useUsernameCheck(values.username, USERNAME_DEBOUNCE_MS)
  const { submit, errors, isSubmitting } = useAuthSubmit({
    redirectTo: '/',
    redirectAfterMs: REDIRECT_MS,
    onFailed: ({ general }) => (general ? toast({ ...accountToasts.signupFailed, tone: 'bad' }) : undefined),
    onDone: (mode) => (mode === 'signup' ? toast(accountToasts.welcome) : undefined),
  })

  function send(mode: 'signup' | 'signup-draft') {
    const problem = problemOf(values, username.kind === 'available')
    if (problem) {
      toast({ ...problem.toast, tone: 'bad' })
      document.getElementById(problem.field)?.focus()
    } else if (!isSubmitting) void submit(mode, values)
  }

  return (
    <form
      // Before hydration the browser submits the form itself. A GET would put the password into the address.
      method="post"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        send('signup')
      }}
      className="grid gap-5"
    >
      {errors.general ? (
        <p role="alert" className="rounded-control bg-bad/10 px-4 py-3 text-sm font-medium text-bad">
          {errors.general}
        </p>
      ) : null}
      <SignupFields values={values} onChange={setValues} errors={errors} usernameState={username} />
      <Button type="submit" size="large" disabled={isSubmitting}>
        {isSubmitting ? 'Creating Account...' : 'Create Account'}
      </Button>
      <Button variant="outline" disabled={isSubmitting} onClick={() => send('signup-draft')}>
        Choose a plan first
      </Button>
    </form>
  )
}
