/**
 * Pages that stay open to everybody while the platform is paused (DECISIONS 38): the login, so that admins get in, the
 * legal pages, and what somebody who has paid needs. Calls decide by themselves, with `isAlwaysOpen`.
 */
const OPEN_PAGES = [
  /^\/(?:login|two-factor)$/,
  /^\/(?:forgot-password|forgot-username|reset-password|confirm-email)$/,
  /^\/(?:privacy-policy|terms-of-service|prohibited-content)$/,
  // The order page and what hangs on it: files, receipts, refund requests.
  /^\/o\/[^/]+(?:\/.*)?$/,
  /^\/find-order(?:\/send)?$/,
  // A seller ships and refunds as before, and may leave.
  /^\/orders(?:\/.*)?$/,
  /^\/(?:billing|payouts\/statement\.csv)$/,
  // What a browser keeps for when it cannot reach us.
  /^\/offline$/,
  /^\/(?:success-payment|payment-success-breakdown)$/,
  // Where the card page sends a buyer who turns back.
  /^\/drop\/[^/]+\/cancel$/,
  // Stripe's stand-in: Stripe itself would not stop either.
  /^\/sandbox\//,
]

export function isOpenWhilePaused(pathname: string): boolean {
  return OPEN_PAGES.some((pattern) => pattern.test(pathname))
}

/** Open pages that are nothing without the database: what was bought or sold, and the login of who is signed in, which leads on. */
const DATABASE_PAGES = /^\/(?:o\/.+|success-payment|payment-success-breakdown)$/
const DATABASE_PAGES_OF_SIGNED_IN = /^\/(?:login|two-factor|billing|orders.*|payouts\/statement\.csv)$/

export function asksDatabase(pathname: string, isSignedIn: boolean): boolean {
  return DATABASE_PAGES.test(pathname) || (isSignedIn && DATABASE_PAGES_OF_SIGNED_IN.test(pathname))
}

/** How long a paused client waits before it asks again. */
export const PAUSED_RETRY_SECONDS = 60
