import 'server-only'
import type { NextAuthOptions } from 'next-auth'
import { endSession } from '@/lib/accounts/end-session'
import { systemContext } from '@/lib/infra/context'
import { sha256 } from '@/lib/infra/crypto'
import { env } from '@/lib/infra/env'
import { DAY_MS, SECOND_MS } from '@/lib/kernel/time'
import { SESSION_DAYS } from '@/lib/accounts/start-session'

/** next-auth over our sessions table: the token holds a session's secret and nothing a client could change. */
export function authOptions(): NextAuthOptions {
  return {
    secret: env().authSecret,
    providers: [],
    session: { strategy: 'jwt', maxAge: (SESSION_DAYS * DAY_MS) / SECOND_MS },
    useSecureCookies: env().isSecureOrigin,
    pages: { signIn: '/login', signOut: '/', error: '/login' },
    callbacks: {
      // Whatever a client sends as "update" data is dropped (STACK trap 7).
      jwt: ({ token }) => token,
      redirect: ({ url, baseUrl }) => (url.startsWith('/') && !/^\/[/\\]/.test(url) ? baseUrl + url : baseUrl),
    },
    events: {
      signOut: async ({ token }) => {
        if (typeof token?.sid === 'string') await endSession(systemContext('sign-out'), sha256(token.sid))
      },
    },
  }
}
