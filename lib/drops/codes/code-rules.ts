import { MIN_PRICE_CENTS } from '@/lib/kernel/money'

/** How many codes a drop can have at a time. Codes that were ended or have expired do not count. */
export const MAX_CODES = 20
/** How many codes a drop can have in all, with those that were ended or have expired. */
export const MAX_CODES_EVER = 200
export const MAX_CODE_PERCENT = 90
export const MAX_CODE_USES = 10_000
export const MAX_CODE_PER_BUYER = 10
export const MAX_CODE_LENGTH = 20

/** What a code takes off: a percentage of the price, or an amount in cents off each unit. */
export type Discount = { percent: number | null; offCents: number | null }

/**
 * Converts a typed code to its normal spelling: upper case, without spaces around it. The CHECK constraint of the table
 * allows the same characters.
 * @returns null when the text cannot be a code.
 */
export function codeKey(typed: string): string | null {
  const key = typed.trim().toUpperCase()
  return /^[A-Z0-9][A-Z0-9-]{1,18}[A-Z0-9]$/.test(key) ? key : null
}

/**
 * Returns what a code takes off the price of one unit, in cents (docs/product.md#discount-codes). A percentage is
 * rounded half up to a cent. lib/stock/code-sql.ts applies the same rule when units are held, and a test compares the
 * two.
 */
export function discountOf(priceCents: number, { percent, offCents }: Discount): number {
  return percent === null ? (offCents ?? 0) : Math.floor((priceCents * percent + 50) / 100)
}

/** Whether the price less the discount is still one that Stripe can charge. */
export function isChargeable(priceCents: number, discount: Discount): boolean {
  return priceCents - discountOf(priceCents, discount) >= MIN_PRICE_CENTS
}

/**
 * Returns the highest whole percentage (which may be 0) and the highest amount that leave a chargeable price. Returns
 * null when the price is too low for any code.
 */
export function highestDiscount(priceCents: number): { percent: number; offCents: number } | null {
  const offCents = priceCents - MIN_PRICE_CENTS
  if (offCents < 1) return null
  let percent = MAX_CODE_PERCENT
  while (percent > 0 && !isChargeable(priceCents, { percent, offCents: null })) percent -= 1
  return { percent, offCents }
}

/** Returns the code in the query of a drop's link, or an empty string when there is none. */
export function codeInQuery(query: string): string {
  return (new URLSearchParams(query).get('code') ?? '').trim().slice(0, MAX_CODE_LENGTH * 2)
}
