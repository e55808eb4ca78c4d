'use client'

import { zodResolver } from '@hookform/resolvers/zod'
import Link from 'next/link'
import { useEffect, useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/class-names'
import { FormProblem } from '@/components/ui/form-problem'
import { accountToasts } from '@/lib/accounts/messages'
import { type LoginInput, loginSchema, signupDraftSchema } from '@/lib/accounts/schema'
import { browserTimeZone } from '@/lib/client/browser-time-zone'
import { storageKeys } from '@/lib/client/storage-keys'
import { tabStorage } from '@/lib/client/tab-storage'
import { toast } from '@/lib/client/toast-store'
import { PasskeyLogin } from './passkey-login'
import { SignupTerms } from './signup-terms'
import { useKeptSignup } from './use-kept-signup'
import { useAuthSubmit } from './use-auth-submit'
import { useUsernameCheck } from './use-username-check'
import { LoginFields } from './login-fields'
import { showRefusal } from './show-refusal'
import { emptySignup, SignupFields, type SignupValues } from './signup-fields'

/** How long the card takes to switch between signing in and signing up. */
const MODE_SWITCH_MS = 120
const USERNAME_DEBOUNCE_MS = 200

type Mode = 'login' | 'signup'

/** Shows the card of /login, where a person signs in or creates an account. */
export function AuthCard({ redirectTo, startsAs }: { redirectTo: string; startsAs: Mode }) {
  const { login, signup, send, isLeaving } = useAuthForms(redirectTo)
  const { mode, isSwitching, switchMode } = useMode(startsAs, () => {
    login.clearErrors()
    signup.clearErrors()
  })
  const username = useWatch({ control: signup.control, name: 'username' })
  const usernameState = useUsernameCheck(mode === 'signup' ? username : '', USERNAME_DEBOUNCE_MS)

  const isLogin = mode === 'login'
  const { errors, isSubmitting } = isLogin ? login.formState : signup.formState
  const isBusy = isSubmitting || isLeaving
  return (
    <form
      // Before hydration the browser submits the form itself. A GET would put the password into the URL.
      method="post"
      onSubmit={(event) => void send[mode](event)}
      className={cn('grid gap-5 transition-opacity duration-[120ms]', isSwitching && 'opacity-0')}
    >
      <div>
        <h1 className="text-4xl font-extrabold">{isLogin ? 'Welcome' : 'Create account'}</h1>
        <p className="mt-1 text-muted">
          {isLogin ? 'Sign in to your drops.' : 'Free to start. Your first drop is a minute away.'}
        </p>
      </div>
      <FormProblem error={errors.root} />
      {isLogin ? (
        <LoginFields control={login.control} />
      ) : (
        <SignupFields control={signup.control} usernameState={usernameState} isLastNameRequired />
      )}
      <Button type="submit" size="lg" isBusy={isBusy}>
        {submitLabel(isLogin, isBusy)}
      </Button>
      {isLogin ? (
        <PasskeyLogin redirectTo={redirectTo} onRefused={(message) => login.setError('root', { message })} />
      ) : (
        <SignupTerms />
      )}
      <div className="flex flex-wrap items-center justify-between gap-x-4 text-sm">
        <button type="button" onClick={switchMode} className="min-h-11 font-semibold underline underline-offset-4">
          {switchLabel(isLogin)}
        </button>
        {/* Without JavaScript, the button is hidden, and a link leads to the other form. */}
        <noscript>
          <a
            href={pathOfForm(isLogin ? 'signup' : 'login', redirectTo)}
            className="inline-flex min-h-11 items-center font-semibold underline underline-offset-4"
          >
            {switchLabel(isLogin)}
          </a>
        </noscript>
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

function submitLabel(isLogin: boolean, isBusy: boolean): string {
  if (isBusy) return isLogin ? 'Signing In...' : 'Creating Account...'
  return isLogin ? 'Sign In' : 'Create Account'
}

const switchLabel = (isLogin: boolean) => (isLogin ? 'New here? Create an account' : 'Already have an account? Sign in')

/** Returns the path of the card with a form. The person still returns to `redirectTo` afterwards. */
function pathOfForm(mode: Mode, redirectTo: string): string {
  const query = new URLSearchParams({
    ...(mode === 'signup' ? { mode } : {}),
    ...(redirectTo === '/' ? {} : { redirect: redirectTo }),
  })
  return query.size > 0 ? `/login?${query}` : '/login'
}

const modeInUrl = (): Mode => (new URLSearchParams(location.search).get('mode') === 'signup' ? 'signup' : 'login')

/** Keeps the mode of the card in the URL, so that a reload shows the same form and Back leads to the other one. */
function useMode(startsAs: Mode, onSwitch: () => void) {
  const [mode, setMode] = useState(startsAs)
  const [isSwitching, setIsSwitching] = useState(false)
  useEffect(() => {
    const follow = () => setMode(modeInUrl())
    window.addEventListener('popstate', follow)
    return () => window.removeEventListener('popstate', follow)
  }, [])

  function switchMode() {
    setIsSwitching(true)
    setTimeout(() => {
      const next: Mode = mode === 'login' ? 'signup' : 'login'
      const url = new URL(location.href)
      url.searchParams.set('mode', next)
      history.pushState(null, '', url)
      setMode(next)
      onSwitch()
      setIsSwitching(false)
    }, MODE_SWITCH_MS)
  }
  return { mode, isSwitching, switchMode }
}

/** Returns both forms of the card. Each keeps what was typed into it while the other one is shown. */
function useAuthForms(redirectTo: string) {
  const { submit, isLeaving } = useAuthSubmit({ redirectTo })
  const login = useForm<LoginInput>({
    resolver: zodResolver(loginSchema),
    defaultValues: { email: '', password: '' },
    reValidateMode: 'onSubmit',
  })
  const signup = useForm<SignupValues>({
    // The values are sent as they were typed; the server normalizes them.
    resolver: zodResolver(signupDraftSchema, undefined, { raw: true }),
    defaultValues: emptySignup,
    reValidateMode: 'onSubmit',
  })
  useKeptSignup(signup)
  const send = {
    login: login.handleSubmit(async ({ email, password }) => {
      const refused = await submit('login', { email: email.replace(/^@/, ''), password })
      if (refused) showRefusal(login, refused)
    }),
    signup: signup.handleSubmit(async (values) => {
      const refused = await submit('signup', { ...values, timezone: browserTimeZone() })
      if (!refused) return tabStorage.remove(storageKeys.signupDraft)
      showRefusal(signup, refused)
      if (refused.general) toast({ ...accountToasts.signupFailed, tone: 'bad' })
    }),
  }
  return { login, signup, send, isLeaving }
}
