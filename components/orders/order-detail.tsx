import { Mail, Printer } from 'lucide-react'
import type { ReactNode } from 'react'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { EmailAddress } from '@/components/ui/email-address'
import { Fold } from '@/components/ui/fold'
import { Card } from '@/components/ui/card'
import { editionNote, editionText } from '@/lib/drops/editions/edition-messages'
import { formatUsd } from '@/lib/kernel/money'
import { earlyOrderTexts } from '@/lib/orders/early-messages'
import { isRefundable } from '@/lib/orders/rules'
import { trackingUrl } from '@/lib/shipping/rules'
import type { SellerOrderDetailView } from '@/lib/orders/detail-view'
import { LocalTime } from '@/components/drops/local-time'
import { formatDate } from '@/lib/kernel/time'
import { unitsText } from '@/lib/orders/unit-messages'
import { AddressBlock } from './address-block'
import { AddressNotice } from './address-notice'
import { DeclineRefund, type DeclineRefundAction } from './decline-refund'
import { DisputeCard, type AnswerDisputeAction } from './dispute-card'
import { MarkDelivered, type MarkDeliveredAction } from './mark-delivered'
import { MarkShipped, type MarkShippedAction } from './mark-shipped'
import { OrderKeyList, type VoidKeyAction } from './order-key-list'
import { OrderMoney } from './order-money'
import { ProposeDay, type ProposeDayAction } from './propose-day'
import { RefundDialog, type RefundAction } from './refund-dialog'
import { StatusBadge } from './status-badge'
import { Timeline } from './timeline'

type OrderDetailProps = {
  order: SellerOrderDetailView
  timezone: string
  now: Date
  actions: {
    onShipped: MarkShippedAction
    onDelivered: MarkDeliveredAction
    onRefund: RefundAction
    onDecline: DeclineRefundAction
    onAnswer: AnswerDisputeAction
    onVoid: VoidKeyAction
    onPropose: ProposeDayAction
  }
}

/** Shows one order to its seller, with the next actions, the buyer, the history and the money. */
export function OrderDetail({ order, timezone, now, actions }: OrderDetailProps) {
  const { isToShip } = order
  const canRefund = isRefundable(order.status)
  return (
    <div className="grid gap-5 md:grid-cols-[1.5fr_1fr] md:items-start">
      <div className="grid gap-5">
        <Card className="overflow-hidden">
          <Summary order={order} isToShip={isToShip} />
          <Actions order={order} isToShip={isToShip} actions={actions} />
        </Card>
        {order.request ? (
          <Notice title="Your buyer requested a refund">
            <p className="mb-3 break-words whitespace-pre-line">{order.request.reason}</p>
            <p className="mb-3 text-sm">
              {canRefund
                ? "Refund all or part of the order, or decline with a reason. We'll email it to your buyer."
                : "Reply to the buyer. We'll email them your reply."}
            </p>
            <div className="flex flex-wrap gap-2">
              {canRefund ? <RefundDialog order={order} action={actions.onRefund} /> : null}
              <DeclineRefund orderId={order.id} requestId={order.request.id} action={actions.onDecline} />
            </div>
          </Notice>
        ) : null}
        <ShippingNotices order={order} onPropose={actions.onPropose} />
        {order.dispute ? <DisputeCard orderId={order.id} dispute={order.dispute} onAnswer={actions.onAnswer} /> : null}
        {order.keys.length > 0 ? <OrderKeyList orderId={order.id} keys={order.keys} action={actions.onVoid} /> : null}
        <Buyer order={order} />
      </div>
      <div className="grid gap-5">
        <OrderMoney order={order} timezone={timezone} now={now} />
        <Card className="p-5 pb-1">
          <h2 className="mb-3 text-xl font-bold">Order updates</h2>
          <Timeline entries={order.timeline} />
        </Card>
      </div>
    </div>
  )
}

function Notice({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="rounded-card border border-warn bg-warn/8 p-5">
      <h2 className="mb-1 text-lg font-bold">{title}</h2>
      {children}
    </section>
  )
}

/** Says what is special about the shipment: a delay, a refund because of it, or an address that has changed. */
function ShippingNotices({ order, onPropose }: { order: SellerOrderDetailView; onPropose: ProposeDayAction }) {
  const { delay, isToShip, canProposeDay } = order
  const form = <ProposeDay orderId={order.id} action={onPropose} />
  return (
    <>
      {order.isLateRefund && order.status === 'paid' ? (
        <Notice title="Don't ship this order">
          <p>This order wasn&apos;t shipped in time, so we&apos;re refunding your buyer.</p>
        </Notice>
      ) : null}
      {delay ? (
        <Notice title="Your buyer decides">
          <p className="mb-3">
            You promised to ship by {formatDate(delay.missedDay)}. We asked your buyer to choose between waiting until{' '}
            {formatDate(delay.newDay)} and a full refund. Without an answer by <LocalTime iso={delay.answerBy} />,
            we&apos;ll refund the order. If you ship before that, there&apos;s no refund.
          </p>
          {canProposeDay ? form : null}
        </Notice>
      ) : null}
      {!delay && canProposeDay ? <Fold line="Can't ship by then?">{form}</Fold> : null}
      {isToShip && order.addressVersion > 0 ? <AddressNotice isSlipOutdated={order.isSlipOutdated} /> : null}
    </>
  )
}

