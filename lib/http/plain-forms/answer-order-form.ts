import 'server-only'
import { AppError } from '@/lib/kernel/app-error'
import { isShownToAPerson } from './refusal-page'
import { seeOther } from '../responses'

/**
 * Answers a plain form of a buyer's order page with a redirect to the path that `work` returns. When `work` throws an
 * AppError, a browser is redirected back to the order page, which shows the reason.
 * @throws the error of `work` when it is not an AppError, when its status is 404, and when a program sent the request.
 *   Also when the buyer typed a text: refusalPage() then shows the text again, so that it can be corrected.
 */
export async function answerOrderForm(
  { token, request, text = '' }: { token: string; request: Request; text?: string },
  work: () => Promise<string>,
): Promise<Response> {
  try {
    return seeOther(await work())
  } catch (error) {
    const hasText = text.trim() !== ''
    if (hasText || !isShownToAPerson(request) || !(error instanceof AppError) || error.status === 404) throw error
    return seeOther(`/o/${token}?problem=${error.code}`)
  }
}
