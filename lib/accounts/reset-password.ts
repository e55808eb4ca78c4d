import 'server-only'
import type { Context } from '@/lib/infra/context'
import { sha256 } from '@/lib/infra/crypto'
import { env } from '@/lib/infra/env'
import { hashPassword } from '@/lib/infra/password'
import { isCommonPassword } from './is-common-password'
import { endLinks } from './issue-token'
import { passwordChangedMail } from './mails'
import { accountError } from './messages'
import type { ResetInput } from './schema'

/**
 * Sets a new password with a link from a mail, ends every session and tells the owner. The link is used up by one
 * conditional update, so fifty uses at once are one.
 * @throws RESET_LINK_INVALID, PASSWORD_TOO_COMMON
 */
export async function resetPassword(ctx: Context, input: ResetInput): Promise<void> {
  if (isCommonPassword(input.newPassword)) throw accountError('PASSWORD_TOO_COMMON', { field: 'newPassword' })
  const now = ctx.clock.now()
  const usable = { purpose: 'passwordReset', usedAt: null, expiresAt: { gt: now } } as const
  const token = await ctx.db.token.findFirst({ where: { tokenHash: sha256(input.token), ...usable } })
  if (!token) throw accountError('RESET_LINK_INVALID')
  const passwordHash = await hashPassword(input.newPassword)
  await ctx.db.$transaction(async (tx) => {
    const used = await tx.token.updateMany({ where: { id: token.id, ...usable }, data: { usedAt: now } })
    if (used.count === 0) throw accountError('RESET_LINK_INVALID')
    const user = await tx.user.update({ where: { id: token.userId }, data: { passwordHash } })
    await endLinks(tx, token.userId, now)
    await tx.session.updateMany({ where: { userId: user.id, revokedAt: null }, data: { revokedAt: now } })
    await tx.outboxMail.createMany({ data: [passwordChangedMail(user.email, env().appUrl, token.id)] })
  })
}
