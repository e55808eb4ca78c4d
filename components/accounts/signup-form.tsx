'use client'

import { zodResolver } from '@hookform/resolvers/zod'
import type { FormEvent } from 'react'
import { type FieldErrors, useForm, useWatch } from 'react-hook-form'
import { Button } from '@/components/ui/button'
import { FormProblem } from '@/components/ui/form-problem'
import { accountTexts, accountToasts } from '@/lib/accounts/messages'
import { signupDraftSchema } from '@/lib/accounts/schema'
import { browserTimeZone } from '@/lib/client/browser-time-zone'
import { storageKeys } from '@/lib/client/storage-keys'
import { tabStorage } from '@/lib/client/tab-storage'
import { toast } from '@/lib/client/toast-store'
import { SignupTerms } from './signup-terms'
import { useKeptSignup } from './use-kept-signup'
import { useAuthSubmit } from './use-auth-submit'
import { useUsernameCheck } from './use-username-check'
import { showRefusal } from './show-refusal'
import { emptySignup, SignupFields, type SignupValues } from './signup-fields'

/** How long typing must pause before the username is checked (docs/product.md#usernames). */
const USERNAME_DEBOUNCE_MS = 500
const REDIRECT_MS = 500

/** The fields that a toast can be about, in the order of the form. */
const FIELDS = ['firstName', 'username', 'email', 'password'] as const

type Problem = { toast: { title: string; description: string }; field: (typeof FIELDS)[number] }

/** Returns a toast and the field that it is about, or null when the problem is shown at its field instead. */
function problemOf(errors: FieldErrors<SignupValues>): Problem | null {
  const missing = FIELDS.find((field) => errors[field]?.message === accountTexts.missingFields)
  if (missing) return { toast: accountToasts.missingFields, field: missing }
  if (errors.email) return { toast: accountToasts.invalidEmail, field: 'email' }
  if (errors.password?.message === accountTexts.passwordTooShort) {
    return { toast: accountToasts.invalidPassword, field: 'password' }
  }
  return errors.username ? { toast: accountToasts.usernameUnavailable, field: 'username' } : null
}

/** Whether the form was sent by the button “Choose a plan first”. */
const isForPlanStep = ({ nativeEvent }: FormEvent<HTMLFormElement>) =>
  nativeEvent instanceof SubmitEvent && (nativeEvent.submitter as HTMLButtonElement | null)?.name === 'next'

/**
 * Shows the form of /signup.
 * @param known what a visitor who has returned from the plan step typed before. The password is missing,
 *   because only its hash was kept.
 */
export function SignupForm({ known }: { known: Partial<SignupValues> }) {
  const form = useForm<SignupValues>({
    // The values are sent as they were typed; the server normalizes them.
    resolver: zodResolver(signupDraftSchema, undefined, { raw: true }),
    defaultValues: { ...emptySignup, ...known },
    reValidateMode: 'onSubmit',
  })
  useKeptSignup(form)
  const username = useUsernameCheck(useWatch({ control: form.control, name: 'username' }), USERNAME_DEBOUNCE_MS)
  const { submit, isLeaving } = useAuthSubmit({ redirectTo: '/', redirectAfterMs: REDIRECT_MS })
  const { errors, isSubmitting } = form.formState
  const isBusy = isSubmitting || isLeaving

  function showProblem({ toast: text, field }: Problem) {
    toast({ ...text, tone: 'bad' })
    form.setFocus(field)
  }

  function refuse(refused: FieldErrors<SignupValues>) {
    const problem = problemOf(refused)
    if (!problem) return
    // The toast shows the message, so the field does not repeat it.
    form.clearErrors()
    showProblem(problem)
  }

  const send = (mode: 'signup' | 'signup-draft') =>
    form.handleSubmit(async (values) => {
      if (username.kind !== 'available') {
        return showProblem({ toast: accountToasts.usernameUnavailable, field: 'username' })
      }
      const refused = await submit(mode, { ...values, timezone: browserTimeZone() })
      if (refused) showRefusal(form, refused)
      else {
        tabStorage.remove(storageKeys.signupDraft)
        if (mode === 'signup') toast(accountToasts.welcome)
      }
      if (refused?.general) toast({ ...accountToasts.signupFailed, tone: 'bad' })
    }, refuse)

  return (
    <form
      // Before hydration the browser submits the form itself. A GET would put the password into the URL.
      method="post"
      noValidate
      onSubmit={(event) => void send(isForPlanStep(event) ? 'signup-draft' : 'signup')(event)}
      className="grid gap-5"
    >
      <FormProblem error={errors.root} />
      <SignupFields control={form.control} usernameState={username} />
      <Button type="submit" size="lg" disabled={isBusy}>
        {isBusy ? 'Creating Account...' : 'Create Account'}
      </Button>
      <Button type="submit" name="next" value="plans" variant="outline" disabled={isBusy}>
        Choose a plan first
      </Button>
      <SignupTerms />
    </form>
  )
}
