import 'server-only'
import type { User } from '@prisma/client'
import type { Context } from '@/lib/infra/context'
import { verifyPassword } from '@/lib/infra/password'
import { consume, forgive, giveBack, type RateLimit } from '@/lib/infra/rate-limit'
import { platformError } from '@/lib/platform/messages'
import { accountError } from './messages'
import { findUserByIdentifier } from './queries'
import type { LoginInput } from './schema'

const QUARTER_HOUR = 15 * 60

// These limits count failed attempts only: a successful login gives its count back. A limit that a stranger can see never
// counts by account: a count shared by a username and an email address would show that both belong to one account.
const perTypedAndAddress: RateLimit = { name: 'login-typed-address', points: 5, windowSeconds: QUARTER_HOUR }
const perTyped: RateLimit = { name: 'login-typed', points: 20, windowSeconds: 3600 }
const perAddress: RateLimit = { name: 'login-address', points: 50, windowSeconds: QUARTER_HOUR }
const perKnownDevice: RateLimit = { name: 'login-device', points: 10, windowSeconds: QUARTER_HOUR }
/** Counts by account, whatever was typed. Beyond this limit the answer is that of a wrong password. */
const perAccount: RateLimit = { name: 'login-account', points: 30, windowSeconds: 3600 }

type Device = { isKnownTo: (userId: number) => boolean }

const cleaned = (typed: string) => typed.trim().toLowerCase()

/**
 * Checks a username or address with its password, in the same time whether the account exists or not. Attempts are
 * counted before the password is checked. A device that has logged in to this account before has its own count, so that
 * a stranger's attempts never lock the owner out.
 * @throws INVALID_LOGIN, TOO_MANY_REQUESTS
 */
export async function logIn(ctx: Context, input: LoginInput, device: Device): Promise<User> {
  const user = await findUserByIdentifier(ctx.db, input.email)
  const typed = cleaned(input.email)
  const isKnown = user !== null && device.isKnownTo(user.id)
  const counts: [RateLimit, string][] = isKnown
    ? [[perKnownDevice, String(user.id)]]
    : [
        [perAddress, ctx.network],
        [perTypedAndAddress, `${typed} ${ctx.network}`],
        [perTyped, typed],
      ]
  for (const [limit, key] of counts) {
    const retryAfterSeconds = await consume(limit, key)
    if (retryAfterSeconds !== null) throw platformError('TOO_MANY_REQUESTS', { retryAfterSeconds })
  }
  const account: [RateLimit, string] = [perAccount, user ? String(user.id) : typed]
  const isOpen = isKnown || (await consume(...account)) === null
  const isRight = await verifyPassword(user?.passwordHash ?? null, input.password)
  if (!user || !isRight || !isOpen) throw accountError('INVALID_LOGIN')
  for (const [limit, key] of isKnown ? counts : [...counts, account]) await giveBack(limit, key)
  return user
}

/** Forgets the failed logins to an account whose owner has just proved that they read its mail. */
export async function forgiveLogins(ctx: Context, user: Pick<User, 'id' | 'email' | 'username'>): Promise<void> {
  const names = [user.email, user.username ?? user.email].map(cleaned)
  await forgive(perAccount, String(user.id))
  await forgive(perKnownDevice, String(user.id))
  for (const typed of names) {
    await forgive(perTyped, typed)
    await forgive(perTypedAndAddress, `${typed} ${ctx.network}`)
  }
}
