import { z } from 'zod/mini'
import { createAccount } from '@/lib/accounts/create-account'
import { accountTexts } from '@/lib/accounts/messages'
import { plainSignupTexts as texts } from '@/lib/accounts/plain-messages'
import { USERNAME_MAX } from '@/lib/accounts/rules'
import { signupDraftSchema } from '@/lib/accounts/schema'
import { parseInput, urlencoded } from '@/lib/http/input'
import { pathWithReturn, returnPathOf } from '@/lib/http/path-with-return'
import type { PlainField } from '@/lib/http/plain-field'
import { plainFormAgain, problemsByField } from '@/lib/http/plain-form-again'
import { isShownToAPerson } from '@/lib/http/refusal-page'
import { seeOther } from '@/lib/http/responses'
import { route } from '@/lib/http/route'
import { signInBrowser } from '@/lib/http/sign-in-browser'
import { AppError } from '@/lib/kernel/app-error'

const typedSignup = z.strictObject({
  firstName: z.string(),
  lastName: z.string(),
  username: z.string(),
  email: z.string(),
  password: z.string(),
})
type TypedSignup = z.infer<typeof typedSignup>

// Receives the sign-up form from browsers without JavaScript. The form posts to its own page, /signup or
// /login?mode=signup, and the middleware passes the post on to this route.
export const POST = route({
  who: 'anyone',
  input: urlencoded(typedSignup),
  run: async (ctx, typed, _params, request) => {
    const back = returnPathOf(request)
    // The field already shows an @ sign as its prefix, so a typed one is removed.
    const sent = { ...typed, username: typed.username.replace(/^\s*@/, '') }
    try {
      const user = await createAccount(ctx, parseInput(signupDraftSchema, sent))
      await signInBrowser(ctx, user, request, { isFirst: true })
      return seeOther(back)
    } catch (error) {
      if (!(error instanceof AppError) || !isShownToAPerson(request)) throw error
      return plainFormAgain(error, problemsByField(error, signupDraftSchema, sent), {
        title: texts.title,
        action: pathWithReturn('/signup', back),
        fields: fieldsOf(typed),
        button: texts.button,
        terms: TERMS,
      })
    }
  },
})

const TERMS = `<p>${texts.agree} <a href="/terms-of-service">${texts.terms}</a> ${texts.and}
<a href="/privacy-policy">${texts.privacy}</a>.</p>`

/** Returns the fields with what was typed. The password is left out and has to be typed again. */
function fieldsOf(typed: TypedSignup): PlainField[] {
  const { firstName, lastName, username, email } = typed
  return [
    {
      name: 'firstName',
      label: texts.firstName,
      value: firstName,
      attributes: 'required maxlength="60" autocomplete="given-name"',
    },
    {
      name: 'lastName',
      label: texts.lastName,
      value: lastName,
      attributes: 'maxlength="60" autocomplete="family-name"',
    },
    {
      name: 'username',
      label: texts.username,
      value: username,
      hint: accountTexts.usernameHint,
      attributes: `required maxlength="${USERNAME_MAX}" autocomplete="username" autocapitalize="none" spellcheck="false"`,
    },
    {
      name: 'email',
      label: texts.email,
      value: email,
      attributes: 'type="email" required maxlength="254" inputmode="email" autocomplete="email"',
    },
    {
      name: 'password',
      label: texts.password,
      hint: accountTexts.signupPasswordHint,
      attributes: 'type="password" required autocomplete="new-password"',
    },
  ]
}
