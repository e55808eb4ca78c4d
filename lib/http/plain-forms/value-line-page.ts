import 'server-only'
import { pathWithEarly } from '@/lib/drops/start/early-rules'
import type { AppError } from '@/lib/kernel/app-error'
import { PERSONAL_CACHE_CONTROL } from '@/lib/kernel/response-headers.mjs'
import { refusedPage } from '@/lib/platform/messages'
import { waitlistTexts } from '@/lib/waitlist/messages'
import { escapeHtml, plainPage } from './plain-page'

/**
 * Builds the page for a browser without JavaScript whose buyer chose a value of which all units are sold or in
 * checkout. The page shows the refusal and a form that puts an email address on the waitlist for that value. With
 * JavaScript the drop page has the same form (docs/product.md#options).
 */
export function valueLinePage(
  error: AppError,
  { option, dropPath, early }: { option: string; dropPath: string; early: string | undefined },
): Response {
  const path = escapeHtml(dropPath)
  const actions = `<p>${escapeHtml(waitlistTexts.lineText)}</p>
<form method="post" action="${path}/remind"><input type="hidden" name="option" value="${escapeHtml(option)}">
<label for="email">Email</label>
<input id="email" name="email" type="email" required maxlength="254" autocomplete="email">
<button>${waitlistTexts.button}</button></form>
<nav><a href="${escapeHtml(pathWithEarly(dropPath, early))}">${refusedPage.back}</a></nav>`
  const page = plainPage({ title: waitlistTexts.lineTitle, text: error.message, actions })
  const headers = { 'Cache-Control': PERSONAL_CACHE_CONTROL, 'Content-Type': 'text/html; charset=utf-8' }
  return new Response(page, { status: error.status, headers })
}
