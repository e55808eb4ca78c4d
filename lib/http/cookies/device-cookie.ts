import 'server-only'
import type { User } from '@prisma/client'
import { cookies } from 'next/headers'
import { passwordMark } from '@/lib/accounts/finish-login'
import { isSameSecret, keyedHash } from '@/lib/infra/crypto'
import { env } from '@/lib/infra/env'

const NAME = 'lastcall-device'
const YEAR_SECONDS = 365 * 86_400

/** Returns what the cookie contains for an account: a hash that also depends on the password. */
const deviceMark = (userId: number, mark: string) => keyedHash('known-device', `${userId} ${mark}`).slice(0, 40)

/**
 * Reads which accounts have logged in from this browser with their present password, which `passwordMark` stands for.
 * The cookie contains only keyed hashes, so a client cannot forge an entry. For a known browser, wrong passwords and
 * codes are counted separately, and a login causes no email about a new device. A new password makes every other
 * browser unknown, so a thief who signed in once gains nothing after the owner has changed it.
 */
export async function readDevice(): Promise<{ isKnownTo: (userId: number, passwordMark: string) => boolean }> {
  const marks = ((await cookies()).get(NAME)?.value ?? '').split('.').slice(0, 5)
  return { isKnownTo: (userId, mark) => marks.some((known) => isSameSecret(known, deviceMark(userId, mark))) }
}

/**
 * Remembers that this account has logged in from this browser with its present password. The cookie keeps the last five
 * entries.
 */
export async function rememberDevice(user: Pick<User, 'id' | 'passwordHash'>): Promise<void> {
  const jar = await cookies()
  const own = deviceMark(user.id, passwordMark(user))
  const known = (jar.get(NAME)?.value ?? '').split('.').filter((value) => value && value !== own)
  const value = [own, ...known].slice(0, 5).join('.')
  jar.set(NAME, value, {
    httpOnly: true,
    sameSite: 'lax',
    secure: env().isSecureOrigin,
    path: '/',
    maxAge: YEAR_SECONDS,
  })
}
