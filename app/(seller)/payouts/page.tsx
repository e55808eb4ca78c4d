import type { Metadata } from 'next'
import { SellerCelebrations } from '@/components/dashboard/seller-celebrations'
import { PageTitle } from '@/components/layout/page-title'
import { SellerHeader } from '@/components/layout/seller-header'
import { PayoutLine } from '@/components/payouts/payout-line'
import { PayoutStatus } from '@/components/payouts/payout-status'
import { Button } from '@/components/ui/button'
import { pageContext, requireSeller } from '@/lib/http/page'
import { paymentsMode } from '@/lib/infra/stripe'
import { getPayoutSummary, listPayoutLines } from '@/lib/payouts/queries'
import { consume } from '@/lib/infra/rate-limit'
import { STRIPE_CALL_LIMIT } from '@/lib/infra/stripe-call-limit'
import { refreshPayouts } from '@/lib/payouts/refresh-payouts'

export const metadata: Metadata = { title: 'Payouts' }

const LINES = 100

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> }

export default async function PayoutsPage({ searchParams }: Props) {
  const { actor, user } = await requireSeller('/payouts')
  const ctx = await pageContext()
  const before = await getPayoutSummary(ctx, actor.userId)
  const isBack = (await searchParams).connected !== undefined
  const isDue = isBack || !['notStarted', 'ready'].includes(before.state)
  if (isDue && (await consume(STRIPE_CALL_LIMIT, String(actor.userId))) === null) {
    // The account is read from Stripe when the seller returns from Stripe, and whenever an account was started but
    // is not ready. When Stripe is unavailable, or the seller has looked too often, the page shows the stored state.
    await refreshPayouts(ctx, actor.userId).catch((error: unknown) => {
      ctx.log.warn({ cause: String(error) }, 'payout account not refreshed')
    })
  }
  const [summary, lines] = await Promise.all([
    getPayoutSummary(ctx, actor.userId),
    listPayoutLines(ctx.db, actor.userId, LINES),
  ])
  return (
    <>
      <SellerHeader plan={user.plan} place="payouts" />
      <SellerCelebrations className="max-w-3xl" />
      <main className="mx-auto grid max-w-3xl gap-5 px-5 pb-24">
        <PageTitle>Payouts</PageTitle>
        <PayoutStatus summary={summary} timezone={user.timezone} isSandbox={paymentsMode() === 'sandbox'} />
        <section aria-labelledby="statement-heading" className="grid gap-3">
          <div className="flex flex-wrap items-center justify-between gap-3">
            <h2 id="statement-heading" className="text-2xl font-bold">
              Statement
            </h2>
            {lines.length > 0 ? (
              <Button asChild variant="outline" size="sm">
                <a href="/payouts/statement.csv" download>
                  Download CSV
                </a>
              </Button>
            ) : null}
          </div>
          {lines.length === 0 ? (
            <p className="text-muted">Nothing yet. Every sale appears here with its fees and payout date.</p>
          ) : null}
          {lines.map((line) => (
            <PayoutLine
              key={line.orderId}
              line={line}
              account={summary}
              timezone={user.timezone}
              now={ctx.clock.now()}
            />
          ))}
          {lines.length === LINES ? (
            <p className="text-sm text-muted">These are the newest {LINES}. The CSV has every sale.</p>
          ) : null}
          {lines.length > 0 ? <p className="text-sm text-muted">Allow 2-7 business days for your bank.</p> : null}
        </section>
      </main>
    </>
  )
}
