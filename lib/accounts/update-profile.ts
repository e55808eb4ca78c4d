import 'server-only'
import type { User } from '@prisma/client'
import { type Context, transaction } from '@/lib/infra/context'
import { consume, type RateLimit } from '@/lib/infra/rate-limit'
import type { UserActor } from '@/lib/kernel/actor'
import { mailboxOf } from '@/lib/kernel/mailbox-of'
import { queueMail } from '@/lib/notifications/queue-mail'
import { platformError } from '@/lib/platform/messages'
import { assertOwner } from './guards'
import { isReservedByUndoLink } from './is-reserved-by-undo-link'
import { issueToken, issueUndo } from './issue-token'
import { emailChangeMail, emailChangeNoticeMail, undoLink } from './mails'
import { accountError } from './messages'
import type { ProfileInput } from './schema'

/** Each change of address sends an email to an address that the user typed, so the number of changes is limited. */
const emailChanges: RateLimit = { name: 'email-change', points: 5, windowSeconds: 3600 }

/**
 * Changes names right away. A new email address takes effect only when its owner follows the link that is emailed to
 * it. Until then the old address stays in use. An email to the old address announces the change and contains a link
 * that gives the account back to the owner of that address.
 * @throws PROOF_REQUIRED, WRONG_PASSWORD, EMAIL_TAKEN, TOO_MANY_REQUESTS
 */
export async function updateProfile(ctx: Context<UserActor>, input: ProfileInput): Promise<User> {
  const { userId } = ctx.actor
  const { email, password, ...names } = input
  const user = await ctx.db.user.findUniqueOrThrow({ where: { id: userId } })
  const newEmail = email === undefined || email === user.email ? null : email
  if (newEmail) {
    await assertOwner(ctx, password)
    // An address that is typed in several accounts gets no more emails than one that is typed in one account.
    const counts = [String(userId), `to ${mailboxOf(newEmail)}`]
    for (const key of counts) {
      const retryAfterSeconds = await consume(emailChanges, key)
      if (retryAfterSeconds !== null) throw platformError('TOO_MANY_REQUESTS', { retryAfterSeconds, field: 'email' })
    }
    const isTaken = await ctx.db.user.findFirst({ where: { email: newEmail }, select: { id: true } })
    if (isTaken || (await isReservedByUndoLink(ctx, newEmail, userId))) throw accountError('EMAIL_TAKEN')
  }
  return transaction(ctx, async (tx) => {
    if (newEmail) {
      const token = await issueToken(tx, { userId, purpose: 'emailChange', email: newEmail })
      const undo = await issueUndo(tx, user)
      await queueMail(tx, [
        emailChangeMail(newEmail, token.secret, ctx.appUrl, token.id),
        emailChangeNoticeMail(user.email, newEmail, undoLink(ctx.appUrl, undo.secret), token.id),
      ])
    }
    return tx.db.user.update({ where: { id: userId }, data: names })
  })
}
