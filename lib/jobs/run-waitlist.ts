import 'server-only'
import { systemContext } from '@/lib/infra/context'
import { isPlatformActive } from '@/lib/platform/queries'
import { recallMailsOfPause } from '@/lib/notifications/recall-mails-of-pause'
import { notifyOfCanceledStarts, notifyWaitlist } from '@/lib/waitlist/notify-waitlist'
import { offerFreedUnits } from '@/lib/waitlist/offer-freed-units'
import { collectErrors } from './collect-errors'

/**
 * Offers freed units to the next people on the waitlist, and queues emails about drops that start, return or were
 * canceled. The scheduler calls it every second, and processes without a scheduler call it after writes. While
 * the platform is paused, it only removes such emails that are queued. A step that fails does not stop the others.
 * @throws the first error, after every step has run
 */
export async function runWaitlist(): Promise<void> {
  const ctx = systemContext('waitlist')
  if (!(await isPlatformActive(ctx))) return void (await recallMailsOfPause(ctx))
  const { attempt, throwFirst } = collectErrors()
  await attempt(() => offerFreedUnits(ctx))
  await attempt(() => notifyOfCanceledStarts(ctx))
  await attempt(() => notifyWaitlist(ctx))
  throwFirst()
}
