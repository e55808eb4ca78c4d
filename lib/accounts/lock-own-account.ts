import 'server-only'
import type { Context } from '@/lib/infra/context'
import type { UserActor } from '@/lib/kernel/actor'
import { platformError } from '@/lib/platform/messages'
import { lockUser } from './lock-user'

/**
 * Locks the account of the user who makes a change, until the caller's transaction ends, and refuses the change if the
 * session was signed out or the account was closed since the request began. Otherwise a thief's change that waits for
 * the lock, for Stripe or for the check of a password would be made after the owner has signed the thief out or has
 * taken the account back. Such an action of the owner that comes later waits for the transaction, and therefore finds
 * what it has made.
 * @throws NOT_SIGNED_IN
 */
export async function lockOwnAccount(tx: Context<UserActor>): Promise<void> {
  await lockUser(tx, tx.actor.userId)
  await assertStillSignedIn(tx, tx.actor)
}

/**
 * Checks again that the user is signed in. Call it with the user's row locked. A session without a row is not refused:
 * it belonged to a closed account, or was the oldest of more than a hundred.
 * @throws NOT_SIGNED_IN
 */
export async function assertStillSignedIn(
  { sql }: Pick<Context, 'sql'>,
  { userId, sessionId }: Pick<UserActor, 'userId' | 'sessionId'>,
): Promise<void> {
  const signedIn = await sql(
    'is-still-signed-in',
    `SELECT 1 FROM "User" u WHERE u."id" = :userId AND u."deletedAt" IS NULL
        AND NOT EXISTS (SELECT FROM "Session" s WHERE s."id" = :sessionId AND s."revokedAt" IS NOT NULL)`,
    { userId, sessionId },
  )
  if (signedIn.length === 0) throw platformError('NOT_SIGNED_IN')
}
