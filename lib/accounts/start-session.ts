import 'server-only'
import type { Context } from '@/lib/infra/context'
import { sha256 } from '@/lib/infra/crypto'
import { newSecret } from '@/lib/kernel/id'
import { DAY_MS } from '@/lib/kernel/time'

/** How many days a device stays signed in, at most. */
export const SESSION_DAYS = 30

type NewSession = { userId: number; userAgent: string; steppedUpAt?: Date | null }

/**
 * Opens a session and returns the secret for the cookie. The database stores only a hash of the secret
 * (docs/product.md#sessions-and-devices).
 */
export async function startSession(ctx: Context, input: NewSession): Promise<string> {
  const secret = newSecret()
  await ctx.db.session.create({
    data: {
      id: sha256(secret),
      userId: input.userId,
      userAgent: input.userAgent.slice(0, 300),
      ip: ctx.ip,
      stepUpAt: input.steppedUpAt ?? null,
      expiresAt: new Date(ctx.clock.now().getTime() + SESSION_DAYS * DAY_MS),
    },
  })
  return secret
}
