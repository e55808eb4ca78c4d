import 'server-only'
import { type Context, sqlTransaction } from '@/lib/infra/context'
import { followerOfKeySql } from '@/lib/notifications/notice-key'
import { recallMails } from '@/lib/notifications/recall-mails'
import { refusedOptIns } from '@/lib/notifications/refused-opt-ins'
import { isUnfollowKey } from './unfollow-links'
import { followerError } from './messages'
import type { LeaveSellerInput } from './schema'

/**
 * Stops the emails about a seller's drops and deletes the address. Queued emails are no longer sent. The job that
 * queues emails locks the follower's row, so no email is queued afterwards. A person who never confirmed gets no other
 * email that asks about this seller. The call can be repeated.
 * @throws STOP_LINK_INVALID
 */
export async function leaveSeller(ctx: Context, { follower, key }: LeaveSellerInput): Promise<void> {
  if (!isUnfollowKey(follower, key)) throw followerError('STOP_LINK_INVALID')
  const [asked] = await ctx.sql<{ sellerId: number; mailbox: string }>(
    'unconfirmed-follower',
    'SELECT "sellerId", "mailbox" FROM "Follower" WHERE "id" = :follower AND "confirmedAt" IS NULL',
    { follower },
  )
  if (asked) await refusedOptIns.add({ name: 'follow-seller', id: asked.sellerId }, asked.mailbox)
  await sqlTransaction(ctx, async (tx) => {
    await tx.sql('leave-seller', 'DELETE FROM "Follower" WHERE "id" = :follower', { follower })
    const mails = await tx.sql<{ id: number }>(
      'mails-of-follower',
      `SELECT "id" FROM "OutboxMail" WHERE "noticeId" IS NOT NULL AND "sentAt" IS NULL
          AND ${followerOfKeySql} = :follower::text`,
      { follower },
    )
    await recallMails(
      tx,
      mails.map(({ id }) => id),
    )
  })
}
