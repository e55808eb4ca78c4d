import 'server-only'
import { AppError } from '@/lib/kernel/app-error'
import { isShownToAPerson } from './refusal-page'
import { seeOther } from './responses'

/**
 * Answers a plain form of a buyer's order page with a redirect to the path that `work` returns. When `work` throws an
 * AppError, a browser is redirected back to the order page, which shows the reason.
 * @throws the error of `work` when a program sent the request, when the error is not an AppError or has the status 404,
 *   and when the buyer typed a text, because refusalPage() then shows the text again for correction.
 */
export async function answerOrderForm(
  { token, request, text = '' }: { token: string; request: Request; text?: string },
  work: () => Promise<string>,
): Promise<Response> {
  try {
    return seeOther(await work())
  } catch (error) {
    const isKept = text.trim() !== ''
    if (isKept || !isShownToAPerson(request) || !(error instanceof AppError) || error.status === 404) throw error
    return seeOther(`/o/${token}?problem=${error.code}`)
  }
}
