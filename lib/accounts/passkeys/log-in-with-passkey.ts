import 'server-only'
import type { User } from '@prisma/client'
import type { Context } from '@/lib/infra/context'
import { isSameSecret } from '@/lib/infra/crypto'
import { consumeForNetwork, giveBackToNetwork } from '@/lib/infra/network-limit'
import type { RateLimit } from '@/lib/infra/rate-limit'
import { platformError } from '@/lib/platform/messages'
import { passwordMark } from '../finish-login'
import { accountError } from '../messages'
import type { PasskeyInput } from './passkey-schema'
import { type PasskeyRound, spendPasskey } from './spend-passkey'

/** Counts refused passkeys by network address, as the login with a password counts wrong passwords. */
const perAddress: RateLimit = { name: 'login-passkey-address', points: 50, windowSeconds: 15 * 60 }

/**
 * Finds the account for a login with a passkey alone. After the password has changed, a passkey is only a second factor
 * until it has been used once together with the new password (ADR 0062).
 * @throws PASSKEY_EXPIRED, PASSKEY_REFUSED, PASSKEY_NEEDS_PASSWORD, TOO_MANY_REQUESTS
 */
export async function logInWithPasskey(ctx: Context, { credential }: PasskeyInput, round: PasskeyRound): Promise<User> {
  const retryAfterSeconds = await consumeForNetwork(perAddress, ctx)
  if (retryAfterSeconds !== null) throw platformError('TOO_MANY_REQUESTS', { retryAfterSeconds })
  const spent = { ...round, credential, purpose: 'login', userId: null, sessionId: null } as const
  const { user, passwordMark: mark } = await spendPasskey(ctx, spent)
  if (!isSameSecret(mark, passwordMark(user))) throw accountError('PASSKEY_NEEDS_PASSWORD')
  await giveBackToNetwork(perAddress, ctx)
  return user
}
