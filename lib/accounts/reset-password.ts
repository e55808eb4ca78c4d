import 'server-only'
import { type Context, transaction } from '@/lib/infra/context'
import { sha256 } from '@/lib/infra/crypto'
import { hashPassword } from '@/lib/infra/password'
import { queueMail } from '@/lib/notifications/queue-mail'
import { endSessions } from './end-sessions'
import { assertStrongForAdmin } from './guards'
import { isCommonPassword } from './is-common-password'
import { endLinks } from './issue-token'
import { lockUser } from './lock-user'
import { clearFailedLogins } from './log-in'
import { passwordChangedMail } from './mails'
import { accountError } from './messages'
import type { ResetInput } from './schema'

/**
 * Sets a new password with a link from an email. Ends every session and the other links that reset the password or
 * change the email address, notifies the owner, and resets the counts of failed logins. Links that confirm an address
 * keep working. So do links that give the account back, because a thief who owns the new mailbox could otherwise end
 * them with a reset. One conditional update marks the link as used, so it works only once, even when several requests
 * use it at the same moment.
 * @throws RESET_LINK_INVALID, PASSWORD_TOO_COMMON, WEAK_ADMIN_PASSWORD
 */
export async function resetPassword(ctx: Context, input: ResetInput): Promise<void> {
  if (isCommonPassword(input.newPassword)) throw accountError('PASSWORD_TOO_COMMON', { field: 'newPassword' })
  const now = ctx.clock.now()
  const usable = { purpose: 'passwordReset', usedAt: null, expiresAt: { gt: now } } as const
  const token = await ctx.db.token.findFirst({
    where: { tokenHash: sha256(input.token), ...usable },
    include: { user: true },
  })
  if (!token) throw accountError('RESET_LINK_INVALID')
  assertStrongForAdmin(ctx, token.user, { password: input.newPassword, field: 'newPassword' })
  const passwordHash = await hashPassword(input.newPassword)
  const owner = await transaction(ctx, async (tx) => {
    // Changes that end links lock the account before the links, so an opposite order would deadlock.
    await lockUser(tx, token.userId)
    const used = await tx.db.token.updateMany({ where: { id: token.id, ...usable }, data: { usedAt: now } })
    if (used.count === 0) throw accountError('RESET_LINK_INVALID')
    const user = await tx.db.user.update({ where: { id: token.userId }, data: { passwordHash } })
    await endLinks(tx, token.userId)
    await endSessions(tx, user.id)
    const mail = { key: token.id, signedOut: 'every device' } as const
    await queueMail(tx, [passwordChangedMail(user.email, ctx.appUrl, mail)])
    return user
  })
  await clearFailedLogins(ctx, owner)
}
