import 'server-only'
import type { Context } from '@/lib/infra/context'
import { isLeaveKey } from './leave-links'
import { waitlistError } from './messages'
import type { LeaveWaitlistInput } from './schema'

/**
 * Stops emails about this drop. It can be repeated, even for an entry that is gone.
 * @throws LINK_INVALID
 */
export async function leaveWaitlist(ctx: Context, input: LeaveWaitlistInput): Promise<void> {
  if (!isLeaveKey(input.entry, input.key)) throw waitlistError('LINK_INVALID')
  await ctx.db.waitlistEntry.updateMany({
    where: { id: input.entry, unsubscribedAt: null },
    data: { unsubscribedAt: ctx.clock.now() },
  })
}
