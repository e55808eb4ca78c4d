import 'server-only'
import type { Context } from '@/lib/infra/context'
import { queueMail } from '@/lib/notifications/queue-mail'
import { countForgottenMail } from './guards'
import { usernameMail } from './mails'
import type { ForgotInput } from './schema'

/**
 * Emails the username when the address belongs to an account. Does nothing when no account has this address, or when
 * the mailbox has already received as many of these emails as it may within an hour.
 */
export async function sendUsername(ctx: Context, { email }: ForgotInput): Promise<void> {
  const user = await ctx.db.user.findFirst({ where: { email, deletedAt: null } })
  if (!user?.username || (await countForgottenMail(user, 'username'))) return
  const mail = usernameMail(user.email, user.username, ctx.appUrl, ctx.requestId)
  await queueMail(ctx, [mail])
}
