import 'server-only'
import type { Context } from '@/lib/infra/context'
import type { UserActor } from '@/lib/kernel/actor'
import { queueMail } from '@/lib/notifications/queue-mail'
import { twoFactorMail } from './mails'

/**
 * Signs out every other device, because an intruder may be using it, and mails the owner that the second factor
 * changed.
 */
export async function noteTwoFactorChange(tx: Context<UserActor>, state: 'on' | 'off'): Promise<void> {
  const { userId, sessionId } = tx.actor
  const others = { userId, revokedAt: null, id: { not: sessionId } }
  await tx.db.session.updateMany({ where: others, data: { revokedAt: tx.clock.now() } })
  const { email } = await tx.db.user.findUniqueOrThrow({ where: { id: userId } })
  await queueMail(tx, [twoFactorMail(email, state, tx.appUrl, tx.requestId)])
}
