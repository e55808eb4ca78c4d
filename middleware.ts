import { randomBytes } from 'node:crypto'
import { NextResponse, type NextRequest } from 'next/server'
import { refusalOfPost } from '@/lib/http/refusal-of-post'
import { answer } from '@/lib/http/answer'
import { contentSecurityPolicy, isPaymentPage, NONCE_HEADER } from '@/lib/http/content-security-policy.mjs'
import { HOME_MARK } from '@/lib/http/home-mark'
import { isPageClosed } from '@/lib/http/is-page-closed'
import { forwardedHeaders } from '@/lib/http/forwarded-headers'
import { isAdminPath, isAdministrator, REPLACED_MARK, type Replaced, replacedPage } from '@/lib/http/replaced-page'
import { hasSessionCookie } from '@/lib/http/session'
import { isSharedPage } from '@/lib/http/is-shared-page'
import { database } from '@/lib/infra/db'
import { env } from '@/lib/infra/env'
import { SHARED_CACHE_CONTROL } from '@/lib/kernel/response-headers.mjs'
import { platformError } from '@/lib/platform/messages'
import { isPlatformActive } from '@/lib/platform/queries'
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

// Refuses posts that Next would fail on, closes pages while the platform is paused (ADR 0026), refuses the panel and the
// calls of administrators to everybody else, answers for what does not exist (ADR 0020), and sends visitors without a
// session cookie to the login before a seller's page is rendered. It grants no access: route(), action() and the page
// loaders check the session and the permissions against the database (ADR 0004).
export async function middleware(request: NextRequest): Promise<NextResponse> {
  if (request.nextUrl.pathname.startsWith('/api/')) return decideCall(request)
  // Next puts the nonce that it finds in the request's policy on every script of the page.
  const policy = pagePolicy(request.nextUrl.pathname, randomBytes(16).toString('base64url'))
  const headers = forwardedHeaders(request)
  headers.set(NONCE_HEADER, policy.nonce)
  headers.set('Content-Security-Policy', policy.text)
  const response = await decide(request, headers)
  // The pages of Stripe's stand-in have a policy of their own.
  if (!STAND_IN.test(request.nextUrl.pathname)) response.headers.set('Content-Security-Policy', policy.text)
  return response
}

const STAND_IN = /^\/sandbox\/(?!mail$)/

function pagePolicy(pathname: string, nonce: string): { nonce: string; text: string } {
  // Only the running process knows to which storage browsers may upload; the build does not.
  const { uploadThing, isProduction } = env()
  const uploadOrigins = uploadThing ? [uploadThing.ingestUrl] : []
  const isPayment = isPaymentPage(pathname)
  return { nonce, text: contentSecurityPolicy({ isProduction, isPayment, nonce, uploadOrigins }) }
}

async function decide(request: NextRequest, headers: Headers): Promise<NextResponse> {
  const refusal = await refusalOfPost(request)
  if (refusal) return refusal
  if (await isPageClosed(request)) return paused(request, headers)
  const replaced = await replacedPage(request)
  if (replaced) return replacement(request, replaced, headers)
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

const STATUS: Record<Replaced, number> = {
  denied: 403,
  'removed-drop': 410,
  'missing-drop': 404,
  'missing-profile': 404,
  missing: 404,
}

/** Another page in place of the one that was asked for, with the status that a page cannot set (ADR 0020). */
function replacement(request: NextRequest, replaced: Replaced, incoming: Headers): NextResponse {
  const page = request.nextUrl.clone()
  page.pathname = '/replaced'
  page.search = ''
  return NextResponse.rewrite(page, {
    status: STATUS[replaced],
    request: { headers: marked(incoming, REPLACED_MARK, replaced) },
  })
}

/**
 * Refuses a call of the administrators to everybody else. A paused platform is left to route(), and so is a database that
 * cannot be reached.
 */
async function decideCall(request: NextRequest): Promise<NextResponse> {
  const isLeft = await isPlatformActive(database())
    .then(async (isActive) => !isActive || !isAdminPath(request.nextUrl.pathname) || (await isAdministrator(request)))
    .catch(() => true)
  if (isLeft) return NextResponse.next({ request: { headers: forwardedHeaders(request) } })
  const { status, headers, body } = await answer(request, () => Promise.reject(platformError('FORBIDDEN')))
  return new NextResponse(body, { status, headers })
}

/** Rewrites "/" to the dashboard: the seller's start page has the address of the landing page. */
function dashboard(request: NextRequest, incoming: Headers): NextResponse {
  const page = request.nextUrl.clone()
  page.pathname = '/dashboard'
  return NextResponse.rewrite(page, { request: { headers: marked(incoming, HOME_MARK) } })
}

/** Adds the header without which /paused, /replaced and /dashboard answer "not found": only rewrites from here show them. */
function marked(incoming: Headers, mark: string, value = '1'): Headers {
  const headers = new Headers(incoming)
  headers.set(mark, value)
  return headers
}

// Matches every page, and the calls of administrators. Other calls are left out, because Next cuts the body of a matched
// route at 10 MB (ADR 0004); those of administrators are small. Files are left out as well.
export const config = {
  matcher: ['/((?!api/|_next/|media/|icons/|[^/]+\\.(?:svg|png|ico|js|webmanifest)$).*)', '/api/admin/:path*'],
  runtime: 'nodejs',
}
