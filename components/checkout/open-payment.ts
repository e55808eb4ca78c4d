import { ApiError } from '@/lib/client/call-api'
import { learnServerTime } from '@/lib/client/use-server-clock'
import { withWork } from '@/lib/client/with-work'
import type { SelectedVariants } from '@/lib/orders/schema'

export type OpenPayment = { clientSecret: string; expiresAt: string }

/** Holds a unit and creates its payment. A response header says until when the unit is held. */
export function openPayment(dropId: number, selectedVariants: SelectedVariants, code: string): Promise<OpenPayment> {
  return withWork((work) => askForPayment({ dropId, selectedVariants, code, ...(work ? { work } : {}) }))
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
  // The server writes its time when the response leaves, after the call to Stripe, so the time is late only by the
  // way back to the browser.
  const serverTime = response.headers.get('x-server-time')
  if (serverTime) learnServerTime(serverTime, 0)
  const { clientSecret } = JSON.parse(text) as { clientSecret: string }
  return { clientSecret, expiresAt: response.headers.get('x-hold-expires-at') ?? '' }
}

/** Returns the path of the page that says what became of a payment. */
export function paymentPath(clientSecret: string): string {
  return `/success-payment?session_id=${clientSecret.split('_secret_')[0]}`
}
