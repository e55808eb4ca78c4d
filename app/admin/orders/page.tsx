import type { Metadata } from 'next'
import { AdminGate } from '@/components/admin/admin-gate'
import { AdminLayout } from '@/components/admin/admin-layout'
import { AdminOrders } from '@/components/admin/admin-orders'
import { FilterChips } from '@/components/admin/filter-chips'
import { Filters, FilterSelect } from '@/components/admin/filters'
import { OlderPageLink } from '@/components/admin/older-page-link'
import { StepUpProvider } from '@/components/accounts/step-up-provider'
import { Input } from '@/components/ui/input'
import { LEDGER_PAGE, listOrders } from '@/lib/admin/ledger-queries'
import { type OrderFilter, orderFilterSchema } from '@/lib/admin/schema'
import { adminPage } from '@/lib/http/admin-page'
import { recordHandPaymentAction, recordHandRefundAction } from '../actions'
import { stepUpFor } from '../step-up-for'

export const metadata: Metadata = { title: 'Orders and payments', robots: { index: false } }

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> }

const states: [string, string][] = [
  ['all', 'All orders'],
  ['stuck', 'Stuck'],
  ['owed', 'Owed by sellers'],
  ['currency', 'Settled in another currency'],
  ['pending', 'In checkout'],
  ['paid', 'Paid'],
  ['shipped', 'Shipped'],
  ['delivered', 'Delivered'],
  ['done', 'Completed'],
  ['refunded', 'Refunded'],
  ['disputed', 'Disputed'],
  ['expired', 'Expired'],
]

function nothingText({ q, show }: OrderFilter): string {
  if (q) return 'No order has this order ID, Stripe ID or email.'
  if (show === 'owed') return 'No seller owes anything.'
  if (show === 'currency') return 'No payout in another currency is waiting to be paid manually.'
  return show === 'stuck' ? 'Nothing is stuck.' : 'No orders yet.'
}

export default async function AdminOrdersPage({ searchParams }: Props) {
  const page = await adminPage()
  if (page.access !== 'granted') return <AdminGate page={page} />
  const filter = orderFilterSchema.parse(await searchParams)
  const orders = await listOrders(page.ctx.reading, filter)
  const last = orders.length === LEDGER_PAGE ? orders.at(-1) : undefined
  return (
    <AdminLayout
      title="Orders and payments"
      text="An order is stuck if it's still unpaid 45 minutes after checkout began, or if one of its refunds is pending, or failed and isn't the seller's to repeat. “Refund not covered” means that the seller closed their account and hasn't returned the payout. You can still make that refund in Stripe's dashboard, or pay the buyer in another way and record it here."
    >
      <Filters path="/admin/orders">
        <Input
          name="q"
          type="search"
          aria-label="Order ID, Stripe ID or email"
          placeholder="Order ID, Stripe ID or email"
          defaultValue={filter.q}
          className="lg:w-80"
        />
        <FilterSelect name="show" label="State" value={filter.show} options={states} />
      </Filters>
      <FilterChips list="Orders" />
      {orders.length === 0 ? (
        <p className="py-8 text-center text-muted">{nothingText(filter)}</p>
      ) : (
        <StepUpProvider actions={stepUpFor(page.actor)}>
          <AdminOrders orders={orders} onPayByHand={recordHandPaymentAction} onRefundByHand={recordHandRefundAction} />
        </StepUpProvider>
      )}
      {last ? (
        <OlderPageLink
          path="/admin/orders"
          query={{ q: filter.q, show: filter.show }}
          before={`${last.createdAt}~${last.id}`}
        />
      ) : null}
    </AdminLayout>
  )
}
