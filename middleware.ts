import { NextResponse, type NextRequest } from 'next/server'
import { refusalOfPost } from '@/lib/http/action-request'
import { answer } from '@/lib/http/answer'
import { contentSecurityPolicy, isPaymentPage } from '@/lib/http/content-security-policy.mjs'
import { HOME_MARK } from '@/lib/http/home-mark'
import { isPageClosed } from '@/lib/http/kill-switch'
import { forwardedHeaders } from '@/lib/http/forwarded-headers'
import { isAdminPath, isAdministrator, REPLACED_MARK, type Replaced, replacedPage } from '@/lib/http/replaced-page'
import { hasSessionCookie } from '@/lib/http/session'
import { isSharedPage } from '@/lib/http/shared-page'
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
  const response = await decide(request)
  // Set here, because the build does not know to which storage this process lets browsers upload.
  const { uploadThing, isProduction } = env()
  if (uploadThing) {
    const isPayment = isPaymentPage(request.nextUrl.pathname)
    const policy = contentSecurityPolicy({ isProduction, isPayment, uploadOrigins: [uploadThing.ingestUrl] })
    response.headers.set('Content-Security-Policy', policy)
  }
  return response
}

async function decide(request: NextRequest): Promise<NextResponse> {
  if (request.nextUrl.pathname.startsWith('/api/')) return decideCall(request)
  const refusal = await refusalOfPost(request)
  if (refusal) return refusal
  if (await isPageClosed(request)) return paused(request)
  const replaced = await replacedPage(request)
  if (replaced) return replacement(request, replaced)
  const { pathname, search } = request.nextUrl
  const hasSession = hasSessionCookie(request.cookies)
  if (hasSession && pathname === '/') return dashboard(request)
  if (await isSharedPage(request)) return NextResponse.next({ headers: { 'Cache-Control': SHARED_CACHE_CONTROL } })
  if (hasSession || !SELLER_PAGES.has(pathname)) return passOn(request)
  const login = request.nextUrl.clone()
  login.pathname = '/login'
  login.search = `?redirect=${encodeURIComponent(pathname + search)}`
  return NextResponse.redirect(login)
}

function passOn(request: NextRequest): NextResponse {
  return request.method === 'POST'
    ? NextResponse.next({ request: { headers: forwardedHeaders(request) } })
    : NextResponse.next()
}

function paused(request: NextRequest): NextResponse {
  const page = request.nextUrl.clone()
  page.pathname = '/paused'
  page.search = ''
  const headers = { 'Retry-After': String(PAUSED_RETRY_SECONDS), 'Cache-Control': 'no-store' }
  return NextResponse.rewrite(page, {
    status: 503,
    headers,
    request: { headers: marked(request, 'x-lastcall-paused') },
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
function replacement(request: NextRequest, replaced: Replaced): NextResponse {
  const page = request.nextUrl.clone()
  page.pathname = '/replaced'
  page.search = ''
  return NextResponse.rewrite(page, {
    status: STATUS[replaced],
    request: { headers: marked(request, REPLACED_MARK, replaced) },
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
function dashboard(request: NextRequest): NextResponse {
  const page = request.nextUrl.clone()
  page.pathname = '/dashboard'
  return NextResponse.rewrite(page, { request: { headers: marked(request, HOME_MARK) } })
}

/** Adds the header without which these pages answer "not found": they are shown only by a rewrite from here. */
function marked(request: NextRequest, mark: string, value = '1'): Headers {
  const headers = forwardedHeaders(request)
  headers.set(mark, value)
  return headers
}

// Matches every page, and the calls of administrators. Other calls are left out, because Next cuts the body of a matched
// route at 10 MB (ADR 0004); those of administrators are small. Files are left out as well.
export const config = {
  matcher: ['/((?!api/|_next/|media/|icons/|[^/]+\\.(?:svg|png|ico|js|webmanifest)$).*)', '/api/admin/:path*'],
  runtime: 'nodejs',
}
