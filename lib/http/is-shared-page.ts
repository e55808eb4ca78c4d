import 'server-only'
import type { NextRequest } from 'next/server'
import { database } from '@/lib/infra/db'
import { isEarlyToken } from '@/lib/kernel/is-early-token.mjs'
import { isPlatformActive } from '@/lib/platform/queries'

const SHARED_PAGE = /^\/(?:drop\/[^/]+(?:\/(?:runs|edition))?|profile\/[^/]+)$/

/**
 * Whether a page is the same for everyone, so that shared caches may keep it (ADR 0008). While the platform is paused
 * the result is false, because administrators then see other pages than everyone else (ADR 0026). It is also false when
 * the database cannot say whether the platform is paused. An error would fail the middleware, and Next would respond
 * with a 500.
 */
export async function isSharedPage({ method, nextUrl }: NextRequest): Promise<boolean> {
  // A follower's link shows a page of its own (ADR 0066).
  if (isEarlyToken(nextUrl.searchParams.get('early'))) return false
  if ((method !== 'GET' && method !== 'HEAD') || !SHARED_PAGE.test(nextUrl.pathname)) return false
  return isPlatformActive(database()).catch(() => false)
}
