import 'server-only'
import { type Context, transaction } from '@/lib/infra/context'
import { queueMail } from '@/lib/notifications/queue-mail'
import { isMailboxFull } from './guards'
import { issueToken } from './issue-token'
import { passwordResetMail } from './mails'
import type { ForgotInput } from './schema'

/**
 * Mails a reset link when the address has an account, and does nothing otherwise. Only the newest link works
 * (docs/product.md#forgotten-passwords-and-usernames). The response is the same either way and is sent before this
 * runs.
 */
export async function requestPasswordReset(ctx: Context, { email }: ForgotInput): Promise<void> {
  const user = await ctx.db.user.findFirst({ where: { email, deletedAt: null } })
  if (!user || (await isMailboxFull(email, 'password'))) return
  await transaction(ctx, async (tx) => {
    const token = await issueToken(tx, { userId: user.id, purpose: 'passwordReset' })
    const link = `${ctx.appUrl}/reset-password?token=${token.secret}`
    await queueMail(tx, [passwordResetMail(user.email, link, token.id)])
  })
}
