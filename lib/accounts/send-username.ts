import 'server-only'
import type { Context } from '@/lib/infra/context'
import { queueMail } from '@/lib/notifications/queue-mail'
import { isMailboxFull } from './guards'
import { usernameMail } from './mails'
import type { ForgotInput } from './schema'

/** Mails the username when the address has an account; does nothing otherwise. */
export async function sendUsername(ctx: Context, { email }: ForgotInput): Promise<void> {
  const user = await ctx.db.user.findFirst({ where: { email, deletedAt: null } })
  if (!user?.username || (await isMailboxFull(email, 'username'))) return
  const mail = usernameMail(user.email, user.username, ctx.appUrl, ctx.requestId)
  await queueMail(ctx, [mail])
}
