import 'server-only'
import { type Context, transaction } from '@/lib/infra/context'
import type { UserActor } from '@/lib/kernel/actor'
import { queueMail } from '@/lib/notifications/queue-mail'
import { issueToken } from './issue-token'
import { confirmEmailMail } from './mails'

/** Queues the email with the link that confirms an account's email address. */
export async function queueConfirmation(tx: Context, user: { id: number; email: string }): Promise<void> {
  const token = await issueToken(tx, { userId: user.id, purpose: 'emailConfirm', email: user.email })
  await queueMail(tx, [confirmEmailMail(user.email, token.secret, tx.appUrl, token.id)])
}

/** Sends the confirmation link again. Does nothing when the address is already confirmed. */
export async function requestEmailConfirmation(ctx: Context<UserActor>): Promise<void> {
  await transaction(ctx, async (tx) => {
    const user = await tx.db.user.findUniqueOrThrow({ where: { id: ctx.actor.userId } })
    if (!user.emailConfirmedAt) await queueConfirmation(tx, user)
  })
}
