// Readable in the browser and good for nothing: what a page that is the same for everybody may know of the browser that shows
// it. The server believes neither, it asks the database.

/** Whose private calls a shared page may ask for (ADR 0015): the id of the seller who is signed in. */
export const SELLER_HINT = 'lastcall-seller'

/** Which drop a checkout is open for: its id. */
export const CHECKOUT_HINT = 'lastcall-checkout'
