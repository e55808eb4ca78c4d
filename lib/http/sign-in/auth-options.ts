import 'server-only'
import type { NextAuthOptions } from 'next-auth'
import { endSession } from '@/lib/accounts/end-session'
import { systemContext } from '@/lib/infra/context'
import { sha256 } from '@/lib/infra/crypto'
import { env } from '@/lib/infra/env'
import { DAY_MS, SECOND_MS } from '@/lib/kernel/time'
import { SESSION_DAYS } from '@/lib/accounts/start-session'

/**
 * Returns the options of next-auth. The sessions are rows in our own table, and next-auth's encrypted token contains
 * only the secret of a session (ADR 0003).
 */
export function authOptions(): NextAuthOptions {
  return {
    secret: env().authSecret,
    providers: [],
    session: { strategy: 'jwt', maxAge: (SESSION_DAYS * DAY_MS) / SECOND_MS },
    useSecureCookies: env().isSecureOrigin,
    pages: { signIn: '/login', signOut: '/', error: '/login' },
    callbacks: {
      // Data that a client sends with next-auth's "update" is ignored (ADR 0003).
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
