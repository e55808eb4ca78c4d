import 'server-only'
import { archiveDrops } from '@/lib/drops/archive-drops'
import { renewDrops } from '@/lib/drops/renew-drops'
import { sweepOrphans } from '@/lib/drops/sweep-orphans'
import { type Context, systemContext } from '@/lib/infra/context'
import { closeOpenCheckouts } from '@/lib/orders/close-open-checkouts'
import { nudgeLateShipping } from '@/lib/orders/nudge-late-shipping'
import { sweepCheckouts } from '@/lib/orders/sweep-checkouts'
import { foldTallies } from '@/lib/platform/fold-tallies'
import { isPlatformActive } from '@/lib/platform/queries'
import { sweepPayouts } from '@/lib/payouts/sweep-payouts'
import { planStripeReads } from './plan-stripe-reads'
import { sweepSubscriptions } from '@/lib/subscriptions/sweep-subscriptions'

export type ArchiveReport = { archived: number; renewed: number; released: number }

/** Runs all sweeps, for the scheduler or /api/cron/archive; several processes may run it at once. */
export async function runArchive(ctx: Context = systemContext('archive')): Promise<ArchiveReport> {
  const archived = await archiveDrops(ctx)
  const isOpen = await isPlatformActive(ctx)
  // A run that is renewed during a pause could not be bought, so renewals wait until the pause ends.
  const renewed = isOpen ? await renewDrops(ctx) : 0
  // Runs before the sweeps that call Stripe, which may be unavailable.
  await sweepOrphans(ctx)
  await nudgeLateShipping(ctx)
  // Closes checkouts that began at the moment of the pause.
  const closed = isOpen ? 0 : await closeOpenCheckouts(ctx)
  const reads = await planStripeReads(ctx)
  const released = closed + (await sweepCheckouts(ctx, reads))
  await sweepPayouts(ctx, reads)
  await sweepSubscriptions(ctx, reads)
  await foldTallies(ctx)
  return { archived, renewed, released }
}
