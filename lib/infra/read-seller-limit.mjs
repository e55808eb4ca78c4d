// The variables about sellers whose identity Stripe has not checked (docs/product.md#limit-of-unverified-sellers).

/** @import { Check, Get } from './env-rules.mjs' */

/** The limit with live keys when none is set: $1,000 a month. */
const LIVE_CAP_CENTS = 100_000
/** The highest limit that can be set: $1,000,000 a month. */
const MAX_CAP_CENTS = 100_000_000

/**
 * Reads how much an unverified seller may sell for in a calendar month, and the home country of sellers who have not
 * stated one.
 * @param {Get} get
 * @param {Check} check
 * @param {boolean} isLive whether real money is taken. Without it, there is no limit unless one is set.
 * @returns {{ capCents: number, homeCountry: string } | null} null for no limit
 */
export function readSellerLimit(get, check, isLive) {
  const text = get('UNVERIFIED_MONTHLY_CAP_CENTS')
  const capCents = text === null ? (isLive ? LIVE_CAP_CENTS : 0) : Number(text)
  check(
    Number.isInteger(capCents) && capCents >= 0 && capCents <= MAX_CAP_CENTS,
    `UNVERIFIED_MONTHLY_CAP_CENTS is "${text}": give a whole number of cents up to ${MAX_CAP_CENTS}, or 0 for no limit.`,
  )
  const homeCountry = get('UNVERIFIED_HOME_COUNTRY') ?? 'US'
  check(
    /^[A-Z]{2}$/.test(homeCountry),
    `UNVERIFIED_HOME_COUNTRY is "${homeCountry}": give the two capital letters of a country, like US.`,
  )
  return capCents > 0 ? { capCents, homeCountry } : null
}
