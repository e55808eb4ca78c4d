'use client'

import { Button } from '@/components/ui/button'
import { paymentPath } from './open-payment'
import { checkoutTexts } from '@/lib/checkout/messages'
import { CheckoutProblem } from './checkout-problem'

type HoldOverProps = {
  clientSecret: string
  /** True when a payment was started but its result is not known. */
  isUnclear: boolean
  dropPath: string
  onStartAgain: () => void
}

/**
 * Says that the hold has ended. The buyer can start again or, if the result of a payment is not known, check that
 * payment first.
 */
export function HoldOver({ clientSecret, isUnclear, dropPath, onStartAgain }: HoldOverProps) {
  return (
    <CheckoutProblem
      title={checkoutTexts.checkoutErrorTitle}
      text={isUnclear ? checkoutTexts.holdOverUnclear : checkoutTexts.holdOver}
      dropPath={dropPath}
      isReplacement
    >
      {isUnclear ? (
        <Button asChild>
          <a href={paymentPath(clientSecret)}>Check my payment</a>
        </Button>
      ) : (
        <Button onClick={onStartAgain}>Start again</Button>
      )}
    </CheckoutProblem>
  )
}
