import type { Metadata } from 'next'
import { PageTitle } from '@/components/layout/page-title'
import { SellerHeader } from '@/components/layout/seller-header'
import { PackingSlip } from '@/components/orders/packing-slip'
import { SlipControls } from '@/components/orders/slip-controls'
import { requireSeller } from '@/lib/http/page'
import { database } from '@/lib/infra/db'
import { env } from '@/lib/infra/env'
import { sellerOrderFilterSchema, slipSchema } from '@/lib/orders/schema'
import { findOrderToShip, listSellerOrders } from '@/lib/orders/seller-queries'
import { toQrSquares } from '@/lib/previews/qr-squares'

export const metadata: Metadata = { title: 'Packing slips' }

const MOST_SLIPS = 100

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> }

/** Packing slips for printing, one per page or label, each with a code that opens its order. */
export default async function SlipsPage({ searchParams }: Props) {
  const { actor, user } = await requireSeller('/orders/slips')
  const asked = await searchParams
  const { order, size } = slipSchema.parse(asked)
  const filter = { ...sellerOrderFilterSchema.parse(asked), show: 'ship' as const }
  const orders = order
    ? await findOrderToShip(database(), actor.userId, order)
    : await listSellerOrders(database(), actor.userId, filter, MOST_SLIPS)
  return (
    <>
      <div className="print:hidden">
        <SellerHeader plan={user.plan} place="orders" isInside />
      </div>
      <main className="mx-auto grid max-w-3xl gap-5 px-5 pb-24 print:m-0 print:block print:max-w-none print:p-0">
        <div className="grid gap-5 print:hidden">
          <PageTitle back={order ? `/orders/${order}` : '/orders'}>Packing slips</PageTitle>
          <SlipControls
            count={orders.length}
            size={size}
            filter={filter}
            order={order}
            isAll={orders.length < MOST_SLIPS}
          />
        </div>
        {orders.map((slip) => (
          <PackingSlip
            key={slip.id}
            order={slip}
            size={size}
            seller={user.username ?? ''}
            timezone={user.timezone}
            qr={toQrSquares(`${env().appUrl}/orders/${slip.id}/ship`)}
          />
        ))}
      </main>
    </>
  )
}
