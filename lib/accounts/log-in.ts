import 'server-only'
import type { User } from '@prisma/client'
import type { Context } from '@/lib/infra/context'
import { verifyPassword } from '@/lib/infra/password'
import { consumeForNetwork, giveBackToNetwork } from '@/lib/infra/network-limit'
import { consume, forgive, giveBack, type RateLimit } from '@/lib/infra/rate-limit'
import { platformError } from '@/lib/platform/messages'
import { assertStrongForAdmin } from './guards'
import { passwordMark } from './finish-login'
import { accountError } from './messages'
import { findUserByIdentifier } from './queries'
import type { LoginInput } from './schema'

const QUARTER_HOUR = 15 * 60

// These limits count only failed attempts, because a successful login gives its count back. The limits that a stranger
// can see count by the typed name or the network. If they counted by account, an attempt with the username would also
// use up the limit of the email address, and so show that both belong to one account.
const perTypedAndAddress: RateLimit = { name: 'login-typed-address', points: 5, windowSeconds: QUARTER_HOUR }
const perTyped: RateLimit = { name: 'login-typed', points: 20, windowSeconds: 3600 }
const perAddress: RateLimit = { name: 'login-address', points: 50, windowSeconds: QUARTER_HOUR }
const perKnownDevice: RateLimit = { name: 'login-device', points: 10, windowSeconds: QUARTER_HOUR }
/**
 * Counts the logins of unknown devices by account, whether the username or the email address was typed. Beyond this
 * limit the response is the same as for a wrong password.
 */
const perAccount: RateLimit = { name: 'login-account', points: 30, windowSeconds: 3600 }

type Device = { isKnownTo: (userId: number, passwordMark: string) => boolean }

const cleaned = (typed: string) => typed.trim().toLowerCase()

/**
 * Checks a username or email address with its password. This takes the same time whether or not the account exists.
 * Attempts are counted before the password is checked. Devices that have logged in to this account with its present
 * password have a count of their own, so that a stranger's attempts never lock them out.
 * @throws INVALID_LOGIN, TOO_MANY_REQUESTS, WEAK_ADMIN_PASSWORD
 */
export async function logIn(ctx: Context, input: LoginInput, device: Device): Promise<User> {
  const user = await findUserByIdentifier(ctx.db, input.email)
  const typed = cleaned(input.email)
  const isKnown = user !== null && device.isKnownTo(user.id, passwordMark(user))
  const counts: [RateLimit, string][] = isKnown
    ? [[perKnownDevice, String(user.id)]]
    : [
        [perTypedAndAddress, `${typed} ${ctx.network}`],
        [perTyped, typed],
      ]
  const assertWithin = (retryAfterSeconds: number | null) => {
    if (retryAfterSeconds !== null) throw platformError('TOO_MANY_REQUESTS', { retryAfterSeconds })
  }
  if (!isKnown) assertWithin(await consumeForNetwork(perAddress, ctx))
  for (const [limit, key] of counts) assertWithin(await consume(limit, key))
  const account: [RateLimit, string] = [perAccount, user ? String(user.id) : typed]
  const isOpen = isKnown || (await consume(...account)) === null
  const isRight = await verifyPassword(user?.passwordHash ?? null, input.password)
  if (!user || !isRight || !isOpen) throw accountError('INVALID_LOGIN')
  if (!isKnown) await giveBackToNetwork(perAddress, ctx)
  for (const [limit, key] of isKnown ? counts : [...counts, account]) await giveBack(limit, key)
  assertStrongForAdmin(ctx, user, { password: input.password, field: 'password' })
  return user
}

/**
 * Clears the counts of failed logins to an account, but not those of whole networks. It is called after the owner has
 * reset the password with an emailed link.
 */
export async function clearFailedLogins(ctx: Context, user: Pick<User, 'id' | 'email' | 'username'>): Promise<void> {
  const names = [user.email, user.username ?? user.email].map(cleaned)
  await forgive(perAccount, String(user.id))
  await forgive(perKnownDevice, String(user.id))
  for (const typed of names) {
    await forgive(perTyped, typed)
    await forgive(perTypedAndAddress, `${typed} ${ctx.network}`)
  }
}
