import 'server-only'
import type { NextRequest } from 'next/server'
import { contentType } from '../input'
import { isActionRequest } from './refusal-of-post'

/** The routes that receive the forms of these pages from browsers without JavaScript. */
const ROUTES = new Map([
  ['/appeal', '/appeal/send'],
  ['/confirm-email', '/confirm-email/send'],
  ['/forgot-password', '/forgot-password/send'],
  ['/forgot-username', '/forgot-username/send'],
  ['/login', '/login/send'],
  ['/plans', '/plans/send'],
  ['/reset-password', '/reset-password/send'],
  ['/signup', '/signup/send'],
  ['/two-factor', '/two-factor/send'],
])

/**
 * Returns the path of the route that receives a form which was posted to its own page, or null for any other request.
 * The forms have no `action`: with one, UnhydratedForms would let browsers with JavaScript post them before hydration.
 */
export function routeOfPostedForm(request: NextRequest): string | null {
  const { pathname, searchParams } = request.nextUrl
  const isForm = request.method === 'POST' && contentType(request) === 'application/x-www-form-urlencoded'
  if (!isForm || isActionRequest(request)) return null
  // With this query the login page shows the form that creates an account.
  const isSignup = pathname === '/login' && searchParams.getAll('mode').join() === 'signup'
  return ROUTES.get(isSignup ? '/signup' : pathname) ?? null
}
