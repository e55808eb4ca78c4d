import 'server-only'
import { env } from '@/lib/infra/env'
import { isLocalOrigin } from '@/lib/infra/env-rules.mjs'

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Whether an origin is exactly one of ours. When our public origin is local, every local name with the same port counts
 * as ours, such as localhost, 127.0.0.1 and [::1].
 */
export function isOurOrigin(origin: string): boolean {
  const { appUrl, origins } = env()
  if (origins.includes(origin)) return true
  try {
    return isLocalOrigin(appUrl) && isLocalOrigin(origin) && new URL(origin).port === new URL(appUrl).port
  } catch {
    return false
  }
}

/**
 * Returns false for a write from a page of another origin. Browsers always send the origin of a write. A program that
 * sends none has no cookies of a visitor, so its request is let through (ADR 0004).
 */
export function isSameOrigin(request: Request): boolean {
  if (SAFE_METHODS.has(request.method)) return true
  const site = request.headers.get('sec-fetch-site')
  if (site !== null && site !== 'same-origin') return false
  const origin = request.headers.get('origin')
  return origin === null || isOurOrigin(origin)
}
