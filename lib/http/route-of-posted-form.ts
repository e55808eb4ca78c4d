import 'server-only'
import type { NextRequest } from 'next/server'
import { contentType } from './input'
import { isActionRequest } from './refusal-of-post'

/** The routes that receive the forms of these pages from browsers without JavaScript. */
const ROUTES = new Map([
  ['/login', '/login/send'],
  ['/two-factor', '/two-factor/send'],
])

/**
 * Returns the path of the route that receives a form which was posted to its own page, or null for any other request.
 * The sign-in forms have no `action`, because EarlyForms would then let browsers with JavaScript post them before
 * hydration. The sign-up form of the login page needs JavaScript, so its post is not passed on.
 */
export function routeOfPostedForm(request: NextRequest): string | null {
  const { pathname, searchParams } = request.nextUrl
  const isForm = request.method === 'POST' && contentType(request) === 'application/x-www-form-urlencoded'
  if (!isForm || isActionRequest(request) || searchParams.get('mode') === 'signup') return null
  return ROUTES.get(pathname) ?? null
}
