import 'server-only'
import type { NextRequest } from 'next/server'
import { database } from '@/lib/infra/db'
import { log } from '@/lib/infra/log'
import { isPlatformActive, readPlatformState } from '@/lib/platform/queries'
import { asksDatabase, isOpenWhilePaused } from '@/lib/platform/rules'
import { isActionRequest } from './action-request'
import { hasSessionCookie, readActor } from './session'

/**
 * Whether this visitor must see the paused page instead of the one asked for (DECISIONS 38). Without word from the
 * database nobody is an admin, and whether the platform is open is unknown: then it is closed, and so is the page of an
 * order, which would fail.
 */
export async function isPageClosed(request: NextRequest): Promise<boolean> {
  // A server action decides for itself: refunds and shipping go on (action(), isAlwaysOpen).
  const isAction = isActionRequest(request)
  const { pathname } = request.nextUrl
  const isOpen = isOpenWhilePaused(pathname)
  if (isAction || (isOpen && !asksDatabase(pathname, hasSessionCookie(request.cookies)))) return false
  try {
    if (isOpen) {
      // Not what was known a moment ago: whether the database is there now.
      await readPlatformState(database())
      return false
    }
    if (await isPlatformActive(database())) return false
    const actor = await readActor(request.cookies)
    return !(actor.kind === 'user' && actor.isAdmin)
  } catch (error) {
    log().warn({ cause: error instanceof Error ? error.message : 'unknown' }, 'page closed: the switch is unknown')
    return true
  }
}
