import 'server-only'
import { type Context, transaction } from '@/lib/infra/context'
import { sha256 } from '@/lib/infra/crypto'
import { uniqueViolation } from '@/lib/infra/database-errors'
import { queueMail } from '@/lib/notifications/queue-mail'
import { emailChangedMail } from './mails'
import { accountError } from './messages'

/**
 * Confirms the address that a link was sent to: the account's current address, or the new one that replaces it. One
 * conditional update uses the link up, so it works once.
 * @returns the address that is now confirmed.
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
      // The link is for an address that the account no longer has.
      if (token.purpose === 'emailConfirm' && user.email !== email) throw accountError('CONFIRM_LINK_INVALID')
      await tx.db.user.update({ where: { id: user.id }, data: { email, emailConfirmedAt: now } })
      if (token.purpose === 'emailChange') {
        // Links sent to the old address would still give access to the account.
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
