import type { ReactNode } from 'react'
import { Button } from '@/components/ui/button'
import { checkoutTexts } from '@/lib/checkout/messages'
import type { OrderStatus } from '@/lib/orders/rules'
import { ForgetOwnUnits } from './forget-own-units'
import { ForgetUnclearPayment } from './forget-unclear-payment'
import { OutcomeHeading } from './outcome-heading'
import { PaymentConfirming } from './payment-confirming'

type PaymentOutcomeProps = {
  order: { status: OrderStatus; dropId: number }
  /** Whether nothing was paid and no attempt to pay is under way. */
  isUnpaid: boolean
  orderPath: string
  dropPath: string
  children: ReactNode
}

/**
 * Shows the result of a payment. `children` is the success content. It is shown when the order is neither pending nor
 * expired nor refunded (docs/product.md#after-paying).
 */
export function PaymentOutcome({ order, isUnpaid, orderPath, dropPath, children }: PaymentOutcomeProps) {
  const { status, dropId } = order
  if (status === 'pending' && !isUnpaid) return <PaymentConfirming />
  const { notPaidTitle, notPaid, refundedTitle, refunded } = checkoutTexts
  const isNotPaid = status === 'expired' || status === 'pending'
  return (
    <>
      <ForgetUnclearPayment />
      {isNotPaid ? null : <ForgetOwnUnits dropId={dropId} />}
      {isNotPaid ? (
        <Notice title={notPaidTitle} text={notPaid} href={dropPath} label="Back to the drop" />
      ) : status === 'refunded' ? (
        <Notice title={refundedTitle} text={refunded} href={orderPath} label="View your order" />
      ) : (
        children
      )}
    </>
  )
}

function Notice({ title, text, href, label }: { title: string; text: string; href: string; label: string }) {
  return (
    <div className="grid gap-4">
      <OutcomeHeading>{title}</OutcomeHeading>
      <p className="text-lg text-muted">{text}</p>
      <Button asChild className="justify-self-start">
        <a href={href}>{label}</a>
      </Button>
    </div>
  )
}
