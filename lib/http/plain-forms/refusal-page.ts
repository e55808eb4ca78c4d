import 'server-only'
import type { AppError } from '@/lib/kernel/app-error'
import { PERSONAL_CACHE_CONTROL } from '@/lib/kernel/response-headers.mjs'
import { refusedPage } from '@/lib/platform/messages'
import { contentType } from '../input'
import { isOurOrigin } from '../origin'
import { ownPath } from '../own-path'
import { escapeHtml, plainPage } from './plain-page'

/** The types of forms without and with files. */
const FORM_TYPES = ['application/x-www-form-urlencoded', 'multipart/form-data']

/**
 * Whether a browser will show the response to this request as a page. Browsers name HTML in the `accept` header only
 * for what they show, and programs accept JSON or any type. The request must also post a form, or go to a path outside
 * the API.
 */
export function isShownToAPerson(request: Request): boolean {
  if (!(request.headers.get('accept') ?? '').includes('text/html')) return false
  const isForm = request.method === 'POST' && FORM_TYPES.includes(contentType(request))
  return isForm || !new URL(request.url).pathname.startsWith('/api/')
}

/** A longer text that a person typed into one of our forms, with the values needed to show the form again. */
export type Written = {
  name: string
  text: string
  label: string
  maxLength: number
  /** The other values of the form, which the page sends again as hidden fields. */
  hiddenFields: Record<string, string>
  /** The page with the form. */
  page: string
}

/**
 * Builds an HTML page for a refusal, with the error's text and links to other pages. If a person typed a longer text,
 * the page shows this text in a form, so that the person can correct the text and send it again. A 404 has no such
 * form. The status is the same as for programs.
 */
export function refusalPage(error: AppError, request: Request, written: Written | null = null): Response {
  const kept = written && error.status !== 404 ? written : null
  const links = linksAfter(error, request, kept).map(
    ([label, href]) => `<a href="${escapeHtml(href)}">${escapeHtml(label)}</a>`,
  )
  const headers = new Headers({ 'Cache-Control': PERSONAL_CACHE_CONTROL, 'Content-Type': 'text/html; charset=utf-8' })
  if (error.retryAfterSeconds !== undefined) headers.set('Retry-After', String(error.retryAfterSeconds))
  const actions = `${kept ? formAgain(kept, request) : ''}<nav>${links.join('')}</nav>`
  const page = plainPage({ ...wordsOf(error), actions })
  return new Response(page, { status: error.status, headers })
}

/** One sentence of at most 60 characters. */
const SHORT_REASON = /^[^.!?]{1,60}[.!?]$/

/**
 * Returns the heading and the text for an error. A short error is the heading, so that people read the reason first.
 * Any other error has a general heading, and its text is never split.
 */
function wordsOf({ status, message, field }: AppError): { title: string; text: string } {
  if (status >= 500) return { title: refusedPage.title, text: message }
  if (SHORT_REASON.test(message)) return { title: message, text: '' }
  return { title: field ? refusedPage.fieldTitle : refusedPage.refusedTitle, text: message }
}

/** Returns the HTML of the form, filled in with the values that were sent. */
function formAgain({ name, text, label, maxLength, hiddenFields }: Written, request: Request): string {
  const hidden = Object.entries(hiddenFields).map(
    ([key, value]) => `<input type="hidden" name="${escapeHtml(key)}" value="${escapeHtml(value)}">`,
  )
  // HTML drops the first line break inside a textarea, so one is added.
  return `<form method="post" action="${escapeHtml(new URL(request.url).pathname)}">${hidden.join('')}
<label for="again">${escapeHtml(label)}</label>
<textarea id="again" name="${escapeHtml(name)}" rows="6" maxlength="${maxLength}">\n${escapeHtml(text)}</textarea>
<button>${refusedPage.sendAgain}</button></form>`
}

function linksAfter(error: AppError, request: Request, kept: Written | null): [label: string, href: string][] {
  const { pathname, search } = new URL(request.url)
  const home: [string, string] = [refusedPage.home, '/']
  if (error.status === 401) {
    // After a form post the login leads back to the page with the form, because a POST cannot be repeated.
    const path = request.method === 'GET' ? pathname + search : pageBefore(request)
    return [[refusedPage.signIn, `/login?redirect=${encodeURIComponent(path ?? '/')}`], home]
  }
  const before = kept ? kept.page : pageBefore(request)
  return before ? [[refusedPage.back, before], home] : [home]
}

/**
 * Returns the path and query of the page that the request came from, or null when it is not one of our pages or is "/".
 */
function pageBefore(request: Request): string | null {
  const referrer = request.headers.get('referer') ?? ''
  if (!URL.canParse(referrer)) return null
  const { origin, pathname, search } = new URL(referrer)
  const path = ownPath(pathname + search)
  return isOurOrigin(origin) && path !== '/' ? path : null
}
