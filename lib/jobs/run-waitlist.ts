import 'server-only'
import { systemContext } from '@/lib/infra/context'
import { isPlatformActive } from '@/lib/platform/queries'
import { notifyWaitlist } from '@/lib/waitlist/notify-waitlist'
import { offerFreedUnits } from '@/lib/waitlist/offer-freed-units'

/** The second's turn of the line: freed units to whoever is next, and word of new runs. Not while the platform is paused. */
export async function runWaitlist(): Promise<void> {
  const ctx = systemContext('waitlist')
  if (!(await isPlatformActive(ctx))) return
  await offerFreedUnits(ctx)
  await notifyWaitlist(ctx)
}
