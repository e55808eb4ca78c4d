import 'server-only'
import { archiveDrops } from '@/lib/drops/archive-drops'
import { renewDrops } from '@/lib/drops/renew-drops'
import { sweepOrphans } from '@/lib/uploads/sweep-orphans'
import { forgetRequests } from '@/lib/followers/forget-requests'
import { type Context, systemContext } from '@/lib/infra/context'
import { askAboutDelays } from '@/lib/orders/ask-about-delays'
import { closeOpenCheckouts } from '@/lib/orders/close-open-checkouts'
import { forgetOrigins } from '@/lib/orders/forget-origins'
import { nudgeLateShipping } from '@/lib/orders/nudge-late-shipping'
import { refundUnanswered } from '@/lib/orders/refund-late-order'
import { sweepCheckouts } from '@/lib/orders/sweep-checkouts'
import { foldTallies } from '@/lib/platform/fold-tallies'
import { isPlatformActive } from '@/lib/platform/queries'
import { checkReadyAccounts } from '@/lib/payouts/check-ready-accounts'
import { queueRecaps } from '@/lib/payouts/queue-recaps'
import { sweepPayouts } from '@/lib/payouts/sweep-payouts'
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
  const errors: unknown[] = []
  const attempt = <T, Else>(work: () => Promise<T>, otherwise: Else) =>
    work().catch((error: unknown) => {
      errors.push(error)
      ctx.log.error({ cause: String(error) }, 'sweep failed')
      return otherwise
    })
  const step = (work: () => Promise<number>) => attempt(work, 0)
  const done = (work: () => Promise<unknown>) => attempt(work, null)
  const archived = await step(() => archiveDrops(ctx))
  await done(() => queueRecaps(ctx))
  // The value is null when the query fails. Then nothing is renewed, and no checkout is closed.
  const isOpen = await attempt(() => isPlatformActive(ctx), null)
  // Nothing can be bought during a pause, so renewals wait until the pause ends.
  const renewed = isOpen ? await step(() => renewDrops(ctx)) : 0
  // The sweeps below come before those that call Stripe, because Stripe may be unavailable.
  await done(() => sweepOrphans(ctx))
  await done(() => nudgeLateShipping(ctx))
  await done(() => askAboutDelays(ctx))
  await done(() => forgetOrigins(ctx))
  await done(() => forgetWaitingOrigins(ctx))
  await done(() => forgetRequests(ctx))
  await done(() => runDueRetention(ctx))
  // Closes checkouts that began at the moment of the pause.
  const closed = isOpen === false ? await step(() => closeOpenCheckouts(ctx)) : 0
  const reads = await attempt(() => planStripeReads(ctx), { looksForLost: false, readsAccounts: false })
  const released = closed + (await step(() => sweepCheckouts(ctx, { ...reads, handleChanges: receiveLostEvents })))
  await done(() => refundUnanswered(ctx))
  await done(() => checkReadyAccounts(ctx))
  await done(() => sweepPayouts(ctx, reads))
  await done(() => sweepSubscriptions(ctx, reads))
  await done(() => foldTallies(ctx))
  if (errors.length > 0) throw errors[0]
  return { archived, renewed, released }
}
