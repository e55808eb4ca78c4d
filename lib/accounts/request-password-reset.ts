import 'server-only'
import { type Context, transaction } from '@/lib/infra/context'
import { queueMail } from '@/lib/notifications/queue-mail'
import { countForgottenMail } from './guards'
import { issueToken } from './issue-token'
import { passwordResetMail } from './mails'
import type { ForgotInput } from './schema'

/**
 * Emails a reset link when the address belongs to an account. Does nothing when no account has this address, or when
 * the mailbox has already received as many of these emails as it may within an hour. Only the newest link works
 * (docs/product.md#forgotten-passwords-and-usernames). The response is the same in every case and does not wait for
 * this function.
 */
export async function requestPasswordReset(ctx: Context, { email }: ForgotInput): Promise<void> {
  const user = await ctx.db.user.findFirst({ where: { email, deletedAt: null } })
  if (!user || (await countForgottenMail(user, 'password'))) return
  await transaction(ctx, async (tx) => {
    const token = await issueToken(tx, { userId: user.id, purpose: 'passwordReset' })
    const link = `${ctx.appUrl}/reset-password?token=${token.secret}`
    await queueMail(tx, [passwordResetMail(user.email, link, token.id)])
  })
}
