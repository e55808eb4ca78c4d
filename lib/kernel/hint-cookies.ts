// The names of cookies that scripts in the browser may read. A page that is the same for everyone reads them to learn
// something about the browser. They grant no access, because the server never trusts them and checks the database.

/**
 * The id of the signed-in seller, so that a shared page knows whether to make this seller's private calls (ADR 0015).
 */
export const SELLER_HINT = 'lastcall-seller'

/** The id of the drop for which a checkout is open, and when its units are released (checkout-hint.ts). */
export const CHECKOUT_HINT = 'lastcall-checkout'
