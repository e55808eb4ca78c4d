import type { ReactNode } from 'react'
import { LocalTime } from '@/components/drops/local-time'
import { Badge } from '@/components/ui/badge'
import { Card } from '@/components/ui/card'
import { healthText } from '@/lib/admin/messages'
import { countTroubles } from '@/lib/admin/rules'
import type { OverviewView } from '@/lib/admin/view'
import { formatUsd } from '@/lib/kernel/money'

const adminPages = [
  { href: '/admin/reviews', label: 'Review queue', text: 'Held and reported drops, appeals' },
  { href: '/admin/orders', label: 'Orders and payments', text: 'All orders, refunds and stuck payments' },
  { href: '/admin/events', label: 'Webhook events', text: 'Events from Stripe, open and orphaned' },
  { href: '/admin/audit', label: 'Audit log', text: 'Who did what, and when' },
] as const

/**
 * Shows the Dashboard tab with an introduction, the health of the platform, its money, and links to the other admin
 * pages (docs/product.md#admin-panel).
 */
export function Overview({ overview }: { overview: OverviewView }) {
  const troubles = countTroubles(overview)
  return (
    <div className="grid gap-4">
      <Card className="grid gap-1 p-5">
        <h2 className="text-xl font-bold">Platform Overview</h2>
        <p className="text-muted">Find the platform&apos;s users, drops and settings in the tabs above.</p>
      </Card>
      <div className="grid gap-4 lg:grid-cols-2">
        <Card className="grid content-start gap-3 p-5">
          <h3 id="health" className="flex scroll-mt-4 items-center justify-between gap-3 text-lg font-bold">
            Health
            <Badge variant={troubles === 0 ? 'good' : 'warn'}>{healthText(troubles)}</Badge>
          </h3>
          <dl className="tabular grid gap-1.5 text-sm">
            <Line label="Database responds in">{overview.databaseMs} ms</Line>
            <Line label="Webhook events open" isBad={overview.openEvents > 0}>
              {overview.openEvents}
              {overview.oldestOpenEventAt ? (
                <>
                  {' since '}
                  <LocalTime iso={overview.oldestOpenEventAt} />
                </>
              ) : null}
            </Line>
            <Line label="Emails waiting">{overview.mailWaiting}</Line>
            <Line label="Failed emails" isBad={overview.mailFailing > 0}>
              {overview.mailFailing}
            </Line>
            <Line label="Overdue holds" isBad={overview.overdueHolds > 0}>
              {overview.overdueHolds}
            </Line>
            <Line label="Pending or failed refunds" isBad={overview.openRefunds > 0}>
              {overview.openRefunds}
            </Line>
            <Line label="Sellers who must connect payouts again" isBad={overview.disconnectedSellers > 0}>
              {overview.disconnectedSellers}
            </Line>
            <Line label="Payouts waiting in another currency" isBad={overview.payoutsInOtherCurrency > 0}>
              {overview.payoutsInOtherCurrency}
            </Line>
            <Line label="Blocked by the Content Security Policy, last 7 days">
              {overview.policyReports}
              {overview.newestPolicyReport ? `, last ${overview.newestPolicyReport}` : null}
            </Line>
            <Line label="Drops and profiles to review">{overview.openReviews}</Line>
          </dl>
        </Card>
        <Card className="grid content-start gap-3 p-5">
          <h3 className="text-lg font-bold">Money</h3>
          <dl className="tabular grid gap-1.5 text-sm">
            <Line label="Today">
              {formatUsd(overview.amountTodayCents)} in {overview.paidToday}{' '}
              {overview.paidToday === 1 ? 'order' : 'orders'}
            </Line>
            <Line label="Last 7 days">
              {formatUsd(overview.amountWeekCents)} in {overview.paidWeek}{' '}
              {overview.paidWeek === 1 ? 'order' : 'orders'}
            </Line>
            <Line label="Our fees, last 7 days">{formatUsd(overview.feeWeekCents)}</Line>
            <Line label="Refunds, last 7 days">{formatUsd(overview.refundedWeekCents)}</Line>
            <Line label="Pending payouts">{formatUsd(overview.waitingPayoutCents)}</Line>
            <Line label="Owed by sellers">{formatUsd(overview.sellerDebtCents)}</Line>
          </dl>
        </Card>
      </div>
      <nav aria-label="More admin pages" className="grid gap-3 sm:grid-cols-2 lg:grid-cols-4">
        {adminPages.map(({ href, label, text }) => (
          <a key={href} href={href} className="group">
            <Card className="grid h-full gap-1 p-4 transition-colors group-hover:border-control">
              <span className="font-semibold">{label}</span>
              <span className="text-sm text-muted">{text}</span>
            </Card>
          </a>
        ))}
      </nav>
    </div>
  )
}

function Line({ label, isBad = false, children }: { label: string; isBad?: boolean; children: ReactNode }) {
  return (
    <div className="flex justify-between gap-4">
      <dt className="text-muted">{label}</dt>
      <dd className={isBad ? 'text-end font-bold text-warn' : 'text-end font-semibold'}>{children}</dd>
    </div>
  )
}
