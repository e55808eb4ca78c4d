import 'server-only'
import { type Context, transaction } from '@/lib/infra/context'
import { consume, type RateLimit } from '@/lib/infra/rate-limit'
import type { UserActor } from '@/lib/kernel/actor'
import { mailboxOf } from '@/lib/kernel/mailbox-of'
import { queueMail } from '@/lib/notifications/queue-mail'
import { issueToken } from './issue-token'
import { confirmEmailMail } from './mails'

/** Queues the email with the link that confirms an account's email address. */
export async function queueConfirmation(tx: Context, user: { id: number; email: string }): Promise<void> {
  const token = await issueToken(tx, { userId: user.id, purpose: 'emailConfirm', email: user.email })
  await queueMail(tx, [confirmEmailMail(user.email, token.secret, tx.appUrl, token.id)])
}

/** Several accounts may state one mailbox, so the emails that they ask for are counted together. */
const perMailbox: RateLimit = { name: 'confirmation-mail', points: 5, windowSeconds: 3600 }

/**
 * Sends the confirmation link again. Does nothing when the address is already confirmed, or when its mailbox got five
 * of these emails within the last hour.
 */
export async function requestEmailConfirmation(ctx: Context<UserActor>): Promise<void> {
  const user = await ctx.db.user.findUniqueOrThrow({ where: { id: ctx.actor.userId } })
  if (user.emailConfirmedAt || (await consume(perMailbox, mailboxOf(user.email))) !== null) return
  await transaction(ctx, (tx) => queueConfirmation(tx, user))
}
