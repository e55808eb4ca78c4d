'use client'

import { useElements, useStripe } from '@stripe/react-stripe-js'
import type { StripeError } from '@stripe/stripe-js'
import { useState } from 'react'
import { paymentPath } from './open-payment'
import { resultOf } from './payment-result'
import { storageKeys } from '@/lib/client/storage-keys'
import { tabStorage } from '@/lib/client/tab-storage'
import { checkoutTexts } from '@/lib/checkout/messages'
import type { BuyerDetails } from '@/lib/orders/address-schema'

/**
 * The state of an attempt to pay:
 * - `none`: before the first press, and after a refusal.
 * - `running`: from the press on, and after a success.
 * - `unclear`: it is not known whether Stripe accepted the payment.
 */
export type ConfirmState = 'none' | 'running' | 'unclear'

type Options = { clientSecret: string; needsAddress: boolean; onAttempt: (attempt: ConfirmState) => void }

/**
 * Returns `confirm`, which pays with the data in the card fields and then opens the success page, and the problem to
 * show when the payment did not go through.
 */
export function useConfirmPayment({ clientSecret, needsAddress, onAttempt }: Options) {
  const stripe = useStripe()
  const elements = useElements()
  const [problem, setProblem] = useState<string | null>(null)
  const [isPaid, setIsPaid] = useState(false)

  async function confirm(details: BuyerDetails): Promise<void> {
    if (!stripe || !elements) return
    setProblem(null)
    onAttempt('running')
    const done = new URL(paymentPath(clientSecret), window.location.origin)
    const { email } = details
    const { error } = await stripe.confirmPayment({
      elements,
      redirect: 'if_required',
      confirmParams: {
        return_url: done.href,
        // Without `receipt_email`, because Stripe would send a receipt of its own beside ours.
        payment_method_data: { billing_details: { email } },
        ...(needsAddress ? { shipping: toShipping(details) } : {}),
      },
    })
    // Stripe also returns an error when the payment has already succeeded, in another tab or after an earlier press
    // whose response was lost.
    const result = resultOf(error)
    if (error && result !== 'sent') {
      onAttempt(result === 'unclear' ? 'unclear' : 'none')
      return setProblem(result === 'unclear' ? checkoutTexts.noAnswer : problemText(error))
    }
    setIsPaid(true)
    tabStorage.remove(storageKeys.buyerDetails)
    // This replaces the checkout page in the history, because going back to that page would hold another unit.
    window.location.replace(done)
  }

  return { confirm, problem, setProblem, isPaid }
}

/**
 * Returns Stripe's message, or our own if there is none. If the message of a card error mentions neither a charge nor
 * trying again, a sentence is added that says that nothing was charged.
 */
function problemText({ type, message }: StripeError): string {
  if (!message) return "You weren't charged. Please try again."
  const isSaid = type !== 'card_error' || /charged|try again/i.test(message)
  return isSaid ? message : `${message} You weren't charged. Try again or use another card.`
}

function toShipping(details: BuyerDetails) {
  const { name = '', phone, line1 = '', line2, city, state, postalCode: postal_code, country } = details
  return { name, phone: phone || undefined, address: { line1, line2, city, state, postal_code, country } }
}
