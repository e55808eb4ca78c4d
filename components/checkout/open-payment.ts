import { ApiError } from '@/lib/client/api'
import { learnServerTime } from '@/lib/client/use-server-clock'

export type OpenPayment = { clientSecret: string; expiresAt: string }

/** Takes a unit and opens its payment (SPEC §7); until when the unit is held comes in a header. */
export async function openPayment(dropId: number, selectedVariants: Record<string, never>): Promise<OpenPayment> {
  const response = await fetch('/api/create-payment-intent', {
    method: 'POST',
    credentials: 'include',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ dropId, selectedVariants }),
  })
  const text = await response.text()
  if (!response.ok) throw new ApiError(response.status, text, response.statusText)
  // Stamped as the answer left, after Stripe had taken its time: only the way back is not in it.
  const serverTime = response.headers.get('x-server-time')
  if (serverTime) learnServerTime(serverTime, 0)
  const { clientSecret } = JSON.parse(text) as { clientSecret: string }
  return { clientSecret, expiresAt: response.headers.get('x-hold-expires-at') ?? '' }
}

/** The page that says what became of a payment. */
export function paymentPath(clientSecret: string): string {
  return `/success-payment?session_id=${clientSecret.split('_secret_')[0]}`
}
