'use client'

import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { toast } from '@/lib/client/toast-store'
import { useAuthSubmit } from '@/lib/client/use-auth-submit'
import { useUsernameCheck } from '@/lib/client/use-username-check'
import { accountToasts } from '@/lib/accounts/messages'
import { emailSchema } from '@/lib/accounts/schema'
import { emptySignup, SignupFields, type SignupValues } from './signup-fields'

/** SPEC §9. */
const USERNAME_DEBOUNCE_MS = 500
const REDIRECT_MS = 500

/** In the order of the form. */
const REQUIRED = ['firstName', 'username', 'email', 'password'] as const

/** SPEC §5, Standalone signup: what the toast says before anything is sent, and the field that it is about. */
function problemOf(values: SignupValues, isUsernameAvailable: boolean) {
  const missing = REQUIRED.find((field) => values[field].trim() === '')
  if (missing) return { toast: accountToasts.missingFields, field: missing }
  if (!emailSchema.safeParse(values.email).success) return { toast: accountToasts.invalidEmail, field: 'email' }
  if (values.password.length < 6) return { toast: accountToasts.invalidPassword, field: 'password' }
  return isUsernameAvailable ? null : { toast: accountToasts.usernameUnavailable, field: 'username' }
}

/** @param known what was typed before the plan step, which leads back here; its password waits as a hash alone */
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
      // Before the page is awake a GET would write the password into the address.
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
      <Button type="submit" size="lg" disabled={isSubmitting}>
        {isSubmitting ? 'Creating Account...' : 'Create Account'}
      </Button>
      <Button variant="outline" disabled={isSubmitting} onClick={() => send('signup-draft')}>
        Choose a plan first
      </Button>
    </form>
  )
}
