import { z } from 'zod/mini'
import { createAccount, draftAccount } from '@/lib/accounts/create-account'
import { accountTexts } from '@/lib/accounts/messages'
import { plainSignupTexts as texts } from '@/lib/accounts/plain-messages'
import { SIGNUP_DRAFT_LIMIT, USERNAME_MAX } from '@/lib/accounts/rules'
import { signupDraftSchema } from '@/lib/accounts/schema'
import { assertWithinNetworkLimit } from '@/lib/http/guard'
import { parseInput, urlencoded } from '@/lib/http/input'
import { pathWithReturn, returnPathOf } from '@/lib/http/path-with-return'
import type { PlainField } from '@/lib/http/plain-forms/plain-field'
import { plainFormAgain, problemsByField } from '@/lib/http/plain-forms/plain-form-again'
import { isShownToAPerson } from '@/lib/http/plain-forms/refusal-page'
import { seeOther } from '@/lib/http/responses'
import { route } from '@/lib/http/route'
import { signInBrowser } from '@/lib/http/sign-in/sign-in-browser'
import { signupDraftCookie } from '@/lib/http/cookies/signup-draft-cookie'
import { AppError } from '@/lib/kernel/app-error'

const typedSignup = z.strictObject({
  firstName: z.string(),
  lastName: z.string(),
  username: z.string(),
  email: z.string(),
  password: z.string(),
  // The button “Choose a plan first” sends this field.
  next: z.optional(z.literal('plans')),
})
type TypedSignup = z.infer<typeof typedSignup>

// Receives the sign-up form from browsers without JavaScript. The form posts to its own page, /signup or
// /login?mode=signup, and the middleware passes the post on to this route.
export const POST = route({
  who: 'anyone',
  input: urlencoded(typedSignup),
  run: async (ctx, { next, ...typed }, _params, request) => {
    const back = returnPathOf(request)
    // The field already shows an @ sign as its prefix, so a typed one is removed.
    const sent = { ...typed, username: typed.username.replace(/^\s*@/, '') }
    try {
      const input = parseInput(signupDraftSchema, sent)
      if (next) {
        await assertWithinNetworkLimit(SIGNUP_DRAFT_LIMIT, ctx)
        await signupDraftCookie.write(await draftAccount(ctx, input))
        return seeOther('/plans')
      }
      const user = await createAccount(ctx, input)
      await signInBrowser(ctx, user, request, { isFirst: true })
      return seeOther(back)
    } catch (error) {
      if (!(error instanceof AppError) || !isShownToAPerson(request)) throw error
      return plainFormAgain(error, problemsByField(error, signupDraftSchema, sent), {
        title: texts.title,
        action: pathWithReturn('/signup', back),
        fields: fieldsOf(typed),
        button: next ? texts.planButton : texts.button,
        terms: next ? `<input type="hidden" name="next" value="${next}">${TERMS}` : TERMS,
      })
    }
  },
})

const TERMS = `<p>${texts.agree} <a href="/terms-of-service">${texts.terms}</a> ${texts.and}
<a href="/privacy-policy">${texts.privacy}</a>.</p>`

/** Returns the fields with what was typed. The password is left out and has to be typed again. */
function fieldsOf(typed: Omit<TypedSignup, 'next'>): PlainField[] {
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
