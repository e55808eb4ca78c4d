import 'server-only'
import type { User } from '@prisma/client'
import type { Context } from '@/lib/infra/context'
import { env } from '@/lib/infra/env'
import { deviceLabel } from '@/lib/infra/user-agent'
import { newLoginMail } from './mails'

/** Tells the owner that the account was used from a browser it was never used from before. */
export async function noteNewLogin(ctx: Context, user: User, userAgent: string): Promise<void> {
  const login = { device: deviceLabel(userAgent), at: ctx.clock.now() }
  await ctx.db.outboxMail.createMany({ data: [newLoginMail(user.email, login, env().appUrl, ctx.requestId)] })
}
