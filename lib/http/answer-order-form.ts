import 'server-only'
import { AppError } from '@/lib/kernel/app-error'
import { isShownToAPerson } from './refusal-page'
import { seeOther } from './responses'

/**
 * Answers the plain forms of a buyer's order page. A browser is redirected back to the page, which shows the result or
 * the reason of a refusal. A program gets the error itself. When the form contained a text, the error is thrown too,
 * because refusalPage gives the text back to the buyer.
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
