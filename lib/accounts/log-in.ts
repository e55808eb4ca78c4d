import 'server-only'
import type { User } from '@prisma/client'
import type { Context } from '@/lib/infra/context'
import { verifyPassword } from '@/lib/infra/password'
import { consume, giveBack, type RateLimit } from '@/lib/infra/rate-limit'
import { platformError } from '@/lib/platform/messages'
import { accountError } from './messages'
import { findUserByIdentifier } from './queries'
import type { LoginInput } from './schema'

const QUARTER_HOUR = 15 * 60

// Counts only failed attempts: a successful login gives its count back.
const perAccountAndAddress: RateLimit = { name: 'login-account-address', points: 5, windowSeconds: QUARTER_HOUR }
const perAccount: RateLimit = { name: 'login-account', points: 20, windowSeconds: 3600 }
const perAddress: RateLimit = { name: 'login-address', points: 50, windowSeconds: QUARTER_HOUR }
const perKnownDevice: RateLimit = { name: 'login-device', points: 10, windowSeconds: QUARTER_HOUR }

type Device = { isKnownTo: (userId: number) => boolean }

/**
 * Checks a username or address with its password, in the same time whether the account exists or not. Attempts are
 * counted before the password is checked. A device that has logged in to this account before has its own count, so that
 * a stranger's attempts never lock the owner out.
 * @throws INVALID_LOGIN, TOO_MANY_REQUESTS
 */
export async function logIn(ctx: Context, input: LoginInput, device: Device): Promise<User> {
  const user = await findUserByIdentifier(ctx.db, input.email)
  const account = user ? `id:${user.id}` : `name:${input.email.trim().toLowerCase()}`
  const counts: [RateLimit, string][] =
    user && device.isKnownTo(user.id)
      ? [[perKnownDevice, account]]
      : [
          [perAddress, ctx.network],
          [perAccountAndAddress, `${account} ${ctx.network}`],
          [perAccount, account],
        ]
  for (const [limit, key] of counts) {
    const retryAfterSeconds = await consume(limit, key)
    if (retryAfterSeconds !== null) throw platformError('TOO_MANY_REQUESTS', { retryAfterSeconds })
  }
  const isRight = await verifyPassword(user?.passwordHash ?? null, input.password)
  if (!user || !isRight) throw accountError('INVALID_LOGIN')
  for (const [limit, key] of counts) await giveBack(limit, key)
  return user
}
