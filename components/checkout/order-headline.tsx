import { PackageCheck, Truck } from 'lucide-react'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { orderStatusText, trackingUrl } from '@/lib/orders/rules'
import type { BuyerOrderView } from '@/lib/orders/view'

/** Says how the order stands, and lets the buyer track the parcel or confirm that it has arrived. */
export function OrderHeadline({ order }: { order: BuyerOrderView }) {
  const page = trackingUrl(order.carrier, order.trackingNumber)
  return (
    <div className="grid gap-2">
      <Badge variant={tones[order.status] ?? 'good'} className="justify-self-start">
        {order.isLost ? 'Money back' : orderStatusText[order.status]}
      </Badge>
      <h1 className="text-3xl font-extrabold">{headline(order)}</h1>
      <p className="text-muted">{nextStep(order)}</p>
      {page ? (
        <Button asChild className="mt-1 justify-self-start">
          <a href={page} target="_blank" rel="noreferrer noopener">
            <Truck aria-hidden />
            Track the parcel
          </a>
        </Button>
      ) : null}
      {order.completion ? (
        <form method="post" action={`/o/${order.token}/arrived`} className="mt-1">
          <Button type="submit" variant="outline">
            <PackageCheck aria-hidden />
            {order.completion === 'delivered' ? 'It has arrived' : 'It is done'}
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
  if (order.isLost) return 'Your bank gave your money back'
  if (order.isSellerGone && order.status === 'paid' && order.productType !== 'digital') {
    return 'The seller has closed their account'
  }
  if (order.status === 'refunded') return 'Your money is on its way back'
  if (order.status === 'disputed') return 'Your bank looks at this payment'
  if (order.status === 'pending' || order.status === 'expired') return 'This order is not paid'
  return 'Thank you, it is yours'
}

function nextStep(order: BuyerOrderView): string {
  if (order.status === 'refunded') return 'Banks take 5 to 10 days to show it on your card.'
  if (order.status === 'pending' || order.status === 'expired') return 'Nothing was charged.'
  if (order.isLost) return 'It decided for you. This order is closed.'
  if (order.status === 'disputed') return 'It decides within some weeks. Until then nothing else happens here.'
  if (order.isSellerGone && order.status === 'paid' && order.productType !== 'digital') {
    return 'It will not come any more: you get your money back. Banks take 5 to 10 days to show it.'
  }
  const help = order.isSellerGone ? '' : ' Something wrong with it? Write to the seller below.'
  if (order.status === 'delivered') return `It has arrived.${help}`
  if (order.status === 'done') return `It is done.${help}`
  if (order.trackingNumber) return `On its way with ${order.carrier ?? 'the carrier'}: ${order.trackingNumber}`
  if (order.status === 'shipped') return 'It is on its way to you.'
  if (order.productType === 'physical') return 'The seller packs it and sends it. You get a mail when it ships.'
  if (order.productType === 'digital') return 'Your file is below.'
  return 'The seller will write to you to arrange everything.'
}
