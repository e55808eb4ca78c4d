import { randomBytes } from 'node:crypto'
import { NextResponse, type NextRequest } from 'next/server'
import { refusalOfPost } from '@/lib/http/plain-forms/refusal-of-post'
import { answer } from '@/lib/http/answer'
import {
  contentSecurityPolicy,
  isPaymentPage,
  isWalletPage,
  NONCE_HEADER,
  walletHeaders,
} from '@/lib/http/content-security-policy.mjs'
import { HOME_MARK } from '@/lib/http/cookies/home-mark'
import { isPageClosed } from '@/lib/http/plain-forms/is-page-closed'
import { forwardedHeaders } from '@/lib/http/forwarded-headers'
import {
  isAdminPath,
  REPLACED_MARK,
  refusalOfAdminCall,
  type Replaced,
  replacedPage,
} from '@/lib/http/plain-forms/replaced-page'
import { hasSessionCookie } from '@/lib/http/session'
import { isSharedPage } from '@/lib/http/is-shared-page'
import { routeOfPostedForm } from '@/lib/http/plain-forms/route-of-posted-form'
import { database } from '@/lib/infra/db'
import { env } from '@/lib/infra/env'
import { SHARED_CACHE_CONTROL } from '@/lib/kernel/response-headers.mjs'
import { platformError } from '@/lib/platform/messages'
import { isPlatformActive } from '@/lib/platform/queries'
import { PAUSED_RETRY_SECONDS } from '@/lib/platform/rules'

/**
 * Pages from which visitors without a session cookie are redirected to the login. The other pages for sellers, such as
 * /appeal and an order, check the session themselves.
 */
const SELLER_PAGES = new Set([
  '/account',
  '/account/seller',
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

// Refuses posts that would make Next fail, and closes pages while the platform is paused (ADR 0026). Keeps everyone but
// administrators out of the admin panel and its calls. Replaces pages that do not exist (ADR 0020). Passes the sign-in
// forms of browsers without JavaScript on to their routes. Redirects visitors without a session cookie to the login
// before one of SELLER_PAGES is rendered. The middleware grants no access: route(), action() and the page loaders check
// the session and the permissions against the database (ADR 0004).
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
  // The build sets these headers for all pages, but only the running process knows whether drop pages offer wallets.
  if (policy.hasWallets)
    for (const { key, value } of walletHeaders({ isPayment: true })) response.headers.set(key, value)
  return response
}

const STAND_IN = /^\/sandbox\/(?!mail$)/

function pagePolicy(pathname: string, nonce: string): { nonce: string; text: string; hasWallets: boolean } {
  // Only the running process, not the build, knows the storage to which browsers may upload.
  const { uploadThing, isProduction, stripePublishableKey } = env()
  const uploadOrigins = uploadThing ? [uploadThing.ingestUrl] : []
  const hasWallets = isWalletPage(pathname) && stripePublishableKey !== null
  const isPayment = isPaymentPage(pathname) || hasWallets
  return { nonce, text: contentSecurityPolicy({ isProduction, isPayment, nonce, uploadOrigins }), hasWallets }
}

async function decide(request: NextRequest, headers: Headers): Promise<NextResponse> {
  const refusal = await refusalOfPost(request)
  if (refusal) return refusal
  if (await isPageClosed(request)) return paused(request, headers)
  const replaced = await replacedPage(request)
  if (replaced) return replacement(request, replaced, headers)
  const posted = routeOfPostedForm(request)
  if (posted) return passedOn(request, posted, headers)
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

/** Passes a post of a form on to the route that receives it. The query, which names where to return to, is kept. */
function passedOn(request: NextRequest, path: string, headers: Headers): NextResponse {
  const form = request.nextUrl.clone()
  form.pathname = path
  return NextResponse.rewrite(form, { request: { headers } })
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
  'missing-order': 404,
  missing: 404,
}

/** Shows another page in place of the requested one, with a status that a page itself cannot set (ADR 0020). */
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
 * Refuses the calls of the admin panel to everyone but administrators: with 401 to visitors, and with 403 to sellers.
 * While the database cannot be reached, route() decides. The state of the platform does not matter here, but reading it
 * fails while the database is unavailable.
 */
async function decideCall(request: NextRequest): Promise<NextResponse> {
  const refusal = await isPlatformActive(database())
    .then(() => (isAdminPath(request.nextUrl.pathname) ? refusalOfAdminCall(request) : null))
    .catch(() => null)
  if (!refusal) return NextResponse.next({ request: { headers: forwardedHeaders(request) } })
  const { status, headers, body } = await answer(request, () => Promise.reject(platformError(refusal)))
  return new NextResponse(body, { status, headers })
}

/** Rewrites "/" to the dashboard, because a seller's start page has the same URL as the landing page. */
function dashboard(request: NextRequest, incoming: Headers): NextResponse {
  const page = request.nextUrl.clone()
  page.pathname = '/dashboard'
  return NextResponse.rewrite(page, { request: { headers: marked(incoming, HOME_MARK) } })
}

/**
 * Adds the header without which /paused, /replaced and /dashboard respond with "not found", so that only the rewrites
 * in this file show these pages.
 */
function marked(incoming: Headers, mark: string, value = '1'): Headers {
  const headers = new Headers(incoming)
  headers.set(mark, value)
  return headers
}

// Matches every page, and the calls of the admin panel, whose bodies are small. Other calls are left out, because Next
// cuts the body of a matched route at 10 MB (ADR 0004). Files are left out too.
export const config = {
  matcher: ['/((?!api/|_next/|media/|icons/|[^/]+\\.(?:svg|png|ico|js|webmanifest)$).*)', '/api/admin/:path*'],
  runtime: 'nodejs',
}
