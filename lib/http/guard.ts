import 'server-only'
import { assertTwoFactorForAdmins } from '@/lib/accounts/guards'
import { database } from '@/lib/infra/db'
import type { Actor, UserActor } from '@/lib/kernel/actor'
import { env } from '@/lib/infra/env'
import { consume, type RateLimit } from '@/lib/infra/rate-limit'
import { platformError } from '@/lib/platform/messages'
import { isPlatformActive } from '@/lib/platform/queries'
import { PAUSED_RETRY_SECONDS } from '@/lib/platform/rules'

/** Who may come in: `seller` is any signed-in user, `activeSeller` one who is not suspended (DECISIONS 34). */
export type Who = 'anyone' | 'seller' | 'activeSeller' | 'admin'

export type ActorOf<W extends Who> = W extends 'anyone' ? Actor : UserActor

/**
 * @param signInText what a visitor is told, where the call has words of its own.
 * @throws NOT_SIGNED_IN, FORBIDDEN, TWO_FACTOR_REQUIRED, SUSPENDED
 */
export function authorise<W extends Who>(who: W, actor: Actor, signInText?: string): ActorOf<W> {
  if (who === 'anyone') return actor as ActorOf<W>
  if (actor.kind !== 'user') throw platformError('NOT_SIGNED_IN', { text: signInText })
  if (who === 'admin' && !actor.isAdmin) throw platformError('FORBIDDEN')
  if (who === 'admin') assertTwoFactorForAdmins({ actor, payments: env().payments })
  if (who === 'activeSeller' && actor.isSuspended) throw platformError('SUSPENDED')
  return actor as ActorOf<W>
}

/** The kill switch (DECISIONS 38). @throws PLATFORM_DISABLED */
export async function assertPlatformOpen(actor: Actor): Promise<void> {
  if (actor.kind === 'user' && actor.isAdmin) return
  if (!(await isPlatformActive(database())))
    throw platformError('PLATFORM_DISABLED', { retryAfterSeconds: PAUSED_RETRY_SECONDS })
}

/** @throws TOO_MANY_REQUESTS */
export async function assertWithinLimit(limit: RateLimit, key: string): Promise<void> {
  const retryAfterSeconds = await consume(limit, key)
  if (retryAfterSeconds !== null) throw platformError('TOO_MANY_REQUESTS', { retryAfterSeconds })
}
