import 'server-only'
import type { AppError } from '@/lib/kernel/app-error'
import { PERSONAL_CACHE_CONTROL } from '@/lib/kernel/response-headers.mjs'
import { checkoutTexts } from '@/lib/checkout/messages'
import { workWaitText } from '@/lib/checkout/hold/line-messages'
import { type BuyChoice, buyForm } from './buy-form'
import { plainPage } from './plain-page'

/**
 * Builds the page for a browser without JavaScript that has to wait before it gets a hold. The page shows how long the
 * wait is. Its button sends the same order again with the token of the refusal (docs/product.md#when-many-buy-at-once).
 */
export function waitPage(error: AppError, choice: BuyChoice, dropPath: string): Response {
  const seconds = error.retryAfterSeconds ?? 1
  const texts = { button: checkoutTexts.waitButton, back: checkoutTexts.waitBack }
  const actions = buyForm(dropPath, { ...choice, work: error.work ?? '' }, texts)
  const page = plainPage({ title: checkoutTexts.waitTitle, text: workWaitText(seconds), actions })
  const headers = { 'Cache-Control': PERSONAL_CACHE_CONTROL, 'Content-Type': 'text/html; charset=utf-8' }
  return new Response(page, { status: error.status, headers: { ...headers, 'Retry-After': String(seconds) } })
}
