/**
 * Pages that stay open to everybody while the platform is paused (docs/product.md#kill-switch): the login, so that
 * administrators can sign in, the legal pages, and the pages that people need who have paid. Calls decide by
 * themselves, with `isAlwaysOpen`.
 */
const OPEN_PAGES = [
  /^\/(?:login|two-factor)$/,
  /^\/(?:forgot-password|forgot-username|reset-password|confirm-email)$/,
  /^\/(?:privacy-policy|terms-of-service|prohibited-content)$/,
  // The order page and its files, receipts and refund requests.
  /^\/o\/[^/]+(?:\/.*)?$/,
  /^\/find-order(?:\/send)?$/,
  // Sellers can still ship, refund and cancel Pro.
  /^\/orders(?:\/.*)?$/,
  /^\/(?:billing|payouts\/statement\.csv)$/,
  // The page that browsers store for when the server cannot be reached.
  /^\/offline$/,
  /^\/(?:success-payment|payment-success-breakdown)$/,
  // The card page sends buyers here when they go back without paying.
  /^\/drop\/[^/]+\/cancel$/,
  // Stripe's stand-in stays open, because Stripe itself would too.
  /^\/sandbox\//,
]

export function isOpenWhilePaused(pathname: string): boolean {
  return OPEN_PAGES.some((pattern) => pattern.test(pathname))
}

/**
 * Open pages that fail without the database: purchases and sales, and the login of a user who is already signed in,
 * which redirects.
 */
const DATABASE_PAGES = /^\/(?:o\/.+|success-payment|payment-success-breakdown)$/
const DATABASE_PAGES_OF_SIGNED_IN = /^\/(?:login|two-factor|billing|orders.*|payouts\/statement\.csv)$/

export function asksDatabase(pathname: string, isSignedIn: boolean): boolean {
  return DATABASE_PAGES.test(pathname) || (isSignedIn && DATABASE_PAGES_OF_SIGNED_IN.test(pathname))
}

/** How many seconds a client waits during a pause before it asks again. */
export const PAUSED_RETRY_SECONDS = 60
