import 'server-only'
import type { NextRequest } from 'next/server'
import { isRemovedDrop } from '@/lib/drops/queries'
import { database } from '@/lib/infra/db'
import { safeDecode } from './safe-decode'

/** The request header that only the middleware sets: without it the page for removed drops is not found. */
export const REMOVED_MARK = 'x-lastcall-removed'

const DROP_PAGE = /^\/drop\/([^/]+)$/

/**
 * Whether the address is that of a drop that was removed. A page of Next cannot answer with status 410, so the
 * middleware asks before rendering. Under heavy load the shared cache answers, and the request does not come this far.
 */
export async function isRemovedDropPage(request: NextRequest): Promise<boolean> {
  const [, identifier] = DROP_PAGE.exec(request.nextUrl.pathname) ?? []
  if (!identifier || request.method !== 'GET') return false
  // While the database is unavailable, the page itself shows the error.
  return isRemovedDrop(database(), safeDecode(identifier)).catch(() => false)
}
