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
import { sweepSubscriptions } from '@/lib/subscriptions/sweep-subscriptions'

export type ArchiveReport = { archived: number; renewed: number; released: number }

/** The minute's tidying, from the scheduler or from /api/cron/archive; may run at once in several processes. */
export async function runArchive(ctx: Context = systemContext('archive')): Promise<ArchiveReport> {
  const archived = await archiveDrops(ctx)
  const isOpen = await isPlatformActive(ctx)
  // Nobody could buy from a run that is renewed into a pause: it waits for the end of it.
  const renewed = isOpen ? await renewDrops(ctx) : 0
  // Before Stripe is asked for anything: it may be away.
  await sweepOrphans(ctx)
  await nudgeLateShipping(ctx)
  // A checkout that began in the moment of the pause.
  const closed = isOpen ? 0 : await closeOpenCheckouts(ctx)
  const released = closed + (await sweepCheckouts(ctx))
  await sweepPayouts(ctx)
  await sweepSubscriptions(ctx)
  await foldTallies(ctx)
  return { archived, renewed, released }
}
