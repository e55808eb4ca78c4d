import { z } from 'zod/mini'
import { parseInput, urlencoded } from '@/lib/http/input'
import { plainFormAgain, problemsByField } from '@/lib/http/plain-forms/plain-form-again'
import { isShownToAPerson } from '@/lib/http/plain-forms/refusal-page'
import { seeOther } from '@/lib/http/responses'
import { route } from '@/lib/http/route'
import { AppError } from '@/lib/kernel/app-error'
import { plainAppealTexts as texts, trustTexts } from '@/lib/trust/messages'
import { appealSchema } from '@/lib/trust/schema'
import { submitAppeal } from '@/lib/trust/submit-appeal'

const FIELD = { name: 'text', label: trustTexts.appealQuestion, hint: trustTexts.appealHint, lines: 8 } as const

// Receives the appeal from browsers without JavaScript. The form posts to its own page, and the middleware passes the
// post on to this route. An appeal that cannot be sent at all gets the usual page of a refusal.
export const POST = route({
  who: 'seller',
  input: urlencoded(z.strictObject({ text: z.string() })),
  run: async (ctx, typed, _params, request) => {
    try {
      await submitAppeal(ctx, parseInput(appealSchema, typed))
      return seeOther('/appeal')
    } catch (error) {
      if (!(error instanceof AppError) || error.field !== 'text' || !isShownToAPerson(request)) throw error
      return plainFormAgain(error, problemsByField(error, appealSchema, typed), {
        title: texts.title,
        action: '/appeal',
        fields: [{ ...FIELD, value: typed.text, attributes: 'required maxlength="2000"' }],
        button: trustTexts.appealButton,
      })
    }
  },
})
