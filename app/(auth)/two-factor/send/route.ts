import { z } from 'zod/mini'
import { plainSignInTexts } from '@/lib/accounts/plain-messages'
import { codeSchema } from '@/lib/accounts/schema'
import { finishBrowserLogin } from '@/lib/http/sign-in/finish-browser-login'
import { parseInput, urlencoded } from '@/lib/http/input'
import { pathWithReturn, returnPathOf } from '@/lib/http/path-with-return'
import { plainField } from '@/lib/http/plain-forms/plain-field'
import { escapeHtml } from '@/lib/http/plain-forms/plain-page'
import { plainRefusal } from '@/lib/http/plain-forms/plain-refusal'
import { isShownToAPerson } from '@/lib/http/plain-forms/refusal-page'
import { seeOther } from '@/lib/http/responses'
import { route } from '@/lib/http/route'
import { AppError } from '@/lib/kernel/app-error'

// Receives the form for the two-factor code from browsers without JavaScript. The form posts to its own page, and the
// middleware passes the post on to this route.
export const POST = route({
  who: 'anyone',
  isAlwaysOpen: true,
  input: urlencoded(z.strictObject({ code: z.string() })),
  run: async (ctx, form, _params, request) => {
    const back = returnPathOf(request)
    try {
      await finishBrowserLogin(ctx, parseInput(codeSchema, form), request)
      return seeOther(back)
    } catch (error) {
      if (error instanceof AppError && isShownToAPerson(request)) return formAgain(error, back)
      throw error
    }
  },
})

/** Returns a page with the reason and the form, or only a link to the login when the login has expired. */
function formAgain(error: AppError, back: string): Response {
  const code = plainField({
    name: 'code',
    label: plainSignInTexts.code,
    hint: plainSignInTexts.codeHint,
    attributes: 'required maxlength="40" autocomplete="one-time-code" autocapitalize="none" spellcheck="false"',
    isFocused: true,
  })
  const form = `<form class="plain-form" method="post" action="${escapeHtml(pathWithReturn('/two-factor', back))}">
${code}<button>${plainSignInTexts.button}</button></form>`
  const login = escapeHtml(pathWithReturn('/login', back))
  const actions = `${error.code === 'SECOND_STEP_EXPIRED' ? '' : form}
<nav><a href="${login}">${plainSignInTexts.startAgain}</a></nav>`
  return plainRefusal(error, { title: plainSignInTexts.title, text: error.message, actions })
}
