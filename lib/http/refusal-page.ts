import 'server-only'
import type { AppError } from '@/lib/kernel/app-error'
import { PERSONAL_CACHE_CONTROL } from '@/lib/kernel/response-headers.mjs'
import { refusedPage } from '@/lib/platform/messages'
import { contentType } from './input'
import { isOurOrigin } from './origin'
import { ownPath } from './own-path'
import { escapeHtml, plainPage } from './plain-page'

/**
 * Whether a browser will show this answer as a page: the request posts one of our forms, or opens an address outside
 * the API. Programs accept JSON or anything; browsers list HTML only for what they show.
 */
export function isShownToAPerson(request: Request): boolean {
  if (!(request.headers.get('accept') ?? '').includes('text/html')) return false
  const isForm = request.method === 'POST' && contentType(request) === 'application/x-www-form-urlencoded'
  return isForm || !new URL(request.url).pathname.startsWith('/api/')
}

/** A longer text that a person wrote into one of our forms, with what is needed to show the form again. */
export type Written = {
  name: string
  text: string
  label: string
  maxLength: number
  also: Record<string, string>
  /** The page with the form. */
  page: string
}

/**
 * Builds an HTML page for a refusal, with its text and links onwards. A text that a person wrote is given back in a
 * form, where it can be corrected and sent again. The status is the same as for programs.
 */
export function refusalPage(error: AppError, request: Request, written: Written | null = null): Response {
  const kept = written && error.status !== 404 ? written : null
  const links = waysOn(error, request, kept).map(
    ([label, href]) => `<a href="${escapeHtml(href)}">${escapeHtml(label)}</a>`,
  )
  const headers = new Headers({ 'Cache-Control': PERSONAL_CACHE_CONTROL, 'Content-Type': 'text/html; charset=utf-8' })
  if (error.retryAfterSeconds !== undefined) headers.set('Retry-After', String(error.retryAfterSeconds))
  const wayOn = `${kept ? formAgain(kept, request) : ''}<nav>${links.join('')}</nav>`
  const page = plainPage({ title: refusedPage.title, text: error.message, wayOn })
  return new Response(page, { status: error.status, headers })
}

/** The same form again, filled in as it was sent. */
function formAgain({ name, text, label, maxLength, also }: Written, request: Request): string {
  const hidden = Object.entries(also).map(
    ([key, value]) => `<input type="hidden" name="${escapeHtml(key)}" value="${escapeHtml(value)}">`,
  )
  // HTML drops the first line break inside a textarea, so one is added.
  return `<form method="post" action="${escapeHtml(new URL(request.url).pathname)}">${hidden.join('')}
<label for="again">${escapeHtml(label)}</label>
<textarea id="again" name="${escapeHtml(name)}" rows="6" maxlength="${maxLength}">\n${escapeHtml(text)}</textarea>
<button>${refusedPage.sendAgain}</button></form>`
}

function waysOn(error: AppError, request: Request, kept: Written | null): [label: string, href: string][] {
  const { pathname, search } = new URL(request.url)
  const home: [string, string] = [refusedPage.home, '/']
  if (error.status === 401) {
    // After a form post the login leads back to the page with the form, because a POST cannot be repeated.
    const path = request.method === 'GET' ? pathname + search : pageBefore(request)
    return [[refusedPage.logIn, `/login?redirect=${encodeURIComponent(path ?? '/')}`], home]
  }
  const before = kept ? kept.page : pageBefore(request)
  return before ? [[refusedPage.back, before], home] : [home]
}

/** The page of ours that contained the form, if the browser sent a referrer. */
function pageBefore(request: Request): string | null {
  const referrer = request.headers.get('referer') ?? ''
  if (!URL.canParse(referrer)) return null
  const { origin, pathname, search } = new URL(referrer)
  const path = ownPath(pathname + search)
  return isOurOrigin(origin) && path !== '/' ? path : null
}
