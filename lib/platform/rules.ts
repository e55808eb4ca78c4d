/**
 * Pages that stay open to everyone while the platform is paused (docs/product.md#kill-switch). Among them are the
 * login, so that administrators can sign in, the legal pages, the pages for people who have paid, and those with which
 * sellers fulfill their orders. Calls below /api are not in this list, because each call declares whether it stays
 * open (`isAlwaysOpen`).
 */
const OPEN_PAGES = [
  /^\/(?:login|two-factor)(?:\/send)?$/,
  /^\/(?:forgot-password|forgot-username|reset-password)(?:\/send)?$/,
  /^\/confirm-email(?:\/send)?$/,
  /^\/(?:privacy-policy|terms-of-service|prohibited-content)$/,
  // The order page and its files, receipts and refund requests.
  /^\/o\/[^/]+(?:\/.*)?$/,
  /^\/find-order(?:\/send)?$/,
  // Sellers can still ship, refund, cancel Pro, and export their payouts and followers.
  /^\/orders(?:\/.*)?$/,
  /^\/(?:billing|payouts\/(?:statement|taxes)\.csv|followers\/export\.csv)$/,
  // A follower can still confirm and unsubscribe.
  /^\/follow\/[^/]+$/,
  // Browsers store this page and show it when the server cannot be reached.
  /^\/offline$/,
  /^\/(?:success-payment|payment-success-breakdown)$/,
  // The card page sends buyers here when they go back without paying.
  /^\/drop\/[^/]+\/cancel$/,
  // The pages of Stripe's stand-in stay open, because Stripe itself would stay open too.
  /^\/sandbox\//,
]

/** Whether a page stays open while the platform is paused (docs/product.md#kill-switch). `pathname` has no query. */
export function isOpenWhilePaused(pathname: string): boolean {
  return OPEN_PAGES.some((pattern) => pattern.test(pathname))
}

/**
 * Open pages that cannot work without the database: the pages of purchases and the page that confirms following a
 * seller. For signed-in users, these are also the pages of sales and the login, which looks up the user in order to
 * redirect them.
 */
const DATABASE_PAGES = /^\/(?:o\/.+|follow\/confirm|success-payment|payment-success-breakdown)$/
const DATABASE_PAGES_OF_SIGNED_IN =
  /^\/(?:login|two-factor|billing|orders.*|payouts\/(?:statement|taxes)\.csv|followers\/export\.csv)$/

/** Whether an open page cannot work without the database, so that it is closed while the database is unavailable. */
export function asksDatabase(pathname: string, isSignedIn: boolean): boolean {
  return DATABASE_PAGES.test(pathname) || (isSignedIn && DATABASE_PAGES_OF_SIGNED_IN.test(pathname))
}

/** How many seconds a client waits during a pause before it tries again. */
export const PAUSED_RETRY_SECONDS = 60
