import { PackageCheck, Truck } from 'lucide-react'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { brand } from '@/lib/kernel/brand'
import { checkoutTexts } from '@/lib/checkout/messages'
import { orderStatusText } from '@/lib/orders/messages'
import { trackingUrl } from '@/lib/shipping/rules'
import type { BuyerOrderView } from '@/lib/orders/view'

/** Says what state the order is in, and lets the buyer track a parcel or confirm that the order is complete. */
export function OrderHeadline({ order }: { order: BuyerOrderView }) {
  const page = trackingUrl(order.carrier, order.trackingNumber)
  return (
    <div className="grid gap-2">
      <Badge variant={tones[order.status] ?? 'good'} className="justify-self-start">
        {order.isLost ? 'Returned by your bank' : orderStatusText[order.status]}
      </Badge>
      <h1 className="text-3xl font-extrabold">{headline(order)}</h1>
      <p className="text-muted">{nextStep(order)}</p>
      {page ? (
        <Button asChild className="mt-1 justify-self-start">
          <a href={page} target="_blank" rel="noreferrer noopener">
            <Truck aria-hidden />
            Track package
          </a>
        </Button>
      ) : null}
      {order.status === 'pending' || order.status === 'expired' ? (
        <Button asChild variant="outline" className="mt-1 justify-self-start">
          <a href={`/drop/${order.drop.identifier}`}>{checkoutTexts.waitBack}</a>
        </Button>
      ) : null}
      {order.completion ? (
        <form method="post" action={`/o/${order.token}/arrived`} className="mt-1">
          <Button type="submit" variant="outline">
            <PackageCheck aria-hidden />
            {order.completion === 'delivered' ? 'My order arrived' : 'Mark as complete'}
          </Button>
        </form>
      ) : null}
    </div>
  )
}

const tones: Partial<Record<BuyerOrderView['status'], 'destructive' | 'warn' | 'secondary'>> = {
  refunded: 'destructive',
  disputed: 'warn',
  pending: 'secondary',
  expired: 'secondary',
}

function headline(order: BuyerOrderView): string {
  if (order.isLost) return 'Your bank returned your money'
  if (order.owedRefund === 'byHand') return 'We paid you back'
  if (order.isSellerGone && order.status === 'paid' && order.productType !== 'digital') {
    return 'The seller has closed their account'
  }
  if (order.owedRefund === 'failed') return "We couldn't refund you"
  if (order.owedRefund === 'pending' || (order.isLateRefund && order.status === 'paid')) return "We're refunding you"
  if (order.status === 'refunded' || order.owedRefund) return 'Your refund is on its way'
  if (order.status === 'disputed') return 'Your bank is reviewing this payment'
  if (order.status === 'pending' || order.status === 'expired') return checkoutTexts.notPaidTitle
  return 'Thanks for your order'
}

function nextStep(order: BuyerOrderView): string {
  if (order.owedRefund === 'byHand') {
    return `Your card couldn't be refunded, so we paid you in another way. If you don't have the money yet, please write to ${brand.contact.support}.`
  }
  if (order.owedRefund === 'failed') {
    return `Your bank didn't accept our refund. We still owe you the full amount. Please write to ${brand.contact.support}.`
  }
  if (order.owedRefund === 'pending') return "We'll email you when your refund is on its way to your card."
  if (order.status === 'paid' && order.owedRefund === 'waiting') {
    return "The seller can't fulfill this order anymore. We're getting your money back from the seller, which can take a week. We'll email you either way."
  }
  if (order.status === 'paid' && order.owedRefund === 'notCovered') {
    return `The seller can't fulfill this order anymore, and we couldn't get your money back from the seller. Please write to ${brand.contact.support}.`
  }
  if (order.status === 'refunded' || order.owedRefund)
    return 'Your refund can take 5 to 10 days to appear on your card.'
  if (order.isLateRefund && order.status === 'paid') {
    return "Your order wasn't shipped in time. We'll email you when your refund is on its way to your card."
  }
  if (order.status === 'pending' || order.status === 'expired') return checkoutTexts.notPaid
  if (order.isLost) return 'Your bank decided in your favor. This order is closed.'
  if (order.status === 'disputed') return "This can take a few weeks. We'll update this page when your bank decides."
  if (order.isSellerGone && order.status === 'paid' && order.productType !== 'digital') {
    return "The seller can't fulfill this order anymore, so we're refunding you in full. The refund can take 5 to 10 days to appear on your card."
  }
  if (order.request.isOpen && order.status === 'paid') {
    return "The seller has your refund request. We'll email you when they decide."
  }
  const help = order.isSellerGone ? '' : ' Something wrong? Message the seller below.'
  if (order.status === 'delivered') return `Your order was delivered.${help}`
  if (order.status === 'done') return `This order is complete.${help}`
  if (order.trackingNumber) {
    return `Your order is on its way with ${order.carrier ?? 'the carrier'}, tracking number ${order.trackingNumber}.`
  }
  if (order.status === 'shipped') return 'Your order is on its way.'
  if (order.delay) return "Your order hasn't shipped yet."
  if (order.productType === 'physical') return "The seller is packing your order. We'll email you when it ships."
  if (order.keys) return keysText(order.keys)
  if (order.productType === 'digital') return 'Your download is ready below.'
  return checkoutTexts.nextStep.service
}

function keysText({ shown, hidden }: NonNullable<BuyerOrderView['keys']>): string {
  const keys = shown.length + hidden === 1 ? 'Your key is' : 'Your keys are'
  return hidden > 0 ? `${keys} ready below.` : `${keys} below.`
}
