import 'server-only'
import { AppError } from '@/lib/kernel/app-error'
import { isShownToAPerson } from './refusal-page'
import { seeOther } from './responses'

/**
 * The plain forms of a buyer's order page: a browser that posts one goes back to the page, which says what came of it or
 * why not; a program gets the error itself, and so does what somebody wrote, since it must not be lost (refusalPage).
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
