import 'server-only'
import { decode, encode } from 'next-auth/jwt'
import { cookies } from 'next/headers'
import { findSessionActor } from '@/lib/accounts/find-session-actor'
import { SESSION_DAYS } from '@/lib/accounts/start-session'
import { database } from '@/lib/infra/db'
import { env } from '@/lib/infra/env'
import type { Actor } from '@/lib/kernel/actor'
import { SELLER_HINT } from '@/lib/kernel/hint-cookies'
import { SECURE_SESSION_COOKIE, SESSION_COOKIE } from '@/lib/kernel/session-cookie.mjs'
import { DAY_MS, SECOND_MS } from '@/lib/kernel/time'

function sessionCookieName(): string {
  return env().isSecureOrigin ? SECURE_SESSION_COOKIE : SESSION_COOKIE
}

const maxAgeSeconds = (SESSION_DAYS * DAY_MS) / SECOND_MS

function cookieOptions() {
  return { httpOnly: true, sameSite: 'lax', secure: env().isSecureOrigin, path: '/' } as const
}

/** Whether the request has a session cookie. Only readActor() knows whose it is and whether it is still valid. */
export function hasSessionCookie(jar: { has: (name: string) => boolean }): boolean {
  return jar.has(sessionCookieName())
}

/**
 * Puts a session's secret into the session cookie, encrypted in next-auth's token. The secret is stored nowhere else. A
 * second cookie, SELLER_HINT, gives the user's id to scripts.
 */
export async function setSessionCookie(secret: string, userId: number): Promise<void> {
  const token = await encode({ token: { sid: secret }, secret: env().authSecret, maxAge: maxAgeSeconds })
  const jar = await cookies()
  jar.set(sessionCookieName(), token, { ...cookieOptions(), maxAge: maxAgeSeconds })
  jar.set(SELLER_HINT, String(userId), { ...cookieOptions(), httpOnly: false, maxAge: maxAgeSeconds })
}

/** Deletes the session cookie and the hint of who is signed in. The session itself has to be ended in the database. */
export async function clearSessionCookie(): Promise<void> {
  const jar = await cookies()
  jar.set(sessionCookieName(), '', { ...cookieOptions(), maxAge: 0 })
  jar.set(SELLER_HINT, '', { ...cookieOptions(), httpOnly: false, maxAge: 0 })
}

type CookieJar = { get: (name: string) => { value: string } | undefined }

/**
 * Reads the actor of a request, and looks up the session in the database every time. Use this function and not
 * next-auth's session, which stays valid after our session has been ended.
 */
export async function readActor(jar?: CookieJar): Promise<Actor> {
  const cookie = (jar ?? (await cookies())).get(sessionCookieName())?.value
  if (!cookie) return { kind: 'visitor' }
  const token = await decode({ token: cookie, secret: env().authSecret }).catch(() => null)
  const secret = token?.sid
  if (typeof secret !== 'string') return { kind: 'visitor' }
  return (await findSessionActor(database(), secret)) ?? { kind: 'visitor' }
}
