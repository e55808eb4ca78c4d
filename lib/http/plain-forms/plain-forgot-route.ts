import 'server-only'
import { z } from 'zod/mini'
import { plainForgottenTexts } from '@/lib/accounts/plain-messages'
import { forgotSchema } from '@/lib/accounts/schema'
import { AppError } from '@/lib/kernel/app-error'
import { askForForgotten } from '../sign-in/ask-for-forgotten'
import { parseInput, urlencoded } from '../input'
import { plainFormAgain, problemsByField } from './plain-form-again'
import { isShownToAPerson } from './refusal-page'
import { seeOther } from '../responses'
import { route } from '../route'

/**
 * Builds the route that receives the form for a forgotten password or username from browsers without JavaScript. The
 * form posts to its own page, and the middleware passes the post on to this route.
 */
export function plainForgotRoute(forgotten: 'password' | 'username') {
  const page = `/forgot-${forgotten}`
  return route({
    who: 'anyone',
    isAlwaysOpen: true,
    input: urlencoded(z.strictObject({ email: z.string() })),
    run: async (ctx, typed, _params, request) => {
      try {
        await askForForgotten(ctx, forgotten, parseInput(forgotSchema, typed))
        return seeOther(`${page}?sent=1`)
      } catch (error) {
        if (!(error instanceof AppError) || !isShownToAPerson(request)) throw error
        const attributes = 'type="email" required inputmode="email" autocomplete="email"'
        return plainFormAgain(error, problemsByField(error, forgotSchema, typed), {
          ...plainForgottenTexts[forgotten],
          action: page,
          fields: [{ name: 'email', label: plainForgottenTexts.email, value: typed.email, attributes }],
        })
      }
    },
  })
}
