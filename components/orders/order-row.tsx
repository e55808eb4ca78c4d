import { ChevronRight } from 'lucide-react'
import Link from 'next/link'
import { Badge } from '@/components/ui/badge'
import { formatUsd } from '@/lib/kernel/money'
import type { SellerOrderView } from '@/lib/orders/seller-view'
import { StatusBadge } from './status-badge'

const day = (iso: string) => new Date(iso).toLocaleDateString('en-US', { dateStyle: 'medium', timeZone: 'UTC' })

/**
 * One order of the list: what was bought, by whom, where it goes and what it cost. The whole row links to the order.
 */
export function OrderRow({ order }: { order: SellerOrderView }) {
  const isToShip = order.status === 'paid' && order.productType === 'physical'
  const place = [order.address?.lines.at(-1), order.address?.country].filter(Boolean).join(', ')
  return (
    <li>
      <Link
        href={`/orders/${order.id}`}
        prefetch={false}
        className="grid grid-cols-[1fr_auto] items-center gap-x-3 gap-y-1 px-4 py-3 hover:bg-sunken md:grid-cols-[9rem_1.4fr_1fr_7rem_1.25rem] md:gap-x-5"
      >
        <span className="flex flex-wrap items-center gap-1.5 max-md:col-span-full">
          <StatusBadge status={order.status} isToShip={isToShip} />
          {order.isLost ? <Badge variant="destructive">Lost</Badge> : null}
          {order.isLate ? <Badge variant="destructive">Late</Badge> : null}
          {order.isAsked ? <Badge variant="warn">Refund requested</Badge> : null}
        </span>
        <span className="min-w-0">
          <span className="line-clamp-2 font-semibold">
            {order.quantity > 1 ? `${order.quantity} × ` : ''}
            {order.title}
          </span>
          <span className="tabular block text-sm text-muted">
            {order.reference} · <time dateTime={order.paidAt}>{day(order.paidAt)}</time>
          </span>
        </span>
        <span className="min-w-0 text-sm max-md:order-last max-md:col-span-full">
          <span className="block truncate">{order.buyerName ?? order.buyerEmail ?? 'No name'}</span>
          <span className="block truncate text-muted">{place || order.buyerEmail}</span>
        </span>
        <span className="tabular text-right">
          <span className="block font-bold">{formatUsd(order.amountCents)}</span>
          {order.refundedCents > 0 ? (
            <span className="block text-sm text-bad">−{formatUsd(order.refundedCents)}</span>
          ) : null}
        </span>
        <ChevronRight aria-hidden className="size-5 text-muted max-md:hidden" />
      </Link>
    </li>
  )
}
