import 'server-only'
import type { User } from '@prisma/client'
import type { Context } from '@/lib/infra/context'
import { deviceLabel } from '@/lib/infra/device-label'
import { consume, type RateLimit } from '@/lib/infra/rate-limit'
import { mailboxOf } from '@/lib/kernel/mailbox-of'
import { queueMail } from '@/lib/notifications/queue-mail'
import { newLoginMail } from './mails'

/**
 * How many of these emails a mailbox gets in an hour, over all accounts with it. An account can be created with anyone's
 * address, so without this limit its owner could flood a stranger's mailbox by signing in again and again.
 */
const perMailbox: RateLimit = { name: 'new-login-mail', points: 5, windowSeconds: 3600 }

/** Queues an email that notifies the account's owner of a login from a new browser. */
export async function noteNewLogin(ctx: Context, user: User, userAgent: string): Promise<void> {
  if ((await consume(perMailbox, mailboxOf(user.email))) !== null) return
  const login = { device: deviceLabel(userAgent), at: ctx.clock.now(), timezone: user.timezone }
  await queueMail(ctx, [newLoginMail(user.email, login, ctx.appUrl, ctx.requestId)])
}
