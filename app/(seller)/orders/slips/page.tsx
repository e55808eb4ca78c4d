import type { Metadata } from 'next'
import { PageTitle } from '@/components/layout/page-title'
import { SellerHeader } from '@/components/layout/seller-header'
import { PackingSlip } from '@/components/orders/packing-slip'
import { SlipControls } from '@/components/orders/slip-controls'
import { SlipsPrinted } from '@/components/orders/slips-printed'
import { requireSeller } from '@/lib/http/page'
import { database } from '@/lib/infra/db'
import { env } from '@/lib/infra/env'
import { sellerOrderFilterSchema } from '@/lib/orders/filter-schema'
import { slipSchema } from '@/lib/shipping/schema'
import { findOrderToShip, listSellerOrders } from '@/lib/orders/seller-queries'
import { toQrSquares } from '@/lib/previews/qr-squares'
import { noteSlipsPrintedAction } from '../actions'

export const metadata: Metadata = { title: 'Packing slips' }

const MAX_SLIPS = 100

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> }

/**
 * Shows packing slips for printing, one per page or label. Each has a QR code that opens the page on which the order is
 * marked as shipped.
 */
export default async function SlipsPage({ searchParams }: Props) {
  const { actor, user } = await requireSeller('/orders/slips')
  const asked = await searchParams
  const { order, size } = slipSchema.parse(asked)
  const filter = { ...sellerOrderFilterSchema.parse(asked), show: 'ship' as const }
  const orders = order
    ? await findOrderToShip(database(), actor.userId, order)
    : await listSellerOrders(database(), actor.userId, filter, MAX_SLIPS)
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
            isAll={orders.length < MAX_SLIPS}
          />
        </div>
        <SlipsPrinted
          slips={orders.map(({ id, addressVersion: version }) => ({ id, version }))}
          action={noteSlipsPrintedAction}
        />
        {orders.map((slip) => (
          <PackingSlip
            key={slip.id}
            order={slip}
            size={size}
            seller={user.username ?? ''}
            timezone={user.timezone}
            qr={toQrSquares(`${env().appUrl}/orders/${slip.id}/ship?slip=${slip.addressVersion}`)}
          />
        ))}
      </main>
    </>
  )
}
