import 'server-only'
import { cookies } from 'next/headers'
import { isSameSecret, keyedHash } from '@/lib/infra/crypto'
import { env } from '@/lib/infra/env'

const NAME = 'lastcall-device'
const YEAR_SECONDS = 365 * 86_400

const mark = (userId: number) => keyedHash('known-device', String(userId)).slice(0, 40)

/**
 * Reads which accounts have logged in from this browser before. The cookie contains only keyed hashes, so a client
 * cannot forge an entry. For a known browser, wrong passwords and codes are counted separately, and a login causes no
 * email about a new device.
 */
export async function readDevice(): Promise<{ isKnownTo: (userId: number) => boolean }> {
  const marks = ((await cookies()).get(NAME)?.value ?? '').split('.').slice(0, 5)
  return { isKnownTo: (userId) => marks.some((known) => isSameSecret(known, mark(userId))) }
}

/** Remembers that this account has logged in from this browser. The cookie keeps the last five accounts. */
export async function rememberDevice(userId: number): Promise<void> {
  const jar = await cookies()
  const known = (jar.get(NAME)?.value ?? '').split('.').filter((value) => value && value !== mark(userId))
  const value = [mark(userId), ...known].slice(0, 5).join('.')
  jar.set(NAME, value, {
    httpOnly: true,
    sameSite: 'lax',
    secure: env().isSecureOrigin,
    path: '/',
    maxAge: YEAR_SECONDS,
  })
}
