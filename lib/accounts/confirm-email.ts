import 'server-only'
import type { Token, TokenPurpose } from '@prisma/client'
import { type Context, transaction } from '@/lib/infra/context'
import { sha256 } from '@/lib/infra/crypto'
import { uniqueViolation } from '@/lib/infra/database-errors'
import { newSecret } from '@/lib/kernel/id'
import { queueMail } from '@/lib/notifications/queue-mail'
import { endLinks, issueToken } from './issue-token'
import { emailChangedMail, passwordResetMail, undoLink } from './mails'
import { accountError } from './messages'

/**
 * Confirms the address that a link was sent to: the account's current address, the new one that replaces it, or
 * the old one to which the account goes back. A new address signs out all other devices. One conditional update uses the
 * link up, so it works once.
 * @returns the address that is now confirmed.
 * @throws CONFIRM_LINK_INVALID, EMAIL_TAKEN
 */
export async function confirmEmail(ctx: Context, input: { token: string }): Promise<string> {
  const now = ctx.clock.now()
  const usable = {
    tokenHash: sha256(input.token),
    purpose: { in: ['emailConfirm', 'emailChange', 'emailUndo'] as TokenPurpose[] },
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
      if (token.purpose === 'emailUndo') {
        await takeAccountBack(tx, { ...token, email })
        return email
      }
      // The link is for an address that the account no longer has.
      if (token.purpose === 'emailConfirm' && user.email !== email) throw accountError('CONFIRM_LINK_INVALID')
      await tx.db.user.update({ where: { id: user.id }, data: { email, emailConfirmedAt: now } })
      if (token.purpose === 'emailChange') {
        // Links sent to the old address would still give access to the account.
        await endLinks(tx, user.id)
        await tx.db.token.updateMany({
          where: { userId: user.id, purpose: 'emailConfirm', usedAt: null },
          data: { usedAt: now },
        })
        await endOtherSessions(tx, user.id)
        const undo = await issueToken(tx, { userId: user.id, purpose: 'emailUndo', email: user.email })
        await queueMail(tx, [emailChangedMail(user.email, email, undoLink(ctx.appUrl, undo.secret), token.id)])
      }
      return email
    })
  } catch (error) {
    if (uniqueViolation(error)) throw accountError('EMAIL_TAKEN', { cause: error })
    throw error
  }
}

/** Signs out every device of the account; the device that sends the request stays signed in if it is one of them. */
async function endOtherSessions(tx: Context, userId: number): Promise<void> {
  const kept = tx.actor.kind === 'user' && tx.actor.userId === userId ? tx.actor.sessionId : ''
  const others = { userId, revokedAt: null, id: { not: kept } }
  await tx.db.session.updateMany({ where: others, data: { revokedAt: tx.clock.now() } })
}

/**
 * Gives the account back to the address it had (ADR 0051). Whoever changed it knew the password or had a session, so both
 * end, and so does a second factor that was set up since; the owner chooses a new password by mail.
 */
async function takeAccountBack(tx: Context, token: Token & { email: string }): Promise<void> {
  const { userId, email, createdAt } = token
  const now = tx.clock.now()
  // No password has this hash.
  const passwordHash = `taken back ${newSecret()}`
  await tx.db.user.update({ where: { id: userId }, data: { email, emailConfirmedAt: now, passwordHash } })
  await tx.db.token.updateMany({ where: { userId, usedAt: null }, data: { usedAt: now } })
  await tx.db.session.updateMany({ where: { userId, revokedAt: null }, data: { revokedAt: now } })
  const since = { userId, confirmedAt: { gte: createdAt } }
  const { count } = await tx.db.totpCredential.deleteMany({ where: since })
  if (count > 0) await tx.db.recoveryCode.deleteMany({ where: { userId } })
  const reset = await issueToken(tx, { userId, purpose: 'passwordReset' })
  await queueMail(tx, [passwordResetMail(email, `${tx.appUrl}/reset-password?token=${reset.secret}`, reset.id)])
}
