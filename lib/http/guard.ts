import 'server-only'
import { assertTwoFactorForAdmins } from '@/lib/accounts/guards'
import { database } from '@/lib/infra/db'
import type { Actor, UserActor } from '@/lib/kernel/actor'
import { env } from '@/lib/infra/env'
import type { Context } from '@/lib/infra/context'
import { consumeForNetwork } from '@/lib/infra/network-limit'
import { consume, type RateLimit } from '@/lib/infra/rate-limit'
import { platformError } from '@/lib/platform/messages'
import { isPlatformActive } from '@/lib/platform/queries'
import { PAUSED_RETRY_SECONDS } from '@/lib/platform/rules'

/**
 * Who may make a call. `seller` is any signed-in user, and `activeSeller` is one who is not suspended
 * (docs/product.md#suspended-accounts).
 */
export type Who = 'anyone' | 'seller' | 'activeSeller' | 'admin'

export type ActorOf<W extends Who> = W extends 'anyone' ? Actor : UserActor

/**
 * Checks that the actor may make the call.
 * @param signInText the error text for visitors, if the call has a text of its own.
 * @throws NOT_SIGNED_IN, FORBIDDEN, TWO_FACTOR_REQUIRED, SUSPENDED
 */
export function authorize<W extends Who>(who: W, actor: Actor, signInText?: string): ActorOf<W> {
  if (who === 'anyone') return actor as ActorOf<W>
  if (actor.kind !== 'user') throw platformError('NOT_SIGNED_IN', { text: signInText })
  if (who === 'admin' && !actor.isAdmin) throw platformError('FORBIDDEN')
  if (who === 'admin') assertTwoFactorForAdmins({ actor, payments: env().payments })
  if (who === 'activeSeller' && actor.isSuspended) throw platformError('SUSPENDED')
  return actor as ActorOf<W>
}

/**
 * Refuses everyone but administrators while the kill switch is on (docs/product.md#kill-switch).
 * @throws PLATFORM_DISABLED
 */
export async function assertPlatformOpen(actor: Actor): Promise<void> {
  if (actor.kind === 'user' && actor.isAdmin) return
  if (!(await isPlatformActive(database())))
    throw platformError('PLATFORM_DISABLED', { retryAfterSeconds: PAUSED_RETRY_SECONDS })
}

/**
 * Counts one use of a rate limit.
 * @throws TOO_MANY_REQUESTS
 */
export async function assertWithinRateLimit(limit: RateLimit, key: string): Promise<void> {
  const retryAfterSeconds = await consume(limit, key)
  if (retryAfterSeconds !== null) throw platformError('TOO_MANY_REQUESTS', { retryAfterSeconds })
}

/**
 * Counts one use of a rate limit by the client's network.
 * @throws TOO_MANY_REQUESTS
 */
export async function assertWithinNetworkLimit(
  limit: RateLimit,
  client: Pick<Context, 'ip' | 'network'>,
): Promise<void> {
  const retryAfterSeconds = await consumeForNetwork(limit, client)
  if (retryAfterSeconds !== null) throw platformError('TOO_MANY_REQUESTS', { retryAfterSeconds })
}
