import { ApiError } from '@/lib/client/call-api'
import { learnServerTime } from '@/lib/client/use-server-clock'
import { withProofOfWork } from '@/lib/client/with-proof-of-work'
import type { SelectedVariants } from '@/lib/checkout/schema'

/** The round-trip time of a phone on a mobile network. */
const TYPICAL_ROUND_TRIP_MS = 200

export type OpenPayment = { clientSecret: string; expiresAt: string }

/**
 * Holds a unit and creates its payment. A response header says until when the unit is held. If the buyer has already
 * paid, the browser opens the success page instead, and the promise never settles.
 */
export async function openPayment(
  dropId: number,
  wanted: {
    selectedVariants: SelectedVariants
    code: string
    country: string | undefined
    early: string | undefined
  },
) {
  try {
    return await withProofOfWork((work) => askForPayment({ dropId, ...wanted, ...(work ? { work } : {}) }))
  } catch (error) {
    if (!(error instanceof ApiError) || !error.url) throw error
    window.location.replace(error.url)
    return new Promise<OpenPayment>(() => undefined)
  }
}

async function askForPayment(body: object): Promise<OpenPayment> {
  const response = await fetch('/api/create-payment-intent', {
    method: 'POST',
    credentials: 'include',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  if (!response.ok) throw new ApiError(response.status, text, response.statusText)
  // The server reads its clock after its call to Stripe, so the duration of the whole request does not show how long
  // the response was in transit. A typical round trip is assumed. A later measurement with a shorter one replaces it.
  const serverTime = response.headers.get('x-server-time')
  if (serverTime) learnServerTime(serverTime, TYPICAL_ROUND_TRIP_MS)
  const { clientSecret } = JSON.parse(text) as { clientSecret: string }
  return { clientSecret, expiresAt: response.headers.get('x-hold-expires-at') ?? '' }
}

/** Returns the path of the page that shows the result of a payment. */
export function paymentPath(clientSecret: string): string {
  return `/success-payment?session_id=${clientSecret.split('_secret_')[0]}`
}
