'use client'

import { useElements, useStripe } from '@stripe/react-stripe-js'
import type { StripeError } from '@stripe/stripe-js'
import { useState } from 'react'
import { paymentPath } from './open-payment'
import { storageKeys } from '@/lib/client/storage-keys'
import { orderTexts } from '@/lib/orders/messages'
import type { BuyerDetails } from '@/lib/orders/schema'

/** A try to pay: `running` until Stripe refuses it, `unclear` when its answer was lost, otherwise `none`. */
export type Attempt = 'none' | 'running' | 'unclear'

type Options = { clientSecret: string; needsAddress: boolean; onAttempt: (attempt: Attempt) => void }

/** Pays with what was typed into the card fields. After a payment the browser goes to the success page. */
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
        receipt_email: email,
        payment_method_data: { billing_details: { email } },
        ...(needsAddress ? { shipping: toShipping(details) } : {}),
      },
    })
    // "succeeded" means that the buyer has already paid, in another tab or by a press whose answer was lost.
    if (error && error.payment_intent?.status !== 'succeeded') {
      onAttempt(isUnheard(error) ? 'unclear' : 'none')
      return setProblem(problemText(error))
    }
    setIsPaid(true)
    sessionStorage.removeItem(storageKeys.buyerDetails)
    // This replaces the checkout page in the history, because going back to that page would hold another unit.
    window.location.replace(done)
  }

  return { confirm, problem, setProblem, isPaid }
}

/** Whether the answer was lost on its way: the payment itself may have gone through. */
function isUnheard({ type }: StripeError): boolean {
  return type === 'api_connection_error' || type === 'api_error'
}

/** Returns Stripe's message, and adds to a card error that nothing was charged if the message does not say so. */
function problemText(error: StripeError): string {
  const { type, message } = error
  if (isUnheard(error)) return orderTexts.noAnswer
  if (!message) return 'Your card was not charged. Please try again.'
  const isSaid = type !== 'card_error' || /charged|try again/i.test(message)
  return isSaid ? message : `${message} Nothing was charged: try again or use another card.`
}

function toShipping(details: BuyerDetails) {
  const { name = '', phone, line1 = '', line2, city, state, postalCode: postal_code, country } = details
  return { name, phone, address: { line1, line2, city, state, postal_code, country } }
}
