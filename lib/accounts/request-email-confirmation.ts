import 'server-only'
import { type Context, transaction } from '@/lib/infra/context'
import { consume, giveBack, type RateLimit } from '@/lib/infra/rate-limit'
import type { UserActor } from '@/lib/kernel/actor'
import { mailboxOf } from '@/lib/kernel/mailbox-of'
import { queueMail } from '@/lib/notifications/queue-mail'
import { platformError } from '@/lib/platform/messages'
import { issueToken } from './issue-token'
import { confirmEmailMail } from './mails'

/** Queues the email with the link that confirms an account's email address. */
export async function queueConfirmation(tx: Context, user: { id: number; email: string }): Promise<void> {
  const token = await issueToken(tx, { userId: user.id, purpose: 'emailConfirm', email: user.email })
  await queueMail(tx, [confirmEmailMail(user.email, token.secret, tx.appUrl, token.id)])
}

/**
 * Several accounts may use addresses of one mailbox, so all confirmation emails to a mailbox are counted together,
 * including those of sign-ups. Otherwise someone could fill a stranger's mailbox by signing up with many of its
 * addresses.
 */
const perMailbox: RateLimit = { name: 'confirmation-mail', points: 5, windowSeconds: 3600 }

/**
 * Counts one more of these emails to a mailbox.
 * @returns null when it may be sent, otherwise the seconds until the mailbox may get the next one
 */
export function countConfirmation(email: string): Promise<number | null> {
  return consume(perMailbox, mailboxOf(email))
}

/** Subtracts an email that was counted and not sent. */
export function giveBackConfirmation(email: string): Promise<void> {
  return giveBack(perMailbox, mailboxOf(email))
}

/**
 * Sends the confirmation link again. Does nothing when the address is already confirmed.
 * @throws TOO_MANY_REQUESTS when the mailbox got five of these emails within the last hour
 */
export async function requestEmailConfirmation(ctx: Context<UserActor>): Promise<void> {
  const user = await ctx.db.user.findUniqueOrThrow({ where: { id: ctx.actor.userId } })
  if (user.emailConfirmedAt) return
  const retryAfterSeconds = await countConfirmation(user.email)
  if (retryAfterSeconds !== null) throw platformError('TOO_MANY_REQUESTS', { retryAfterSeconds })
  await transaction(ctx, (tx) => queueConfirmation(tx, user))
}
