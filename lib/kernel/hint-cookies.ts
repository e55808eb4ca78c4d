// The names of cookies that scripts in the browser may read. From them a page that is the same for everybody learns
// something about the browser that shows it. They grant nothing: the server never trusts them and asks the database.

/**
 * The id of the signed-in seller, so that a shared page knows whether to make this seller's private calls (ADR 0015).
 */
export const SELLER_HINT = 'lastcall-seller'

/** The id of the drop for which a checkout is open. */
export const CHECKOUT_HINT = 'lastcall-checkout'
