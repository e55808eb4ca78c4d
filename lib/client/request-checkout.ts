import { SECOND_MS } from '@/lib/kernel/time'
import { callApi } from './call-api'
import { withWork } from './with-work'

export type WaitingInLine = { ahead: number; seconds: number }

/** How long to wait at most before asking for the buyer's place in line again, in seconds. */
const LOOK_AGAIN_S = 5

/**
 * Requests the payment page until the server returns its address. When many people buy at once, the server holds the
 * units and the buyer waits in line. From then on it is asked with the discount code of the hold, so that the price stays the same
 * even if the hold ends while the buyer waits.
 * @param onWait is called with the buyer's place each time it is known.
 * @returns the address of the payment page
 */
export async function requestCheckout(body: object, onWait: (wait: WaitingInLine) => void): Promise<string> {
  let kept: { code?: string } = {}
  for (;;) {
    const answer = await withWork((work) =>
      callApi<{ url: string } | { wait: WaitingInLine; code?: string }>('POST', '/api/checkout/create-session', {
        ...body,
        ...kept,
        ...(work ? { work } : {}),
      }),
    )
    if ('url' in answer) return answer.url
    onWait(answer.wait)
    // A process of an older version says nothing about the code.
    kept = answer.code === undefined ? {} : { code: answer.code }
    const seconds = Math.min(LOOK_AGAIN_S, answer.wait.seconds)
    await new Promise((resolve) => setTimeout(resolve, seconds * SECOND_MS))
  }
}
