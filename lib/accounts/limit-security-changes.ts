import 'server-only'
import type { Context } from '@/lib/infra/context'
import { consume, type RateLimit } from '@/lib/infra/rate-limit'
import type { UserActor } from '@/lib/kernel/actor'
import { platformError } from '@/lib/platform/messages'

/**
 * Each change of a password, an authenticator app or a passkey sends an urgent email to the address of the account,
 * which need not be confirmed. Without a limit, one account could flood another person's mailbox and delay all
 * receipts. The number is ours.
 */
const securityChanges: RateLimit = { name: 'security-changes', points: 10, windowSeconds: 60 * 60 }

/**
 * Counts a change of the account's sign-in that is about to be made.
 * @throws TOO_MANY_REQUESTS after ten changes within an hour
 */
export async function limitSecurityChanges({ actor }: Pick<Context<UserActor>, 'actor'>): Promise<void> {
  const retryAfterSeconds = await consume(securityChanges, String(actor.userId))
  if (retryAfterSeconds !== null) throw platformError('TOO_MANY_REQUESTS', { retryAfterSeconds })
}
