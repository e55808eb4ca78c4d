// Cookies that scripts may read and that grant nothing. They let a page that is the same for everybody know something
// about the browser that shows it. The server never trusts them; it asks the database.

/**
 * The id of the signed-in seller, so that a shared page knows whether to make this seller's private calls (ADR 0015).
 */
export const SELLER_HINT = 'lastcall-seller'

/** The id of the drop for which a checkout is open. */
export const CHECKOUT_HINT = 'lastcall-checkout'
