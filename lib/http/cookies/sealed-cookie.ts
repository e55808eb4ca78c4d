import 'server-only'
import { cookies } from 'next/headers'
import { systemClock } from '@/lib/infra/clock'
import { seal, unseal } from '@/lib/infra/crypto'
import { env } from '@/lib/infra/env'

type SealedCookie<Value> = {
  write: (value: Value) => Promise<void>
  read: () => Promise<Value | null>
  clear: () => Promise<void>
}

/**
 * Returns functions for a cookie that only this installation can read and write. Its value expires after
 * `maxAgeSeconds`, even if the browser keeps the cookie.
 */
export function sealedCookie<Value>(name: string, maxAgeSeconds: number): SealedCookie<Value> {
  const options = () => ({ httpOnly: true, sameSite: 'lax', secure: env().isSecureOrigin, path: '/' }) as const
  return {
    async write(value) {
      const sealed = seal(name, JSON.stringify({ value, until: systemClock.now().getTime() + maxAgeSeconds * 1000 }))
      ;(await cookies()).set(name, sealed, { ...options(), maxAge: maxAgeSeconds })
    },
    async read() {
      const opened = unseal(name, (await cookies()).get(name)?.value ?? '')
      if (opened === null) return null
      const { value, until } = JSON.parse(opened) as { value: Value; until: number }
      return until > systemClock.now().getTime() ? value : null
    },
    async clear() {
      ;(await cookies()).set(name, '', { ...options(), maxAge: 0 })
    },
  }
}
