'use client'

import { Button } from '@/components/ui/button'
import { ApiError } from '@/lib/client/call-api'
import { checkoutTexts } from '@/lib/checkout/messages'
import { CheckoutProblem } from './checkout-problem'

type NotOpenedProps = { error: unknown; dropPath: string; withoutCode: string; onTryAgain: () => void }

/** Says why no payment could be opened, and offers a new attempt when that can help. */
export function NotOpened({ error, dropPath, withoutCode, onTryAgain }: NotOpenedProps) {
  const refusal = error instanceof ApiError ? error : null
  const isOff = refusal?.code === 'PAYMENTS_OFF'
  const canRetry = !refusal || refusal.status === 503 || refusal.code === 'ALL_IN_CHECKOUT'
  return (
    <CheckoutProblem
      title={isOff ? checkoutTexts.paymentNotAvailableTitle : checkoutTexts.checkoutErrorTitle}
      text={refusal?.serverText ?? checkoutTexts.failedToInitialize}
      dropPath={dropPath}
      isReplacement
    >
      {refusal?.field === 'code' ? (
        <Button asChild>
          <a href={withoutCode}>{checkoutTexts.buyWithoutCode}</a>
        </Button>
      ) : null}
      {canRetry && !isOff ? <Button onClick={onTryAgain}>Try again</Button> : null}
    </CheckoutProblem>
  )
}
