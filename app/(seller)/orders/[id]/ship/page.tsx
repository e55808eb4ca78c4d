import type { Metadata } from 'next'
import Link from 'next/link'
import { SellerCelebrations } from '@/components/dashboard/seller-celebrations'
import { AddressNotice } from '@/components/orders/address-notice'
import { AddressBlock } from '@/components/orders/address-block'
import { ShippingForm } from '@/components/orders/mark-shipped'
import { StatusBadge } from '@/components/orders/status-badge'
import { PageTitle } from '@/components/layout/page-title'
import { SellerHeader } from '@/components/layout/seller-header'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { orderOfSeller } from '@/lib/http/order-of-seller'
import { database } from '@/lib/infra/db'
import { formatCount } from '@/lib/kernel/format-count'
import { unitsText } from '@/lib/orders/unit-messages'
import { findNextToShip } from '@/lib/orders/seller-queries'
import { shippingErrors } from '@/lib/shipping/messages'
import { markShippedAction } from '../../actions'

export const metadata: Metadata = { title: 'Mark as shipped' }

type Props = {
  params: Promise<{ id: string }>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

/**
 * The QR code on a packing slip and the Ship button in the list of orders open this page. Opening it changes nothing.
 * Only its button marks the parcel as shipped, and then opens the next parcel, so that a seller ships many parcels with
 * one tap each. `after` in the URL says that this is the next parcel.
 */
export default async function ShipPage({ params, searchParams }: Props) {
  const { order, user } = await orderOfSeller((await params).id, '/ship')
  const { isToShip } = order
  const { slip, after } = await searchParams
  // The code on a slip names the version of the address that is printed on it.
  const isOldSlip = typeof slip === 'string' && /^\d{1,3}$/.test(slip) && Number(slip) < order.addressVersion
  const isShipped = order.status === 'shipped'
  const next = await findNextToShip(database(), user.id, order.id)
  return (
    <>
      <SellerHeader plan={user.plan} place="orders" isInside />
      <SellerCelebrations className="max-w-md" />
      <main className="mx-auto grid max-w-md gap-5 px-5 pb-24">
        <PageTitle back="/orders?show=ship">{isShipped ? 'This order is on its way' : 'Ship this order?'}</PageTitle>
        <Card className="grid gap-3 p-5">
          <span className="flex items-center justify-between gap-3">
            <span className="tabular font-bold">{order.reference}</span>
            <StatusBadge status={order.status} isToShip={isToShip} />
          </span>
          <p className="text-lg font-semibold">
            {unitsText(order)}
            {order.title}
          </p>
          {order.address ? <AddressBlock address={order.address} /> : null}
        </Card>
        {isToShip && (isOldSlip || order.isSlipOutdated) ? <AddressNotice isSlipOutdated /> : null}
        {isToShip && next ? (
          <p className="text-sm text-muted">{formatCount(next.count)} more to ship after this one.</p>
        ) : null}
        {isToShip ? (
          <ShippingForm
            key={order.id}
            orderId={order.id}
            action={markShippedAction}
            addressVersion={order.addressVersion}
            carrier={null}
            trackingNumber={null}
            submit={next ? 'Mark as shipped and open next' : 'Mark as shipped'}
            nextPath={next ? `/orders/${next.orderId}/ship?after=${order.id}` : undefined}
            isNext={after !== undefined}
          />
        ) : (
          <>
            <p role="status" className="text-lg">
              {isShipped ? "Marked as shipped. We've emailed the buyer." : shippingErrors.NOT_SHIPPABLE.text}
            </p>
            <NextParcel next={next} />
            <Button asChild variant="outline">
              <Link href={`/orders/${order.id}`} prefetch={false}>
                View order
              </Link>
            </Button>
          </>
        )}
      </main>
    </>
  )
}

/** Links to the parcel that has waited longest, or says that all parcels are on their way. */
function NextParcel({ next }: { next: { orderId: string; count: number } | null }) {
  if (!next) return <p className="text-lg font-semibold">That was the last one. Everything has shipped.</p>
  return (
    <div className="grid gap-2">
      <Button asChild size="lg">
        <Link href={`/orders/${next.orderId}/ship`} prefetch={false}>
          Next order
        </Link>
      </Button>
      <p className="text-sm text-muted">
        {formatCount(next.count)} left to ship. You can also scan the code on the next packing slip.
      </p>
    </div>
  )
}
