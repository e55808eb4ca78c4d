import { Truck } from 'lucide-react'
import Link from 'next/link'
import { LinkPending } from '@/components/layout/link-pending'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { editionText } from '@/lib/drops/editions/edition-messages'
import { formatUsd } from '@/lib/kernel/money'
import { formatDay } from '@/lib/kernel/time'
import type { SellerOrderView } from '@/lib/orders/seller-view'
import { unitsText } from '@/lib/orders/unit-messages'
import { StatusBadge } from './status-badge'

/**
 * Shows one order of the list with its drop, buyer, destination and price. The row links to the order, and an order to
 * ship has a second link that leads to the shipping form.
 */
export function OrderRow({ order, timezone }: { order: SellerOrderView; timezone: string }) {
  const { isToShip } = order
  const place = [order.address?.lines.at(-1), order.address?.country].filter(Boolean).join(', ')
  return (
    <li className="md:flex md:items-center">
      <Link
        href={`/orders/${order.id}`}
        prefetch={false}
        className="grid min-w-0 flex-1 grid-cols-[3rem_minmax(0,1fr)_auto] items-center gap-x-3 gap-y-1 px-4 py-3 hover:bg-sunken max-[16rem]:grid-cols-1 lg:grid-cols-[3rem_9rem_minmax(0,1.4fr)_minmax(0,1fr)_6rem] lg:gap-x-5"
      >
        <Picture src={order.imageSrc} />
        <span className="flex flex-wrap items-center gap-1.5 max-lg:col-span-2 max-lg:col-start-2 max-[16rem]:col-span-1 max-[16rem]:col-start-1">
          <StatusBadge status={order.status} isToShip={isToShip} />
          <LinkPending className="order-last" />
          {order.isLost ? <Badge variant="destructive">Lost</Badge> : null}
          {order.isLate ? <Badge variant="destructive">Late</Badge> : null}
          {isToShip && order.isSlipOutdated ? <Badge variant="warn">New address</Badge> : null}
          {order.isAsked ? <Badge variant="warn">Refund requested</Badge> : null}
        </span>
        <span className="min-w-0 max-lg:col-start-2 max-[16rem]:col-start-1">
          <span className="line-clamp-2 font-semibold">
            {unitsText(order)}
            {order.title}
          </span>
          <span className="tabular block text-sm text-muted">
            {order.edition ? `${editionText(order.edition)} · ` : ''}
            {order.reference} · <time dateTime={order.paidAt}>{formatDay(new Date(order.paidAt), timezone)}</time>
          </span>
        </span>
        <span className="min-w-0 text-sm max-lg:order-last max-lg:col-span-2 max-lg:col-start-2 max-[16rem]:col-span-1 max-[16rem]:col-start-1">
          <span className="block truncate">{order.buyerName ?? order.buyerEmail ?? 'No name'}</span>
          <span className="block truncate text-muted">{place || order.buyerEmail}</span>
        </span>
        <span className="tabular text-end max-[16rem]:text-start">
          <span className="block font-bold">{formatUsd(order.amountCents)}</span>
          {order.discount ? <span className="block text-sm text-muted">{order.discount.code}</span> : null}
          {order.shipping && order.shipping.cents > 0 ? (
            <span className="block text-sm text-muted">with {formatUsd(order.shipping.cents)} shipping</span>
          ) : null}
          {order.refundedCents > 0 ? (
            <span className="block text-sm text-bad">−{formatUsd(order.refundedCents)}</span>
          ) : null}
        </span>
      </Link>
      <div className="shrink-0 px-4 max-md:pb-3 max-md:ps-19 max-[16rem]:ps-4 md:w-32 md:text-end">
        {isToShip ? (
          <Button asChild variant="outline" size="sm">
            <Link href={`/orders/${order.id}/ship`} prefetch={false} aria-label={`Ship ${order.reference}`}>
              <Truck aria-hidden />
              Ship
            </Link>
          </Button>
        ) : null}
      </div>
    </li>
  )
}

/** Shows the drop's picture beside the order. On a phone the picture is beside all lines of the row. */
function Picture({ src }: { src: string | null }) {
  const place = 'aspect-[4/5] w-12 self-start rounded-control bg-sunken max-lg:row-span-3 max-[16rem]:row-span-1'
  if (!src) return <span aria-hidden className={place} />
  // eslint-disable-next-line @next/next/no-img-element -- our pictures are stored in ready-made widths
  return <img src={src} alt="" width={48} height={60} loading="lazy" className={`${place} object-cover`} />
}
