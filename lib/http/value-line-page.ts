import 'server-only'
import type { AppError } from '@/lib/kernel/app-error'
import { PERSONAL_CACHE_CONTROL } from '@/lib/kernel/response-headers.mjs'
import { refusedPage } from '@/lib/platform/messages'
import { waitlistTexts } from '@/lib/waitlist/messages'
import { escapeHtml, plainPage } from './plain-page'

/**
 * The page for a browser without JavaScript whose buyer chose a value that is sold out or in checkout: it says so and takes
 * an address for the line of that value. With JavaScript the drop page has the same form (docs/product.md#options).
 */
export function valueLinePage(error: AppError, { option, dropPath }: { option: string; dropPath: string }): Response {
  const path = escapeHtml(dropPath)
  const wayOn = `<p>${escapeHtml(waitlistTexts.lineText)}</p>
<form method="post" action="${path}/remind"><input type="hidden" name="option" value="${escapeHtml(option)}">
<label for="email">Email</label>
<input id="email" name="email" type="email" required maxlength="254" autocomplete="email">
<button>${waitlistTexts.button}</button></form>
<nav><a href="${path}">${refusedPage.back}</a></nav>`
  const page = plainPage({ title: waitlistTexts.lineTitle, text: error.message, wayOn })
  const headers = { 'Cache-Control': PERSONAL_CACHE_CONTROL, 'Content-Type': 'text/html; charset=utf-8' }
  return new Response(page, { status: error.status, headers })
}
