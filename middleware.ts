import { randomBytes } from 'node:crypto'
import { NextResponse, type NextRequest } from 'next/server'
import { refusalOfPost } from '@/lib/http/action-request'
import { contentSecurityPolicy, NONCE_HEADER } from '@/lib/http/content-security-policy.mjs'
import { HOME_MARK } from '@/lib/http/home-mark'
import { isPageClosed } from '@/lib/http/kill-switch'
import { forwardedHeaders } from '@/lib/http/forwarded-headers'
import { isRemovedDropPage, REMOVED_MARK } from '@/lib/http/removed-drop'
import { hasSessionCookie } from '@/lib/http/session'
import { isSharedPage } from '@/lib/http/shared-page'
import { env } from '@/lib/infra/env'
import { SHARED_CACHE_CONTROL } from '@/lib/kernel/response-headers.mjs'
import { PAUSED_RETRY_SECONDS } from '@/lib/platform/rules'

/** Pages that need a signed-in seller. */
const SELLER_PAGES = new Set([
  '/account',
  '/billing',
  '/create',
  '/create-drop',
  '/orders',
  '/orders/import',
  '/orders/slips',
  '/payouts',
  '/success',
  '/welcome',
])

// Refuses posts that Next would fail on, closes pages while the platform is paused (ADR 0026), and sends visitors
// without a session cookie to the login before a seller's page is rendered. It grants no access: route(), action() and
// the page loaders check the session and the permissions against the database (ADR 0004).
export async function middleware(request: NextRequest): Promise<NextResponse> {
  // Next puts the nonce that it finds in the request's policy on every script of the page.
  const policy = pagePolicy(randomBytes(16).toString('base64url'))
  const headers = forwardedHeaders(request)
  headers.set(NONCE_HEADER, policy.nonce)
  headers.set('Content-Security-Policy', policy.text)
  const response = await decide(request, headers)
  // The pages of Stripe's stand-in have a policy of their own.
  if (!STAND_IN.test(request.nextUrl.pathname)) response.headers.set('Content-Security-Policy', policy.text)
  return response
}

const STAND_IN = /^\/sandbox\/(?!mail$)/

function pagePolicy(nonce: string): { nonce: string; text: string } {
  // Known only to the running process, and not to the build: to which storage it lets browsers upload.
  const { uploadThing, isProduction } = env()
  const uploadOrigins = uploadThing ? [uploadThing.ingestUrl] : []
  return { nonce, text: contentSecurityPolicy({ isProduction, nonce, uploadOrigins }) }
}

async function decide(request: NextRequest, headers: Headers): Promise<NextResponse> {
  const refusal = await refusalOfPost(request)
  if (refusal) return refusal
  if (await isPageClosed(request)) return paused(request, headers)
  if (await isRemovedDropPage(request)) return removed(request, headers)
  const { pathname, search } = request.nextUrl
  const hasSession = hasSessionCookie(request.cookies)
  if (hasSession && pathname === '/') return dashboard(request, headers)
  if (await isSharedPage(request)) {
    return NextResponse.next({ headers: { 'Cache-Control': SHARED_CACHE_CONTROL }, request: { headers } })
  }
  if (hasSession || !SELLER_PAGES.has(pathname)) return NextResponse.next({ request: { headers } })
  const login = request.nextUrl.clone()
  login.pathname = '/login'
  login.search = `?redirect=${encodeURIComponent(pathname + search)}`
  return NextResponse.redirect(login)
}

function paused(request: NextRequest, incoming: Headers): NextResponse {
  const page = request.nextUrl.clone()
  page.pathname = '/paused'
  page.search = ''
  const answerHeaders = { 'Retry-After': String(PAUSED_RETRY_SECONDS), 'Cache-Control': 'no-store' }
  return NextResponse.rewrite(page, {
    status: 503,
    headers: answerHeaders,
    request: { headers: marked(incoming, 'x-lastcall-paused') },
  })
}

/** The answer to a drop's link after the drop was removed (ADR 0020). */
function removed(request: NextRequest, incoming: Headers): NextResponse {
  const page = request.nextUrl.clone()
  page.pathname = '/removed'
  page.search = ''
  return NextResponse.rewrite(page, { status: 410, request: { headers: marked(incoming, REMOVED_MARK) } })
}

/** Rewrites "/" to the dashboard: the seller's start page has the address of the landing page. */
function dashboard(request: NextRequest, incoming: Headers): NextResponse {
  const page = request.nextUrl.clone()
  page.pathname = '/dashboard'
  return NextResponse.rewrite(page, { request: { headers: marked(incoming, HOME_MARK) } })
}

/** Adds the header without which these pages answer "not found": they are shown only by a rewrite from here. */
function marked(incoming: Headers, mark: string): Headers {
  const headers = new Headers(incoming)
  headers.set(mark, '1')
  return headers
}

// Matches every page. Calls under /api are left out, because Next cuts the body of a matched route at 10 MB (ADR 0004),
// and so are files.
export const config = {
  matcher: ['/((?!api/|_next/|media/|icons/|[^/]+\\.(?:svg|png|ico|js|webmanifest)$).*)'],
  runtime: 'nodejs',
}
