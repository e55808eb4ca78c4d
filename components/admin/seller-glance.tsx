import { LocalTime } from '@/components/drops/local-time'
import { Badge } from '@/components/ui/badge'
import { Card } from '@/components/ui/card'
import type { SellerGlanceView } from '@/lib/admin/view-seller'
import type { DropState } from '@/lib/drops/rules'
import { formatUsd } from '@/lib/kernel/money'
import { orderStatusText } from '@/lib/orders/messages'
import { payoutStateTexts } from '@/lib/payouts/messages'
import { planLabel } from '@/lib/plans/rules'
import { formatCount } from '@/lib/kernel/format-count'

const stateLabels: Record<DropState, string> = {
  upcoming: 'Scheduled',
  live: 'Active',
  soldOut: 'Sold out',
  paused: 'Paused',
  ended: 'Expired',
}
const reviewLabels = { review: 'In review', refused: 'Not approved' } as const

export function SellerGlance({ user, drops, orders, waitingCents, payoutsState }: SellerGlanceView) {
  return (
    <>
      <Card className="flex flex-wrap items-center gap-x-4 gap-y-2 p-4">
        <span className="font-semibold">
          {user.firstName} {user.lastName}
        </span>
        {/* Without a username, the title of the page is the email address. */}
        {user.username ? (
          <span className="min-w-0 truncate text-muted" title={user.email}>
            {user.email}
          </span>
        ) : null}
        <Badge variant={user.plan === 'pro' ? 'good' : 'secondary'}>{planLabel[user.plan]}</Badge>
        {user.isSuspended ? <Badge variant="destructive">Suspended</Badge> : null}
        <span className="tabular text-sm text-muted">{formatUsd(waitingCents)} waiting for payout</span>
        <span className="text-sm text-muted">Payouts: {payoutStateTexts[payoutsState].label}</span>
        {payoutsState === 'disconnected' ? (
          <p className="w-full text-sm text-bad">
            Stripe no longer knows this seller&apos;s account, or no longer lets us use it. We emailed the seller.
            Nothing is sent until the seller opens Payouts and presses “{payoutStateTexts.disconnected.button}”. That
            creates a new account, and then we send the waiting payouts automatically.
          </p>
        ) : null}
      </Card>
      <section aria-labelledby="glance-drops" className="grid gap-2">
        <h2 id="glance-drops" className="text-xl font-bold">
          Drops
        </h2>
        {drops.length === 0 ? <p className="text-muted">None yet.</p> : null}
        <Card className="overflow-hidden empty:hidden">
          {drops.map((drop) => (
            <p
              key={drop.id}
              className="grid gap-x-4 border-b px-4 py-2.5 text-sm last:border-0 lg:grid-cols-[1fr_8rem_16rem]"
            >
              <a
                href={`/drop/${drop.identifier}`}
                className="-my-2 inline-flex min-h-11 items-center font-semibold hover:underline"
              >
                {drop.title}
              </a>
              <span>{drop.moderation === 'allowed' ? stateLabels[drop.state] : reviewLabels[drop.moderation]}</span>
              <span className="tabular text-muted">
                {drop.isOpenEdition
                  ? `${formatCount(drop.sold)} ordered`
                  : `${formatCount(drop.sold)} of ${formatCount(drop.quantity)} sold`}{' '}
                · {formatCount(drop.views)} {drop.views === 1 ? 'view' : 'views'} · {formatUsd(drop.revenueCents)}
              </span>
            </p>
          ))}
        </Card>
      </section>
      <section aria-labelledby="glance-orders" className="grid gap-2">
        <h2 id="glance-orders" className="text-xl font-bold">
          Latest orders
        </h2>
        {orders.length === 0 ? <p className="text-muted">None yet.</p> : null}
        <Card className="overflow-hidden empty:hidden">
          {orders.map((order) => (
            <p
              key={order.id}
              className="grid gap-x-4 border-b px-4 py-2.5 text-sm last:border-0 lg:grid-cols-[1fr_8rem_16rem]"
            >
              <span className="font-semibold">{order.title}</span>
              <span>{orderStatusText[order.status]}</span>
              <span className="tabular text-muted">
                {formatUsd(order.amountCents)} · <LocalTime iso={order.paidAt} />
              </span>
            </p>
          ))}
        </Card>
      </section>
    </>
  )
}
