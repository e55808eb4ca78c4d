import 'server-only'
import type { NextRequest } from 'next/server'
import { isRemovedDrop } from '@/lib/drops/queries'
import { database } from '@/lib/infra/db'
import { safeDecode } from './safe-decode'

/** A header only the middleware sets: the page for removed drops shows itself to nobody else. */
export const REMOVED_MARK = 'x-lastcall-removed'

const DROP_PAGE = /^\/drop\/([^/]+)$/

/**
 * Whether the address is that of a drop which was there and was removed. A page of Next cannot answer 410 by itself,
 * so the middleware asks before it is rendered; a crowd is answered by the shared cache and never comes this far.
 */
export async function isRemovedDropPage(request: NextRequest): Promise<boolean> {
  const [, identifier] = DROP_PAGE.exec(request.nextUrl.pathname) ?? []
  if (!identifier || request.method !== 'GET') return false
  // Without word from the database the page itself says so.
  return isRemovedDrop(database(), safeDecode(identifier)).catch(() => false)
}
