import { SECOND_MS } from '@/lib/kernel/time'
import { callApi } from './call-api'
import { withProofOfWork } from './with-proof-of-work'

export type WaitingInLine = { ahead: number; seconds: number }

/** The longest pause before the request is repeated to learn the buyer's new place in line, in seconds. */
const LOOK_AGAIN_S = 5

/**
 * Requests the payment page until the server returns its URL. When many people buy at the same time, the server holds
 * the units and the buyer waits in line. Each further request then contains the discount code of the hold, so that the
 * price stays the same even if the hold ends while the buyer waits.
 * @param onWait is called with the buyer's place in line after each response that contains one.
 * @returns the URL of the payment page.
 * @throws ApiError when the server refuses.
 */
export async function requestCheckout(body: object, onWait: (wait: WaitingInLine) => void): Promise<string> {
  let kept: { code?: string } = {}
  for (;;) {
    const answer = await withProofOfWork((work) =>
      callApi<{ url: string } | { wait: WaitingInLine; code?: string }>('POST', '/api/checkout/create-session', {
        ...body,
        ...kept,
        ...(work ? { work } : {}),
      }),
    )
    if ('url' in answer) return answer.url
    onWait(answer.wait)
    // A server of an older version does not return the code.
    kept = answer.code === undefined ? {} : { code: answer.code }
    const seconds = Math.min(LOOK_AGAIN_S, answer.wait.seconds)
    await new Promise((resolve) => setTimeout(resolve, seconds * SECOND_MS))
  }
}
