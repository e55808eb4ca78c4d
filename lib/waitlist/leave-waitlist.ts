import 'server-only'
import { type Context, transaction } from '@/lib/infra/context'
import { recallStartMails } from '@/lib/notifications/recall-start-mails'
import { isLeaveKey } from './leave-links'
import { waitlistError } from './messages'
import type { LeaveWaitlistInput } from './schema'

/**
 * Stops emails about this drop, also a reminder of its start that is queued. It can be repeated, even for an entry that is gone.
 * @throws LINK_INVALID
 */
export async function leaveWaitlist(ctx: Context, input: LeaveWaitlistInput): Promise<void> {
  if (!isLeaveKey(input.entry, input.key)) throw waitlistError('LINK_INVALID')
  await transaction(ctx, async (tx) => {
    await tx.db.waitlistEntry.updateMany({
      where: { id: input.entry, unsubscribedAt: null },
      data: { unsubscribedAt: ctx.clock.now() },
    })
    await recallStartMails(tx, { entryId: input.entry })
  })
}
