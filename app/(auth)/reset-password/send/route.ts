import { z } from 'zod/mini'
import { accountTexts } from '@/lib/accounts/messages'
import { plainResetTexts as texts } from '@/lib/accounts/plain-messages'
import { resetPassword } from '@/lib/accounts/reset-password'
import { resetFormSchema } from '@/lib/accounts/schema'
import { parseInput, urlencoded } from '@/lib/http/input'
import { plainFormAgain, problemsByField } from '@/lib/http/plain-forms/plain-form-again'
import { plainRefusal } from '@/lib/http/plain-forms/plain-refusal'
import { isShownToAPerson } from '@/lib/http/plain-forms/refusal-page'
import { seeOther } from '@/lib/http/responses'
import { route } from '@/lib/http/route'
import { AppError } from '@/lib/kernel/app-error'

// Receives the form for a new password from browsers without JavaScript. The form posts to its own page, whose query
// has the token of the link, and the middleware passes the post on to this route.
export const POST = route({
  who: 'anyone',
  isAlwaysOpen: true,
  input: urlencoded(z.strictObject({ newPassword: z.string(), confirmation: z.string() })),
  run: async (ctx, typed, _params, request) => {
    const sent = { token: new URL(request.url).searchParams.get('token') ?? '', ...typed }
    try {
      const { token, newPassword } = parseInput(resetFormSchema, sent)
      await resetPassword(ctx, { token, newPassword })
      return seeOther('/reset-password?done=1')
    } catch (error) {
      if (!(error instanceof AppError) || !isShownToAPerson(request)) throw error
      return formAgain(error, sent)
    }
  },
})

/** Returns a page with the reason and the form, or only a link to ask for a new email when the old link is no use. */
function formAgain(error: AppError, sent: { token: string; newPassword: string; confirmation: string }): Response {
  if (error.field === 'token') {
    const actions = `<nav><a href="/forgot-password">${texts.newLink}</a></nav>`
    return plainRefusal(error, { title: texts.title, text: error.message, actions })
  }
  const attributes = 'type="password" required autocomplete="new-password"'
  return plainFormAgain(error, problemsByField(error, resetFormSchema, sent), {
    title: texts.title,
    action: `/reset-password?token=${encodeURIComponent(sent.token)}`,
    fields: [
      { name: 'newPassword', label: texts.newPassword, hint: accountTexts.resetPasswordHint, attributes },
      { name: 'confirmation', label: texts.confirmation, attributes },
    ],
    button: texts.button,
  })
}
