import type { ReactNode } from 'react'
import { Button } from '@/components/ui/button'
import { orderTexts, refundedText } from '@/lib/orders/messages'
import type { OrderStatus } from '@/lib/orders/rules'
import { PaymentConfirming } from './payment-confirming'

type PaymentOutcomeProps = {
  order: { status: OrderStatus; discountCode: string | null }
  orderPath: string
  dropPath: string
  children: ReactNode
}

/**
 * Shows what became of a payment. `children` is the success content and is shown for a paid order only
 * (docs/product.md#after-paying).
 */
export function PaymentOutcome({ order, orderPath, dropPath, children }: PaymentOutcomeProps) {
  const { status } = order
  if (status === 'pending') return <PaymentConfirming />
  if (status === 'expired') {
    return <Notice title={orderTexts.notPaidTitle} text={orderTexts.notPaid} href={dropPath} label="Back to the drop" />
  }
  if (status === 'refunded') {
    return (
      <Notice title={orderTexts.refundedTitle} text={refundedText(order)} href={orderPath} label="View your order" />
    )
  }
  return children
}

function Notice({ title, text, href, label }: { title: string; text: string; href: string; label: string }) {
  return (
    <div className="grid gap-4">
      <h1 className="text-4xl font-extrabold">{title}</h1>
      <p className="text-lg text-muted">{text}</p>
      <Button asChild className="justify-self-start">
        <a href={href}>{label}</a>
      </Button>
    </div>
  )
}
