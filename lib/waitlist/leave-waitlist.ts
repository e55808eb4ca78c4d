import 'server-only'
import { type Context, transaction } from '@/lib/infra/context'
import { recallWaitlistMails } from '@/lib/notifications/recall-waitlist-mails'
import { refusedOptIns } from '@/lib/notifications/refused-opt-ins'
import { isLeaveKey } from './leave-links'
import { waitlistError } from './messages'
import type { LeaveWaitlistInput } from './schema'

/**
 * Stops emails about this drop, including those that are queued: a reminder of its start, and news of a canceled start
 * or of a relaunch. A person who never confirmed gets no other email that asks about this drop. The call can be
 * repeated, even if the entry has been deleted.
 * @throws STOP_LINK_INVALID
 */
export async function leaveWaitlist(ctx: Context, input: LeaveWaitlistInput): Promise<void> {
  if (!isLeaveKey(input.entry, input.key)) throw waitlistError('STOP_LINK_INVALID')
  const entry = await ctx.db.waitlistEntry.findUnique({
    where: { id: input.entry, confirmedAt: null },
    select: { dropId: true, mailbox: true },
  })
  if (entry?.mailbox) await refusedOptIns.add({ name: 'waitlist-drop', id: entry.dropId }, entry.mailbox)
  await transaction(ctx, async (tx) => {
    await tx.db.waitlistEntry.updateMany({
      where: { id: input.entry, unsubscribedAt: null },
      data: { unsubscribedAt: ctx.clock.now() },
    })
    await recallWaitlistMails(tx, input.entry)
  })
}
