import { AddressBlock } from '@/components/orders/address-block'
import { Timeline } from '@/components/orders/timeline'
import { FollowForm } from '@/components/followers/follow-form'
import { BuyerLinks } from '@/components/layout/buyer-links'
import { SoldBy } from '@/components/traders/sold-by'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { followTitle } from '@/lib/followers/messages'
import { orderTexts } from '@/lib/orders/messages'
import type { BuyerOrderView } from '@/lib/orders/view'
import { ChangeAddress } from './change-address'
import { FormOutcome } from './form-outcome'
import { LatePanel } from './late-panel'
import { OrderCard } from './order-card'
import { OrderFile } from './order-file'
import { OrderKeys } from './order-keys'
import { OrderHeadline } from './order-headline'
import { OrderHelp, SellerGone } from './order-help'

type OrderPageProps = { order: BuyerOrderView; now: Date; sent?: string | undefined; problem: string | null }

/**
 * Shows an order to its buyer: its state, what was paid, the download, the address, and ways to get help. Buyers reach
 * this page through a secret link.
 */
export function OrderPage({ order, now, sent, problem }: OrderPageProps) {
  return (
    <main className="mx-auto grid max-w-md gap-6 px-5 pt-4 pb-20">
      <FormOutcome sent={sent} problem={problem} />
      <OrderHeadline order={order} />
      <OnThisPage order={order} />
      {order.delay ? <LatePanel token={order.token} delay={order.delay} /> : null}
      {order.keys && order.keys.shown.length + order.keys.hidden > 0 ? (
        <OrderKeys token={order.token} keys={order.keys} />
      ) : null}
      <OrderFile {...order} />
      {order.productType === 'service' && order.status === 'paid' && !order.isSellerGone ? (
        <Button asChild variant="outline">
          <a href={`/o/${order.token}/reminder.ics`}>{orderTexts.bookingReminder}</a>
        </Button>
      ) : null}
      <OrderCard order={order} />
      {order.timeline.length > 0 ? (
        <Card id="updates" className="scroll-mt-4 p-4 pb-1">
          <h2 className="mb-3 font-bold">Order updates</h2>
          <Timeline entries={order.timeline} />
        </Card>
      ) : null}
      {order.address ? (
        <Card id="address" className="scroll-mt-4 p-4">
          <h2 className="mb-1 font-bold">
            {order.isSent ? 'Sent to' : order.status === 'paid' ? 'Shipping to' : 'Address'}
          </h2>
          <AddressBlock address={order.address} className="text-sm" />
          {order.shippingNote ? <p className="mt-3 text-sm text-muted">{order.shippingNote}</p> : null}
          {order.addressForm ? (
            <ChangeAddress
              // The form starts with the address that was saved last.
              key={JSON.stringify(order.addressForm.values)}
              token={order.token}
              form={order.addressForm}
              canUndo={order.addressForm.undoUntil !== null && new Date(order.addressForm.undoUntil) > now}
            />
          ) : null}
        </Card>
      ) : null}
      {order.trader ? (
        <Card className="px-4 py-1">
          <SoldBy trader={order.trader} username={order.seller.username} />
        </Card>
      ) : null}
      {order.paidAt && order.isSellerGone ? <SellerGone /> : null}
      {order.paidAt && !order.isSellerGone ? <OrderHelp token={order.token} request={order.request} now={now} /> : null}
      {order.paidAt && order.seller.username && !order.isSellerGone ? (
        <Card className="grid gap-2 p-4">
          <h2 className="font-bold wrap-anywhere">{followTitle(order.seller.username)}</h2>
          <FollowForm username={order.seller.username} from="order" />
        </Card>
      ) : null}
      <p className="text-sm text-muted">
        Anyone with this page&apos;s link can open your order, so keep it to yourself.
      </p>
      <BuyerLinks />
    </main>
  )
}

/** Links to the sections that are below the first screen on a phone. */
function OnThisPage({ order }: { order: BuyerOrderView }) {
  const links = [
    ...(order.address && order.timeline.length > 0 ? [['#updates', 'Tracking']] : []),
    ...(order.address ? [['#address', 'Address']] : []),
    ...(order.paidAt ? [['#help', 'Refund or help']] : []),
  ]
  if (links.length === 0) return null
  return (
    <nav aria-label="On this page" className="flex flex-wrap gap-2">
      {links.map(([href, label]) => (
        <Button key={href} asChild variant="outline" size="sm">
          <a href={href}>{label}</a>
        </Button>
      ))}
    </nav>
  )
}
