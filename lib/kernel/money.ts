/** Money is integer cents, in US dollars (docs/product.md#currency). */

/** Stripe's smallest charge and our largest price, in cents (docs/product.md#prices-and-quantities). */
export const MIN_PRICE_CENTS = 50
export const MAX_PRICE_CENTS = 99_999_999

/**
 * Parses a price as people and forms write it: "24", "24.5", "$1,234.50". A comma with one or two digits after it is a
 * decimal comma ("24,50"), because it is the only decimal key of many phones. It never uses a float.
 * @returns integer cents, or null when the text is not such a price (docs/product.md#prices-and-quantities).
 */
export function parsePriceCents(text: string): number | null {
  const match = /^\$?(?:(\d{1,3}(?:,\d{3})+)(?:\.(\d{1,2}))?|(\d{1,9})(?:[.,](\d{1,2}))?)$/.exec(text.trim())
  if (!match) return null
  const [, grouped, groupedCents, plain, plainCents] = match
  const dollars = Number((grouped ?? plain)!.replaceAll(',', ''))
  const cents = Number((groupedCents ?? plainCents ?? '').padEnd(2, '0'))
  return dollars * 100 + cents
}

/** Writes cents as the API's decimal string: 2400 gives "24.00" (docs/contract.md#drop). */
export function toDecimal(cents: number): string {
  const sign = cents < 0 ? '-' : ''
  const absolute = Math.abs(cents)
  return `${sign}${Math.floor(absolute / 100)}.${String(absolute % 100).padStart(2, '0')}`
}

/**
 * Formats cents: 240000 gives "$2,400.00". Without Intl, because loading it takes a phone longer than everything else
 * the drop page does at first.
 */
export function formatUsd(cents: number): string {
  const plain = toDecimal(Math.abs(cents)).replace(/\B(?=(?:\d{3})+\.)/g, ',')
  return `${cents < 0 ? '-' : ''}$${plain}`
}

/**
 * Splits a paid amount into the platform's fee and the seller's payout, rounding the fee half up to a cent. The two
 * always add up to the amount (docs/product.md#fees).
 * @param feeBps the fee in basis points: 500 is 5 %.
 */
export function splitAmount(
  amountCents: number,
  feeBps: number,
): { platformFeeCents: number; sellerPayoutCents: number } {
  const platformFeeCents = Math.floor((amountCents * feeBps + 5_000) / 10_000)
  return { platformFeeCents, sellerPayoutCents: amountCents - platformFeeCents }
}

/** Stripe's published card fee in the US (2.9 % + 30¢), to estimate the net amount before a payment exists. */
export function estimateCardFeeCents(amountCents: number): number {
  return Math.floor((amountCents * 290 + 5_000) / 10_000) + 30
}
