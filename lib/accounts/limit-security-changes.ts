import 'server-only'
import type { Context } from '@/lib/infra/context'
import { consume, giveBack, type RateLimit } from '@/lib/infra/rate-limit'
import type { UserActor } from '@/lib/kernel/actor'
import { mailboxOf } from '@/lib/kernel/mailbox-of'
import { platformError } from '@/lib/platform/messages'

/**
 * Each change of a password, an authenticator app, a passkey or the recovery codes sends an urgent email to the address
 * of the account, which need not be confirmed. Without a limit, someone could flood another person's mailbox and delay
 * all receipts. We chose the number.
 */
const securityChanges: RateLimit = { name: 'security-changes', points: 10, windowSeconds: 60 * 60 }

/**
 * Counts and makes a change of the account's sign-in. One that fails does not count, because it sends no email.
 * Accounts that have not confirmed their address count together by mailbox, as in noteNewLogin().
 * @throws TOO_MANY_REQUESTS after ten changes within an hour, and what `change` throws
 */
export async function limitSecurityChanges<Result>(
  { actor, db }: Pick<Context<UserActor>, 'actor' | 'db'>,
  change: () => Promise<Result>,
): Promise<Result> {
  const { email, emailConfirmedAt } = await db.user.findUniqueOrThrow({ where: { id: actor.userId } })
  const key = emailConfirmedAt === null ? mailboxOf(email) : String(actor.userId)
  const retryAfterSeconds = await consume(securityChanges, key)
  if (retryAfterSeconds !== null) throw platformError('TOO_MANY_REQUESTS', { retryAfterSeconds })
  try {
    return await change()
  } catch (error) {
    await giveBack(securityChanges, key)
    throw error
  }
}
