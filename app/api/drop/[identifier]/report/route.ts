import { z } from 'zod/mini'
import { dropError } from '@/lib/drops/messages'
import { findPublicDrop } from '@/lib/drops/queries'
import { dropPath } from '@/lib/drops/rules'
import { parseInput, urlencoded } from '@/lib/http/input'
import { seeOther } from '@/lib/http/responses'
import { route } from '@/lib/http/route'
import { AppError } from '@/lib/kernel/app-error'
import { trustTexts } from '@/lib/trust/messages'
import { reportDrop } from '@/lib/trust/report-drop'
import { MAX_DETAILS, reportSchema } from '@/lib/trust/schema'

// The post of a plain form, which works without JavaScript. A refusal leads back to the form, or to the refusal page.
export const POST = route({
  who: 'anyone',
  params: z.object({ identifier: z.string() }),
  input: urlencoded(z.record(z.string(), z.string())),
  written: ({ category = '', details = '' }, { identifier }) =>
    details.trim() === ''
      ? null
      : {
          name: 'details',
          text: details,
          label: trustTexts.tellMore,
          maxLength: MAX_DETAILS,
          also: { category },
          page: `/drop/${encodeURIComponent(identifier)}/report`,
        },
  run: async (ctx, fields, { identifier }) => {
    const drop = await findPublicDrop(ctx, identifier)
    if (!drop) throw dropError('NOT_FOUND')
    const form = `${dropPath(drop)}/report`
    try {
      await reportDrop(ctx, drop.id, parseInput(reportSchema, fields))
    } catch (error) {
      // The refusal page gives a typed text back to the reporter. If the category is wrong or missing, that page could
      // not send the report again, so the form is shown instead.
      if (!(error instanceof AppError)) throw error
      if ((fields.details ?? '').trim() !== '' && error.field !== 'category') throw error
      return seeOther(`${form}?problem=${error.status === 429 ? 'limit' : 'input'}`)
    }
    return seeOther(`${form}?sent=1`)
  },
})
