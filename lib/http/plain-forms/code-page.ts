import 'server-only'
import type { AppError } from '@/lib/kernel/app-error'
import { PERSONAL_CACHE_CONTROL } from '@/lib/kernel/response-headers.mjs'
import { checkoutTexts } from '@/lib/checkout/messages'
import { type BuyChoice, buyForm } from './buy-form'
import { plainPage } from './plain-page'

/**
 * Returns the page for a browser without JavaScript whose discount code cannot be used. It gives the reason, and its
 * button sends the same order without the code (docs/product.md#discount-codes).
 */
export function codePage(error: AppError, choice: BuyChoice, dropPath: string): Response {
  const texts = { button: checkoutTexts.buyWithoutCode, back: checkoutTexts.waitBack }
  const actions = buyForm(dropPath, { ...choice, code: '' }, texts)
  const page = plainPage({ title: checkoutTexts.codeRefusedTitle, text: error.message, actions })
  const headers = { 'Cache-Control': PERSONAL_CACHE_CONTROL, 'Content-Type': 'text/html; charset=utf-8' }
  return new Response(page, { status: error.status, headers })
}
