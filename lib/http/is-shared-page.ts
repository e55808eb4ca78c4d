import 'server-only'
import type { NextRequest } from 'next/server'
import { database } from '@/lib/infra/db'
import { isPlatformActive } from '@/lib/platform/queries'

const SHARED_PAGE = /^\/(?:drop|profile)\/[^/]+$/

/**
 * Whether a page is the same for everybody, so that shared caches may keep it (ADR 0008). While the platform is paused
 * administrators see other pages than everybody else (ADR 0026).
 */
export async function isSharedPage({ method, nextUrl }: NextRequest): Promise<boolean> {
  if ((method !== 'GET' && method !== 'HEAD') || !SHARED_PAGE.test(nextUrl.pathname)) return false
  return isPlatformActive(database())
}
