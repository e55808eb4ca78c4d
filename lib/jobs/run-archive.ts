import 'server-only'
import { archiveDrops } from '@/lib/drops/archive-drops'
import { renewDrops } from '@/lib/drops/renew-drops'
import { sweepOrphans } from '@/lib/uploads/sweep-orphans'
import { type Context, systemContext } from '@/lib/infra/context'
import { askAboutDelays } from '@/lib/shipping/ask-about-delays'
import { closeOpenCheckouts } from '@/lib/checkout/close-open-checkouts'
import { forgetOrigins } from '@/lib/checkout/hold/forget-origins'
import { nudgeLateShipping } from '@/lib/shipping/nudge-late-shipping'
import { followLateTransfers } from '@/lib/refunds/follow-late-transfers'
import { refundUnanswered } from '@/lib/refunds/refund-late-order'
import { sweepCheckouts } from '@/lib/checkout/sweep-checkouts'
import { foldTallies } from '@/lib/platform/fold-tallies'
import { isPlatformActive } from '@/lib/platform/queries'
import { checkReadyAccounts } from '@/lib/payouts/check-ready-accounts'
import { queueRecaps } from '@/lib/payouts/queue-recaps'
import { sweepPayouts } from '@/lib/payouts/sweep-payouts'
import { collectErrors } from './collect-errors'
import { planStripeReads } from './plan-stripe-reads'
import { runDueRetention } from './run-retention'
import { sweepSubscriptions } from '@/lib/subscriptions/sweep-subscriptions'
import { receiveLostEvents } from '@/lib/webhooks/receive-lost-events'
import { forgetWaitingOrigins } from '@/lib/waitlist/forget-waiting-origins'

export type ArchiveReport = { archived: number; renewed: number; released: number }

/**
 * Runs the sweeps of the job `archive`, for the scheduler and for runDueWork(). Several processes may run it at the
 * same time. Each sweep runs even if an earlier sweep fails.
 * @throws the first error, after every sweep has run.
 */
export async function runArchive(ctx: Context = systemContext('archive')): Promise<ArchiveReport> {
  const { attempt, throwFirst } = collectErrors((error) => {
    ctx.log.error({ cause: String(error) }, 'sweep failed')
  })
  const count = async (work: () => Promise<number>) => (await attempt(work)) ?? 0
  const archived = await count(() => archiveDrops(ctx))
  await attempt(() => queueRecaps(ctx))
  // The value is undefined when the query fails. Then nothing is renewed, and no checkout is closed.
  const isOpen = await attempt(() => isPlatformActive(ctx))
  // Nothing can be bought during a pause, so renewals wait until the pause ends.
  const renewed = isOpen ? await count(() => renewDrops(ctx)) : 0
  // The sweeps below come before those that call Stripe, because Stripe may be unavailable.
  await attempt(() => sweepOrphans(ctx))
  await attempt(() => nudgeLateShipping(ctx))
  await attempt(() => askAboutDelays(ctx))
  await attempt(() => forgetOrigins(ctx))
  await attempt(() => forgetWaitingOrigins(ctx))
  await attempt(() => runDueRetention(ctx))
  // Closes checkouts that began at the moment of the pause.
  const closed = isOpen === false ? await count(() => closeOpenCheckouts(ctx)) : 0
  const reads = (await attempt(() => planStripeReads(ctx))) ?? { looksForLost: false, readsAccounts: false }
  const released = closed + (await count(() => sweepCheckouts(ctx, { ...reads, handleChanges: receiveLostEvents })))
  await attempt(() => refundUnanswered(ctx))
  await attempt(() => checkReadyAccounts(ctx))
  await attempt(() => sweepPayouts(ctx, reads))
  await attempt(() => followLateTransfers(ctx))
  await attempt(() => sweepSubscriptions(ctx, reads))
  await attempt(() => foldTallies(ctx))
  throwFirst()
  return { archived, renewed, released }
}
