import 'server-only'
import type { User } from '@prisma/client'
import type { Context } from '@/lib/infra/context'
import { deviceLabel } from '@/lib/infra/device-label'
import { consume, type RateLimit } from '@/lib/infra/rate-limit'
import { mailboxOf } from '@/lib/kernel/mailbox-of'
import { queueMail } from '@/lib/notifications/queue-mail'
import { newLoginMail } from './mails'

/** How many of these emails are sent in an hour for one account, or for one mailbox that nobody has confirmed. */
const newLoginMails: RateLimit = { name: 'new-login-mail', points: 5, windowSeconds: 3600 }

/**
 * Queues an email that notifies the account's owner of a login from a new browser, within a limit. An account can be
 * created with anyone's address, so accounts that have not confirmed theirs count together by mailbox. A confirmed
 * account counts alone: otherwise someone who has stolen its password could use up the limit with other accounts, and
 * sign in without an email.
 */
export async function noteNewLogin(ctx: Context, user: User, userAgent: string): Promise<void> {
  const key = user.emailConfirmedAt === null ? mailboxOf(user.email) : `account ${user.id}`
  if ((await consume(newLoginMails, key)) !== null) return
  const login = { device: deviceLabel(userAgent), at: ctx.clock.now(), timezone: user.timezone }
  await queueMail(ctx, [newLoginMail(user.email, login, ctx.appUrl, ctx.requestId)])
}
