import 'server-only'
import type { Context } from '@/lib/infra/context'
import type { Tx } from '@/lib/infra/db'
import { env } from '@/lib/infra/env'
import type { UserActor } from '@/lib/kernel/actor'
import { issueToken } from './issue-token'
import { confirmEmailMail } from './mails'

/** Queues the mail with the link that confirms an account's address. */
export async function queueConfirmation(tx: Tx, user: { id: number; email: string }, now: Date): Promise<void> {
  const token = await issueToken(tx, { userId: user.id, purpose: 'emailConfirm', email: user.email, now })
  await tx.outboxMail.createMany({ data: [confirmEmailMail(user.email, token.secret, env().appUrl, token.id)] })
}

/** Sends the link once more; nothing happens when the address is confirmed already. */
export async function requestEmailConfirmation(ctx: Context<UserActor>): Promise<void> {
  await ctx.db.$transaction(async (tx) => {
    const user = await tx.user.findUniqueOrThrow({ where: { id: ctx.actor.userId } })
    if (!user.emailConfirmedAt) await queueConfirmation(tx, user, ctx.clock.now())
  })
}
