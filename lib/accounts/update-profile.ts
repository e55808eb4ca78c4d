import 'server-only'
import type { User } from '@prisma/client'
import { type Context, transaction } from '@/lib/infra/context'
import { consume, type RateLimit } from '@/lib/infra/rate-limit'
import type { UserActor } from '@/lib/kernel/actor'
import { mailboxOf } from '@/lib/kernel/mailbox-of'
import { DAY_MS, SECOND_MS } from '@/lib/kernel/time'
import { notUrgent } from '@/lib/notifications/compose-mail'
import { queueMail } from '@/lib/notifications/queue-mail'
import { platformError } from '@/lib/platform/messages'
import { assertOwner } from './guards'
import { isReservedByUndoLink } from './is-reserved-by-undo-link'
import { issueToken, issueUndo } from './issue-token'
import { assertStillSignedIn, lockOwnAccount } from './lock-own-account'
import { lockUnchanged } from './lock-unchanged'
import { emailChangeMail, emailChangeNoticeMail, undoLink } from './mails'
import { accountError, accountTexts } from './messages'
import type { ProfileInput } from './schema'

/** Each change of address sends an email to an address that the user typed, so the number of changes is limited. */
const emailChanges: RateLimit = { name: 'email-change', points: 5, windowSeconds: 3600 }

/**
 * How many addresses may get an email in a day because an account whose own address is not confirmed changes it. Anyone
 * can create such accounts, so those of one mailbox count together.
 */
const unconfirmedChanges: RateLimit = { name: 'unconfirmed-email-change', points: 3, windowSeconds: DAY_MS / SECOND_MS }

/**
 * Changes names right away. A new email address takes effect only when its owner follows the link that is emailed to
 * it. Until then the old address stays in use. An email to the old address announces the change and contains a link
 * that gives the account back to the owner of that address. While the old address is not confirmed, that email is not
 * urgent, because nobody has shown that a seller reads it.
 * @throws PROOF_REQUIRED, WRONG_PASSWORD, EMAIL_TAKEN, TOO_MANY_REQUESTS, NOT_SIGNED_IN
 */
export async function updateProfile(ctx: Context<UserActor>, input: ProfileInput): Promise<User> {
  const { userId } = ctx.actor
  const { email, password, ...names } = input
  const user = await ctx.db.user.findUniqueOrThrow({ where: { id: userId } })
  const newEmail = email === undefined || email === user.email ? null : email
  if (newEmail) {
    await assertOwner(ctx, password)
    await countChange(user, newEmail)
    const isTaken = await ctx.db.user.findFirst({ where: { email: newEmail }, select: { id: true } })
    if (isTaken || (await isReservedByUndoLink(ctx, newEmail, userId))) throw accountError('EMAIL_TAKEN')
    if (user.emailConfirmedAt === null) await countUnconfirmedChange(user)
  }
  return transaction(ctx, async (tx) => {
    if (newEmail) {
      if (!(await lockUnchanged(tx, user))) throw platformError('PROOF_REQUIRED')
      await assertStillSignedIn(tx, tx.actor)
      const token = await issueToken(tx, { userId, purpose: 'emailChange', email: newEmail })
      const undo = await issueUndo(tx, user)
      const notice = emailChangeNoticeMail(user.email, newEmail, undoLink(ctx.appUrl, undo.secret), token.id)
      await queueMail(tx, [
        emailChangeMail(newEmail, token.secret, ctx.appUrl, token.id),
        user.emailConfirmedAt === null ? notUrgent(notice) : notice,
      ])
    } else {
      await lockOwnAccount(tx)
    }
    return tx.db.user.update({ where: { id: userId }, data: names })
  })
}

/**
 * Counts a change for the account and for the mailboxes that get an email about it. An address that several accounts
 * name gets no more emails than one that one account names. The confirmed address of the account does not count:
 * otherwise someone else could use up its limit, and the owner could not change it.
 * @throws TOO_MANY_REQUESTS
 */
async function countChange({ id, email, emailConfirmedAt }: User, newEmail: string): Promise<void> {
  const mailboxes = new Set([mailboxOf(newEmail), ...(emailConfirmedAt === null ? [mailboxOf(email)] : [])])
  for (const key of [String(id), ...[...mailboxes].map((mailbox) => `to ${mailbox}`)]) {
    const retryAfterSeconds = await consume(emailChanges, key)
    if (retryAfterSeconds !== null) throw platformError('TOO_MANY_REQUESTS', { retryAfterSeconds, field: 'email' })
  }
}

/** @throws TOO_MANY_REQUESTS with a text of its own, because the person can confirm the address instead of waiting */
async function countUnconfirmedChange({ email }: User): Promise<void> {
  const retryAfterSeconds = await consume(unconfirmedChanges, mailboxOf(email))
  if (retryAfterSeconds === null) return
  const text = accountTexts.manyUnconfirmedChanges
  throw platformError('TOO_MANY_REQUESTS', { retryAfterSeconds, text, field: 'email' })
}
