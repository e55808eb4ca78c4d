import type { PaymentIntent, Stripe, StripeError } from '@stripe/stripe-js'
import { SECOND_MS } from '@/lib/kernel/time'

/**
 * The result of an attempt to pay:
 * - `sent`: the payment went through, or the bank is working on it. The success page says which.
 * - `refused`: nothing was charged, and the same payment can be tried again.
 * - `over`: the payment was canceled, and nothing was charged.
 * - `unclear`: the payment may have gone through.
 */
export type PaymentResult = 'sent' | 'refused' | 'over' | 'unclear'

/** Reads the result from the error of Stripe's confirmPayment(), which is missing after a success. */
export function resultOf(error: StripeError | undefined): PaymentResult {
  if (!error) return 'sent'
  if (error.payment_intent) return resultOfStatus(error.payment_intent.status)
  // With these two errors, Stripe may have received the payment although its response was lost.
  return error.type === 'api_connection_error' || error.type === 'api_error' ? 'unclear' : 'refused'
}

function resultOfStatus(status: PaymentIntent.Status): PaymentResult {
  if (status === 'succeeded' || status === 'processing' || status === 'requires_capture') return 'sent'
  if (status === 'requires_payment_method') return 'refused'
  return status === 'canceled' ? 'over' : 'unclear'
}

/** The pauses before the requests to Stripe, and how long to wait for each response. */
const PAUSES_MS = [0, SECOND_MS, 3 * SECOND_MS]
const ANSWER_MS = 4 * SECOND_MS

/** Reads from Stripe the result of a payment whose response was lost. */
export async function readResult(stripe: Stripe, clientSecret: string): Promise<PaymentResult> {
  for (const pauseMs of PAUSES_MS) {
    await later(pauseMs)
    const asked = stripe.retrievePaymentIntent(clientSecret).catch(() => null)
    const { paymentIntent } = (await Promise.race([asked, later(ANSWER_MS)])) ?? {}
    if (paymentIntent) return resultOfStatus(paymentIntent.status)
  }
  return 'unclear'
}

/** Resolves with null after some time. */
export function later(ms: number): Promise<null> {
  return new Promise((resolve) => setTimeout(() => resolve(null), ms))
}
