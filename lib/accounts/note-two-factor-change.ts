import 'server-only'
import type { Context } from '@/lib/infra/context'
import type { Tx } from '@/lib/infra/db'
import { env } from '@/lib/infra/env'
import type { UserActor } from '@/lib/kernel/actor'
import { twoFactorMail } from './mails'

/** Signs every other device out, because it may be somebody else's, and mails the owner that the second factor changed. */
export async function noteTwoFactorChange(ctx: Context<UserActor>, tx: Tx, state: 'on' | 'off'): Promise<void> {
  const { userId, sessionId } = ctx.actor
  const others = { userId, revokedAt: null, id: { not: sessionId } }
  await tx.session.updateMany({ where: others, data: { revokedAt: ctx.clock.now() } })
  const { email } = await tx.user.findUniqueOrThrow({ where: { id: userId } })
  await tx.outboxMail.createMany({ data: [twoFactorMail(email, state, env().appUrl, ctx.requestId)] })
}
