import 'server-only'
import { cookies } from 'next/headers'

type CookieOptions = { httpOnly?: boolean; sameSite: 'lax'; secure: boolean; path: '/'; maxAge: number }

/** The cookies of one request, and those that its response sets. */
export type CookieJar = {
  get: (name: string) => { value: string } | undefined
  set: (name: string, value: string, options: CookieOptions) => unknown
}

const jars = new WeakMap<Request, CookieJar>()

/**
 * Returns the cookies of a request. A request that our server answers directly has a jar of its own (ADR 0057). For any
 * other request, and without a request, Next's jar is returned.
 */
export async function cookieJar(request?: Request): Promise<CookieJar> {
  return (request && jars.get(request)) ?? (await cookies())
}

/** Stores the jar of a request that does not pass through Next. */
export function keepCookieJar(request: Request, jar: CookieJar): void {
  jars.set(request, jar)
}

/**
 * Creates a jar from the value of a `cookie` header. `changes` returns the `set-cookie` header of each cookie that was
 * set, written as Next writes it.
 */
export function createCookieJar(header = ''): CookieJar & { changes: () => Iterable<string> } {
  const sent = new Map(header.split(';').flatMap(readPair))
  const changes = new Map<string, string>()
  return {
    get: (name) => {
      const value = sent.get(name)
      return value === undefined ? undefined : { value }
    },
    set: (name, value, options) => {
      sent.set(name, value)
      changes.set(name, writeCookie(name, value, options))
    },
    changes: () => changes.values(),
  }
}

/** Returns one name and value of the header, or nothing if the name is empty or the value cannot be decoded. */
function readPair(pair: string): [name: string, value: string][] {
  const at = pair.indexOf('=')
  const name = (at === -1 ? pair : pair.slice(0, at)).trim()
  if (name === '') return []
  try {
    return [[name, at === -1 ? 'true' : decodeURIComponent(pair.slice(at + 1).trim())]]
  } catch {
    return []
  }
}

function writeCookie(name: string, value: string, { httpOnly = false, secure, path, maxAge }: CookieOptions): string {
  const expires = new Date(performance.timeOrigin + performance.now() + maxAge * 1000).toUTCString()
  const flags = `${secure ? '; Secure' : ''}${httpOnly ? '; HttpOnly' : ''}; SameSite=lax`
  return `${name}=${encodeURIComponent(value)}; Path=${path}; Expires=${expires}; Max-Age=${maxAge}${flags}`
}
