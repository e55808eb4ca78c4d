import 'server-only'
import { systemContext } from '@/lib/infra/context'
import { isPlatformActive } from '@/lib/platform/queries'
import { notifyOfCanceledStarts, notifyWaitlist } from '@/lib/waitlist/notify-waitlist'
import { offerFreedUnits } from '@/lib/waitlist/offer-freed-units'

/**
 * Offers freed units to the next people on the waitlist, and queues emails about drops that start, return or were
 * canceled. The scheduler calls it every second, and processes without a scheduler call it after writes. It does
 * nothing while the platform is paused.
 */
export async function runWaitlist(): Promise<void> {
  const ctx = systemContext('waitlist')
  if (!(await isPlatformActive(ctx))) return
  await offerFreedUnits(ctx)
  await notifyOfCanceledStarts(ctx)
  await notifyWaitlist(ctx)
}
