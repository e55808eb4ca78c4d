import { AddressBlock } from '@/components/orders/address-block'
import { Timeline } from '@/components/orders/timeline'
import { BuyerLinks } from '@/components/layout/buyer-links'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import type { BuyerOrderView } from '@/lib/orders/view'
import { DownloadForm } from './download-form'
import { FormOutcome } from './form-outcome'
import { OrderCard } from './order-card'
import { OrderHeadline } from './order-headline'
import { OrderHelp, SellerGone } from './order-help'

type OrderPageProps = { order: BuyerOrderView; now: Date; sent?: string | undefined; problem: string | null }

/** The buyer's receipt and everything else about the order. The page is reached through a secret link. */
export function OrderPage({ order, now, sent, problem }: OrderPageProps) {
  return (
    <main className="mx-auto grid max-w-md gap-6 px-5 pt-4 pb-20">
      <FormOutcome sent={sent} problem={problem} />
      <OrderHeadline order={order} />
      <OrderCard order={order} />
      {order.digitalUrl ? (
        <Button asChild variant="buy" size="lg">
          <a href={order.digitalUrl} rel="noreferrer noopener" target="_blank">
            Open your file
          </a>
        </Button>
      ) : null}
      {order.file ? <DownloadForm token={order.token} file={order.file} /> : null}
      {order.timeline.length > 0 ? (
        <Card className="p-4 pb-1">
          <h2 className="mb-3 font-bold">Order updates</h2>
          <Timeline entries={order.timeline} />
        </Card>
      ) : null}
      {order.address ? (
        <Card className="p-4">
          <h2 className="mb-1 font-bold">
            {order.isSent ? 'Sent to' : order.status === 'paid' ? 'Shipping to' : 'Address'}
          </h2>
          <AddressBlock address={order.address} className="text-sm" />
          {order.shippingNote ? <p className="mt-3 text-sm text-muted">{order.shippingNote}</p> : null}
        </Card>
      ) : null}
      {order.paidAt && order.isSellerGone ? <SellerGone /> : null}
      {order.paidAt && !order.isSellerGone ? <OrderHelp token={order.token} request={order.request} now={now} /> : null}
      <p className="text-sm text-muted">
        Anyone with this page&rsquo;s link can open your order, so keep it to yourself.
      </p>
      <BuyerLinks />
    </main>
  )
}
