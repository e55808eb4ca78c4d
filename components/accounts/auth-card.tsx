'use client'

import Link from 'next/link'
import { useEffect, useState } from 'react'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/class-names'
import { describedBy, Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { accountToasts } from '@/lib/accounts/messages'
import { toast } from '@/lib/client/toast-store'
import { useAuthSubmit } from '@/lib/client/use-auth-submit'
import { useUsernameCheck } from '@/lib/client/use-username-check'
import { PasswordField } from './password-field'
import { emptySignup, SignupFields } from './signup-fields'

/** SPEC §9. */
const MODE_SWITCH_MS = 120
const USERNAME_DEBOUNCE_MS = 200

/** The one card of /login: signing in, or creating an account. */
export function AuthCard({ redirectTo }: { redirectTo: string }) {
  const [mode, setMode] = useState<'login' | 'signup'>('login')
  const [isSwitching, setIsSwitching] = useState(false)
  const [identifier, setIdentifier] = useState('')
  const [password, setPassword] = useState('')
  const [signup, setSignup] = useState(emptySignup)
  const usernameState = useUsernameCheck(mode === 'signup' ? signup.username : '', USERNAME_DEBOUNCE_MS)
  const { submit, errors, setErrors, isSubmitting } = useAuthSubmit({
    redirectTo,
    onFailed: ({ general }) => {
      if (general && mode === 'signup') toast({ ...accountToasts.signupFailed, tone: 'bad' })
    },
  })
  useFocusFirstError(errors)

  function switchMode() {
    setIsSwitching(true)
    setTimeout(() => {
      setMode(mode === 'login' ? 'signup' : 'login')
      setErrors({})
      setIsSwitching(false)
    }, MODE_SWITCH_MS)
  }

  function send() {
    if (isSubmitting) return
    const body = mode === 'login' ? { email: identifier.trim().replace(/^@/, ''), password } : signup
    void submit(mode, body)
  }

  const isLogin = mode === 'login'
  return (
    <form
      // Before the page is awake a GET would write the password into the address.
      method="post"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
      className={cn('grid gap-5 transition-opacity duration-[120ms]', isSwitching && 'opacity-0')}
    >
      <div>
        <h1 className="text-4xl font-extrabold">{isLogin ? 'Welcome' : 'Create account'}</h1>
        <p className="mt-1 text-muted">
          {isLogin ? 'Log in to your drops.' : 'Free to start. Your first drop is a minute away.'}
        </p>
      </div>
      {errors.general ? (
        <p role="alert" className="rounded-control bg-bad/10 px-4 py-3 text-sm font-medium text-bad">
          {errors.general}
        </p>
      ) : null}
      {isLogin ? (
        <>
          <Field id="identifier" label="Username" error={errors.email}>
            <div className="relative">
              <span aria-hidden className="absolute inset-y-0 left-3.5 grid place-items-center text-muted">
                @
              </span>
              <Input
                id="identifier"
                name="identifier"
                value={identifier}
                onChange={(event) => setIdentifier(event.target.value)}
                required
                autoComplete="username"
                autoCapitalize="none"
                spellCheck={false}
                enterKeyHint="next"
                aria-invalid={errors.email ? true : undefined}
                aria-describedby={describedBy('identifier', { error: Boolean(errors.email) })}
                className="pl-8"
              />
            </div>
          </Field>
          <PasswordField
            id="password"
            name="password"
            value={password}
            onChange={(event) => setPassword(event.target.value)}
            error={errors.password}
            autoComplete="current-password"
            enterKeyHint="go"
          />
        </>
      ) : (
        <SignupFields
          values={signup}
          onChange={setSignup}
          errors={errors}
          usernameState={usernameState}
          isLastNameRequired
        />
      )}
      <Button type="submit" size="lg" disabled={isSubmitting}>
        {submitLabel(isLogin, isSubmitting)}
      </Button>
      <div className="flex flex-wrap items-center justify-between gap-x-4 text-sm">
        <button type="button" onClick={switchMode} className="min-h-11 font-semibold underline underline-offset-4">
          {isLogin ? 'New here? Create an account' : 'Already have an account? Sign in'}
        </button>
        {isLogin ? (
          <Link
            href="/forgot-password"
            className="inline-flex min-h-11 items-center text-muted underline underline-offset-4"
          >
            Forgot username/password?
          </Link>
        ) : null}
      </div>
    </form>
  )
}

function submitLabel(isLogin: boolean, isSubmitting: boolean): string {
  if (isSubmitting) return isLogin ? 'Signing In...' : 'Creating Account...'
  return isLogin ? 'Sign In' : 'Create Account'
}

/** Focus goes to the first field that was refused (DESIGN, Phones first). */
function useFocusFirstError(errors: object): void {
  useEffect(() => {
    if (Object.keys(errors).length > 0) document.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [errors])
}
