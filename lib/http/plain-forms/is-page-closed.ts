import 'server-only'
import type { NextRequest } from 'next/server'
import { database } from '@/lib/infra/db'
import { log } from '@/lib/infra/log'
import { isPlatformActive, readPlatformState } from '@/lib/platform/queries'
import { asksDatabase, isOpenWhilePaused } from '@/lib/platform/rules'
import { isActionRequest } from './refusal-of-post'
import { isAdminPath } from './replaced-page'
import { hasSessionCookie, readActor } from '../session'

/**
 * Whether this visitor must see the paused page instead of the requested one (docs/product.md#kill-switch). While the
 * database is unavailable, the state of the platform is unknown and no administrator can be recognized, so pages are
 * closed. Of the pages that stay open during a pause, only those that need the database, such as the order page, are
 * closed then. A pause never closes the admin panel, which replacedPage() refuses to everyone but administrators.
 */
export async function isPageClosed(request: NextRequest): Promise<boolean> {
  // Each server action decides for itself (`isAlwaysOpen` of action()), because refunds and shipping go on during a
  // pause.
  const isAction = isActionRequest(request)
  const { pathname } = request.nextUrl
  const isOpen = isOpenWhilePaused(pathname)
  if (isAction || (isOpen && !asksDatabase(pathname, hasSessionCookie(request.cookies)))) return false
  try {
    if (isOpen) {
      // The state is read from the database and not from memory, to find out whether the database is available now.
      await readPlatformState(database())
      return false
    }
    if ((await isPlatformActive(database())) || isAdminPath(pathname)) return false
    const actor = await readActor(request.cookies)
    return !(actor.kind === 'user' && actor.isAdmin)
  } catch (error) {
    log().warn(
      { cause: error instanceof Error ? error.message : 'unknown' },
      'page closed: the state of the kill switch is unknown',
    )
    return true
  }
}
