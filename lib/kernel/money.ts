/** All amounts of money are integer cents of US dollars (docs/product.md#currency). */

/** Stripe's smallest charge and our largest price, in cents (docs/product.md#prices-and-quantities). */
export const MIN_PRICE_CENTS = 50
export const MAX_PRICE_CENTS = 99_999_999

/**
 * Parses a price as people and forms write it: "24", "24.5", "$1,234.50". A comma with one or two digits after it is a
 * decimal comma ("24,50", "1.234,50"), because many phones offer only a comma as decimal key. The calculation uses
 * integers only.
 * @returns integer cents, or null when the text is not such a price (docs/product.md#prices-and-quantities).
 */
export function parsePriceCents(text: string): number | null {
  const withPoints = text.trim().replace(/^(\$?)([1-9]\d{0,2}(?:\.\d{3})+),(?=\d{1,2}$)/, decimalCommaToPoint)
  const match = /^\$?(?:([1-9]\d{0,2}(?:,\d{3})+)(?:\.(\d{1,2}))?|(\d{1,9})(?:[.,](\d{1,2}))?)$/.exec(withPoints)
  if (!match) return null
  const [, grouped, groupedCents, plain, plainCents] = match
  const dollars = Number((grouped ?? plain)!.replaceAll(',', ''))
  const cents = Number((groupedCents ?? plainCents ?? '').padEnd(2, '0'))
  return dollars * 100 + cents
}

const decimalCommaToPoint = (_all: string, sign: string, dollars: string) => `${sign}${dollars.replaceAll('.', ',')}.`

/** Writes cents as the API's decimal string: 2400 becomes "24.00" (docs/contract.md#drop). */
export function toDecimal(cents: number): string {
  const sign = cents < 0 ? '-' : ''
  const absolute = Math.abs(cents)
  return `${sign}${Math.floor(absolute / 100)}.${String(absolute % 100).padStart(2, '0')}`
}

/**
 * Formats cents: 240000 becomes "$2,400.00". It does not use Intl, because loading Intl takes a phone longer than
 * everything else that the drop page does when it starts.
 */
export function formatUsd(cents: number): string {
  const plain = toDecimal(Math.abs(cents)).replace(/\B(?=(?:\d{3})+\.)/g, ',')
  return `${cents < 0 ? '-' : ''}$${plain}`
}

/** Formats cents with a typographic minus sign: -500 becomes "−$5.00". */
export function formatSignedUsd(cents: number): string {
  return `${cents < 0 ? '−' : ''}${formatUsd(Math.abs(cents))}`
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

/** Estimates the card fee in cents from Stripe's published rate in the US (2.9 % + 30¢), before a payment exists. */
export function estimateCardFeeCents(amountCents: number): number {
  return Math.floor((amountCents * 290 + 5_000) / 10_000) + 30
}