function Summary({ order, isToShip }: { order: SellerOrderDetailView; isToShip: boolean }) {
  return (
    <div className="flex gap-4 p-5">
      {order.imageSrc ? (
        // eslint-disable-next-line @next/next/no-img-element -- our pictures are stored in ready-made widths
        <img
          src={order.imageSrc}
          alt=""
          width={72}
          height={90}
          className="aspect-[4/5] w-18 shrink-0 self-start rounded-control object-cover"
        />
      ) : null}
      <div className="grid min-w-0 content-start gap-1.5">
        <span className="flex flex-wrap gap-1.5">
          <StatusBadge status={order.status} isToShip={isToShip} />
          {order.isLate ? <Badge variant="destructive">Late</Badge> : null}
          {order.dispute?.status === 'lost' ? <Badge variant="destructive">Lost</Badge> : null}
          {order.money.refundedCents > 0 && order.status !== 'refunded' ? (
            <Badge variant="destructive">{formatUsd(order.money.refundedCents)} refunded</Badge>
          ) : null}
        </span>
        <h2 className="text-xl leading-snug font-bold">
          {unitsText(order)}
          {order.title}
        </h2>
        {order.edition ? <p className="tabular font-semibold">{editionText(order.edition)}</p> : null}
        {order.edition && editionNote(order.edition) ? (
          <p className="text-sm text-muted">{editionNote(order.edition)}</p>
        ) : null}
        <p className="tabular text-muted">{formatUsd(order.amountCents)} USD</p>
        {order.promise ? <p className="tabular font-semibold">{order.promise}</p> : null}
        {order.run > 1 || order.isEarly ? (
          <p className="text-sm text-muted">
            {[order.run > 1 ? `Run ${order.run} of this drop.` : '', order.isEarly ? earlyOrderTexts.seller : '']
              .filter(Boolean)
              .join(' ')}
          </p>
        ) : null}
      </div>
    </div>
  )
}

function Actions({ order, isToShip, actions }: Omit<OrderDetailProps, 'now' | 'timezone'> & { isToShip: boolean }) {
  const canRefund = isRefundable(order.status)
  const isShipped = order.status === 'shipped'
  // While the buyer waits for an answer to a request, the request's card has the button for the refund.
  if (!isToShip && !isShipped && (!canRefund || order.request)) return null
  return (
    <div className="grid gap-2 border-t p-4 sm:flex sm:flex-wrap">
      {isToShip || isShipped ? (
        <MarkShipped
          orderId={order.id}
          action={actions.onShipped}
          addressVersion={isToShip ? order.addressVersion : undefined}
          carrier={isShipped ? (order.carrier ?? '') : null}
          trackingNumber={order.trackingNumber}
          isShipped={isShipped}
          isPayoutReady={order.payout?.isReady ?? false}
        />
      ) : null}
      {order.completion ? (
        <MarkDelivered orderId={order.id} completion={order.completion} action={actions.onDelivered} />
      ) : null}
      {isToShip ? (
        <Button asChild variant="outline">
          <a href={`/orders/slips?order=${order.id}`}>
            <Printer aria-hidden />
            Packing slip
          </a>
        </Button>
      ) : null}
      {canRefund && !order.request ? <RefundDialog order={order} action={actions.onRefund} /> : null}
    </div>
  )
}

function Buyer({ order }: { order: SellerOrderDetailView }) {
  const tracking = [order.carrier, order.trackingNumber].filter(Boolean).join(' ')
  const page = trackingUrl(order.carrier, order.trackingNumber)
  const subject = encodeURIComponent(`Your order ${order.reference}: ${order.title}`)
  return (
    <Card className="grid gap-4 p-5">
      <h2 className="text-xl font-bold">Buyer</h2>
      {order.address ? <AddressBlock address={order.address} /> : <p>{order.buyerName ?? 'No name given'}</p>}
      {order.address ? null : <p className="-mt-2 text-sm text-muted">Nothing to ship</p>}
      {tracking ? (
        <p>
          <span className="block text-sm text-muted">Tracking</span>
          {page ? (
            <a
              href={page}
              target="_blank"
              rel="noreferrer noopener"
              className="tabular inline-flex min-h-11 items-center font-semibold underline"
            >
              {tracking}
            </a>
          ) : (
            <span className="tabular font-semibold">{tracking}</span>
          )}
        </p>
      ) : null}
      {order.buyerEmail ? (
        <div className="grid gap-2 border-t pt-4">
          <p className="text-sm wrap-anywhere">
            <EmailAddress>{order.buyerEmail}</EmailAddress>
          </p>
          <Button asChild variant="outline" className="justify-self-start">
            <a href={`mailto:${order.buyerEmail}?subject=${subject}`}>
              <Mail aria-hidden />
              Email the buyer
            </a>
          </Button>
        </div>
      ) : null}
    </Card>
  )
}
