import 'server-only'
import { type Context, transaction } from '@/lib/infra/context'
import { sha256 } from '@/lib/infra/crypto'
import { uniqueViolation } from '@/lib/infra/database-errors'
import { queueMail } from '@/lib/notifications/queue-mail'
import { emailChangedMail } from './mails'
import { accountError } from './messages'

/**
 * Confirms the address a link was sent to: the account's own, or the new one it asked for, which takes the old one's
 * place. Used up by one conditional update.
 * @returns the address that is confirmed now.
 * @throws CONFIRM_LINK_INVALID, EMAIL_TAKEN
 */
export async function confirmEmail(ctx: Context, input: { token: string }): Promise<string> {
  const now = ctx.clock.now()
  const usable = {
    tokenHash: sha256(input.token),
    purpose: { in: ['emailConfirm', 'emailChange'] as ('emailConfirm' | 'emailChange')[] },
    usedAt: null,
    expiresAt: { gt: now },
    user: { deletedAt: null },
  }
  try {
    return await transaction(ctx, async (tx) => {
      const token = await tx.db.token.findFirst({ where: usable, include: { user: true } })
      if (!token?.email) throw accountError('CONFIRM_LINK_INVALID')
      const used = await tx.db.token.updateMany({ where: { id: token.id, usedAt: null }, data: { usedAt: now } })
      if (used.count === 0) throw accountError('CONFIRM_LINK_INVALID')
      const { user, email } = token
      // A link for an address the account no longer has confirms nothing.
      if (token.purpose === 'emailConfirm' && user.email !== email) throw accountError('CONFIRM_LINK_INVALID')
      await tx.db.user.update({ where: { id: user.id }, data: { email, emailConfirmedAt: now } })
      if (token.purpose === 'emailChange') {
        // Links sent to the old address would still open the account from there.
        await tx.db.token.updateMany({ where: { userId: user.id, usedAt: null }, data: { usedAt: now } })
        await queueMail(tx, [emailChangedMail(user.email, email, ctx.appUrl, token.id)])
      }
      return email
    })
  } catch (error) {
    if (uniqueViolation(error)) throw accountError('EMAIL_TAKEN', { cause: error })
    throw error
  }
}
