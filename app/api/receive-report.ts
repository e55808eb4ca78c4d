import { z } from 'zod/mini'
import { parseInput, urlencoded } from '@/lib/http/input'
import { seeOther } from '@/lib/http/responses'
import { AppError } from '@/lib/kernel/app-error'
import { trustTexts } from '@/lib/trust/messages'
import { MAX_DETAILS, type ReportInput, reportSchema } from '@/lib/trust/schema'

type Fields = Record<string, string>

/** The body of a report. It is validated in receiveReport(), because a refusal has to lead back to the form. */
export const reportBody = urlencoded(z.record(z.string(), z.string()))

/**
 * Returns what the reporter typed, which the refusal page shows again, or null if no text was typed.
 * @param page the path of the form
 */
export function writtenReport({ category = '', details = '' }: Fields, page: string) {
  if (details.trim() === '') return null
  return {
    name: 'details',
    text: details,
    label: trustTexts.tellMore,
    maxLength: MAX_DETAILS,
    hiddenFields: { category },
    page,
  }
}

/**
 * Receives the plain form of a report, which works without JavaScript. Redirects back to the form, which says that the
 * report was sent or why it was refused.
 * @param form the path of the form
 * @throws the refusal itself if the reporter typed a text, so that the refusal page can show it again
 */
export async function receiveReport(
  form: string,
  fields: Fields,
  report: (input: ReportInput) => Promise<void>,
): Promise<Response> {
  try {
    await report(parseInput(reportSchema, fields))
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    // If the category is wrong or missing, the refusal page could not send the report again, so the form is shown
    // instead.
    if ((fields.details ?? '').trim() !== '' && error.field !== 'category') throw error
    return seeOther(`${form}?problem=${error.status === 429 ? 'limit' : 'input'}`)
  }
  return seeOther(`${form}?sent=1`)
}
