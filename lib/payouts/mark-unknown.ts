import 'server-only'

/**
 * SQL: the assignments that note that Stripe may still carry out a request for a payout. Stripe is then searched for
 * the result, even after the payout was given up or sent in another way (adoptLateTransfers()).
 */
export const MARK_UNKNOWN = `"unknownSince" = now(), "searchDueAt" = now()`
