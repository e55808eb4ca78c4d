import 'server-only'
import type { User } from '@prisma/client'
import type { Context } from '@/lib/infra/context'
import { deviceLabel } from '@/lib/infra/device-label'
import { queueMail } from '@/lib/notifications/queue-mail'
import { newLoginMail } from './mails'

/** Queues an email that notifies the account's owner of a login from a new browser. */
export async function noteNewLogin(ctx: Context, user: User, userAgent: string): Promise<void> {
  const login = { device: deviceLabel(userAgent), at: ctx.clock.now(), timezone: user.timezone }
  await queueMail(ctx, [newLoginMail(user.email, login, ctx.appUrl, ctx.requestId)])
}
