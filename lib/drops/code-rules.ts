import { MIN_PRICE_CENTS } from '@/lib/kernel/money'

/** How many codes a drop can have at a time, besides those that have ended. */
export const MAX_CODES = 20
export const MAX_CODE_PERCENT = 90
export const MAX_CODE_USES = 10_000
export const MAX_CODE_PER_BUYER = 10
export const MAX_CODE_LENGTH = 20

/** What a code takes off: a percentage of the price, or an amount in cents off each unit. */
export type Discount = { percent: number | null; offCents: number | null }

/**
 * The one spelling of a code: buyers write it in any case and with spaces around it. The same characters as in the CHECK
 * constraint of the table.
 * @returns null when no code can be written like this.
 */
export function codeKey(typed: string): string | null {
  const key = typed.trim().toUpperCase()
  return /^[A-Z0-9][A-Z0-9-]{1,18}[A-Z0-9]$/.test(key) ? key : null
}

/**
 * What a code takes off the price of one unit, in cents (docs/product.md#discount-codes). A percentage is rounded half up to a
 * cent. What a buyer pays is decided by the same rule in lib/stock/code-sql.ts; a test compares the two.
 */
export function discountOf(priceCents: number, { percent, offCents }: Discount): number {
  return percent === null ? (offCents ?? 0) : Math.floor((priceCents * percent + 50) / 100)
}

/** Whether the price is still one that Stripe can charge when the code has been taken off. */
export function isChargeable(priceCents: number, discount: Discount): boolean {
  return priceCents - discountOf(priceCents, discount) >= MIN_PRICE_CENTS
}

/** The highest percentage and the highest amount that leave a chargeable price; null when no code of a drop could. */
export function highestDiscount(priceCents: number): { percent: number; offCents: number } | null {
  const offCents = priceCents - MIN_PRICE_CENTS
  if (offCents < 1) return null
  let percent = MAX_CODE_PERCENT
  while (percent > 0 && !isChargeable(priceCents, { percent, offCents: null })) percent -= 1
  return { percent, offCents }
}

/** The code in the query of a drop's link, as a browser shows it; empty without one. */
export function codeInQuery(query: string): string {
  return (new URLSearchParams(query).get('code') ?? '').trim().slice(0, MAX_CODE_LENGTH * 2)
}
