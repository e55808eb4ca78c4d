import { Download, Printer, Upload } from 'lucide-react'
import type { Metadata } from 'next'
import Link from 'next/link'
import { SellerCelebrations } from '@/components/dashboard/seller-celebrations'
import { OrderFilters } from '@/components/orders/order-filters'
import { OrderRow } from '@/components/orders/order-row'
import { PageTitle } from '@/components/layout/page-title'
import { SellerHeader } from '@/components/layout/seller-header'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { pageContext, requireSeller } from '@/lib/http/page'
import { filterAddress, isFiltered, sellerOrderFilterSchema } from '@/lib/orders/filter-schema'
import { listDropChoices, listSellerOrders, ORDERS_PER_PAGE } from '@/lib/orders/seller-queries'
import { writeOrderCursor } from '@/lib/orders/seller-view'

export const metadata: Metadata = { title: 'Orders' }

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> }

export default async function OrdersPage({ searchParams }: Props) {
  const { actor, user } = await requireSeller('/orders')
  const ctx = await pageContext()
  const filter = sellerOrderFilterSchema.parse(await searchParams)
  const [orders, drops] = await Promise.all([
    listSellerOrders(ctx, actor.userId, filter),
    listDropChoices(ctx.db, actor.userId),
  ])
  const last = orders.length === ORDERS_PER_PAGE ? orders.at(-1) : undefined
  const hasOrders = orders.length > 0
  return (
    <>
      <SellerHeader plan={user.plan} place="orders" />
      <SellerCelebrations className="max-w-5xl" />
      <main className="mx-auto grid max-w-5xl gap-5 px-5 pb-24">
        <PageTitle>Orders</PageTitle>
        {hasOrders || isFiltered(filter) ? <OrderFilters filter={filter} drops={drops} /> : null}
        {hasOrders ? (
          <>
            <nav aria-label="Actions for these orders" className="-mx-3 flex flex-wrap sm:gap-1">
              <Button asChild variant="ghost" size="sm">
                <a href={filterAddress('/orders/slips', { ...filter, show: 'ship' })}>
                  <Printer aria-hidden />
                  Packing slips
                </a>
              </Button>
              <Button asChild variant="ghost" size="sm">
                <a href={filterAddress('/orders/export.csv', filter)} download>
                  <Download aria-hidden />
                  <span>
                    <span className="max-sm:sr-only">Download </span>CSV
                  </span>
                </a>
              </Button>
              <Button asChild variant="ghost" size="sm">
                <Link href="/orders/import" prefetch={false}>
                  <Upload aria-hidden />
                  <span>
                    Add tracking<span className="max-sm:sr-only"> numbers</span>
                  </span>
                </Link>
              </Button>
            </nav>
            <Card className="overflow-hidden">
              <ul className="divide-y">
                {orders.map((order) => (
                  <OrderRow key={order.id} order={order} timezone={user.timezone} />
                ))}
              </ul>
            </Card>
          </>
        ) : (
          <NoOrders isFiltered={isFiltered(filter)} />
        )}
        {last ? (
          <Button asChild variant="outline" className="justify-self-center">
            <a href={filterAddress('/orders', filter, writeOrderCursor(last))}>
              {filter.show === 'ship' ? 'More orders' : 'Older orders'}
            </a>
          </Button>
        ) : null}
      </main>
    </>
  )
}

function NoOrders({ isFiltered: isNarrowed }: { isFiltered: boolean }) {
  if (!isNarrowed) {
    return (
      <div className="grid justify-items-start gap-3">
        <p className="text-lg text-muted">No orders yet. New orders appear here as soon as they&apos;re paid.</p>
        <Button asChild variant="outline">
          <Link href="/" prefetch={false}>
            Go to your drops
          </Link>
        </Button>
      </div>
    )
  }
  return (
    <div className="grid justify-items-start gap-3">
      <p className="text-lg text-muted">No orders match.</p>
      <Button asChild variant="outline">
        <Link href="/orders" prefetch={false}>
          Show all orders
        </Link>
      </Button>
    </div>
  )
}
