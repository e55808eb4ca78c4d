import { z } from 'zod/mini'
import { plainSignInTexts } from '@/lib/accounts/plain-messages'
import { loginSchema } from '@/lib/accounts/schema'
import { parseInput, urlencoded } from '@/lib/http/input'
import { logInBrowser } from '@/lib/http/sign-in/log-in-browser'
import { pathWithReturn, returnPathOf } from '@/lib/http/path-with-return'
import { plainField } from '@/lib/http/plain-forms/plain-field'
import { escapeHtml } from '@/lib/http/plain-forms/plain-page'
import { homeLink, plainRefusal } from '@/lib/http/plain-forms/plain-refusal'
import { isShownToAPerson } from '@/lib/http/plain-forms/refusal-page'
import { seeOther } from '@/lib/http/responses'
import { route } from '@/lib/http/route'
import { AppError } from '@/lib/kernel/app-error'

// Receives the login form from browsers without JavaScript. The form posts to its own page, and the middleware passes
// the post on to this route.
export const POST = route({
  who: 'anyone',
  isAlwaysOpen: true,
  input: urlencoded(z.strictObject({ identifier: z.string(), password: z.string() })),
  run: async (ctx, { identifier, password }, _params, request) => {
    const back = returnPathOf(request)
    try {
      // The field already shows an @ sign as its prefix, so a typed one is removed.
      const input = parseInput(loginSchema, { email: identifier.replace(/^\s*@/, ''), password })
      const user = await logInBrowser(ctx, input, request)
      return seeOther(user ? back : pathWithReturn('/two-factor', back))
    } catch (error) {
      if (error instanceof AppError && isShownToAPerson(request)) return formAgain(error, identifier, back)
      throw error
    }
  },
})

/** Returns a page with the reason and the form. The username stays, and the password has to be typed again. */
function formAgain(error: AppError, identifier: string, back: string): Response {
  const isNamed = identifier.trim() !== ''
  const name = plainField({
    name: 'identifier',
    label: plainSignInTexts.username,
    value: identifier,
    attributes: 'required autocomplete="username" autocapitalize="none" spellcheck="false"',
    isFocused: !isNamed,
  })
  const password = plainField({
    name: 'password',
    label: plainSignInTexts.password,
    attributes: 'type="password" required autocomplete="current-password"',
    isFocused: isNamed,
  })
  const actions = `<form class="plain-form" method="post" action="${escapeHtml(pathWithReturn('/login', back))}">
${name}${password}<button>${plainSignInTexts.button}</button></form>${homeLink}`
  return plainRefusal(error, { title: plainSignInTexts.title, text: error.message, actions })
}
