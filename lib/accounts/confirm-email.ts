import 'server-only'
import type { Token, TokenPurpose } from '@prisma/client'
import { type Context, transaction } from '@/lib/infra/context'
import { sha256 } from '@/lib/infra/crypto'
import { uniqueViolation } from '@/lib/infra/database-errors'
import { newSecret } from '@/lib/kernel/id'
import { queueMail } from '@/lib/notifications/queue-mail'
import { endSessions } from './end-sessions'
import { isReservedByUndoLink } from './is-reserved-by-undo-link'
import { endLinks, issueToken, issueUndo } from './issue-token'
import { lockUser } from './lock-user'
import { emailChangedMail, passwordResetMail, undoLink } from './mails'
import { accountError } from './messages'
import { removeNewPayoutAccount } from './remove-new-payout-account'

/**
 * Confirms the email address to which a link was sent: the account's current address, a new one that replaces it, or
 * an old one that the account gets back. Confirming a new address signs out all other devices. One conditional update
 * marks the link as used, so the link works once.
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
      const found = await tx.db.token.findFirst({ where: usable, select: { userId: true } })
      if (!found) throw accountError('CONFIRM_LINK_INVALID')
      // Changes that end links lock the account before the links, so an opposite order would deadlock.
      await lockUser(tx, found.userId)
      const token = await tx.db.token.findFirst({ where: usable, include: { user: true } })
      if (!token?.email) throw accountError('CONFIRM_LINK_INVALID')
      const used = await tx.db.token.updateMany({ where: { id: token.id, usedAt: null }, data: { usedAt: now } })
      if (used.count === 0) throw accountError('CONFIRM_LINK_INVALID')
      const { user, email } = token
      if (token.purpose === 'emailUndo') {
        await takeAccountBack(tx, { ...token, email })
        return email
      }
      // The account's address has changed since the link was sent.
      if (token.purpose === 'emailConfirm' && user.email !== email) throw accountError('CONFIRM_LINK_INVALID')
      if (await isReservedByUndoLink(tx, email, user.id)) throw accountError('EMAIL_TAKEN')
      await tx.db.user.update({ where: { id: user.id }, data: { email, emailConfirmedAt: now } })
      if (token.purpose === 'emailChange') {
        // Otherwise a reset link sent to the old address would still give access to the account.
        await endLinks(tx, user.id)
        await tx.db.token.updateMany({
          where: { userId: user.id, purpose: 'emailConfirm', usedAt: null },
          data: { usedAt: now },
        })
        await endSessions(tx, user.id, { except: ownSession(tx, user.id) })
        const undo = await issueUndo(tx, user)
        await queueMail(tx, [emailChangedMail(user.email, email, undoLink(ctx.appUrl, undo.secret), token.id)])
      }
      return email
    })
  } catch (error) {
    if (uniqueViolation(error)) throw accountError('EMAIL_TAKEN', { cause: error })
    throw error
  }
}

/** Returns the session that sends the request, if it is one of this account. */
function ownSession({ actor }: Context, userId: number): string | undefined {
  return actor.kind === 'user' && actor.userId === userId ? actor.sessionId : undefined
}

/**
 * Gives the account back to the email address that got the link (ADR 0051, ADR 0062). An intruder who changed the
 * address, changed the authenticator app, added a passkey or connected payouts knew the password or had a session.
 * Therefore the password, the recovery codes, all sessions and all newer links become invalid. An authenticator app,
 * passkeys and a Stripe account that were set up after the link was sent are removed. The owner gets a link to choose a
 * new password.
 */
async function takeAccountBack(tx: Context, token: Token & { email: string }): Promise<void> {
  const { userId, email, createdAt } = token
  const now = tx.clock.now()
  // No password has this hash.
  const passwordHash = `taken back ${newSecret()}`
  const user = await tx.db.user.update({
    where: { id: userId },
    data: { email, emailConfirmedAt: now, passwordHash },
  })
  await removeNewPayoutAccount(tx, user, createdAt)
  // Older links that give the account back stay usable. Otherwise a thief who receives such a link at a new address
  // could use it, and so end the links that the owner received before.
  const olderUndo = { purpose: 'emailUndo', createdAt: { lt: createdAt } } as const
  await tx.db.token.updateMany({ where: { userId, usedAt: null, NOT: olderUndo }, data: { usedAt: now } })
  await endSessions(tx, userId)
  const since = { userId, confirmedAt: { gte: createdAt } }
  await tx.db.totpCredential.deleteMany({ where: since })
  await tx.db.passkey.deleteMany({ where: { userId, createdAt: { gte: createdAt } } })
  // The thief may have renewed the codes of an app that stays. The owner can renew them again.
  await tx.db.recoveryCode.deleteMany({ where: { userId } })
  const reset = await issueToken(tx, { userId, purpose: 'passwordReset' })
  await queueMail(tx, [passwordResetMail(email, `${tx.appUrl}/reset-password?token=${reset.secret}`, reset.id)])
}
