// The sizes that bodies of pages and server actions may have, for the application and for the HTTP server in front of
// it (lib/server). This file is plain JavaScript, because the server runs without a bundler.

/** The only page whose actions accept a large body: a file with tracking numbers (lib/shipping/schema.ts). */
export const LARGE_BODY_PATH = '/orders/import'

/** The largest body of the actions of LARGE_BODY_PATH, as in next.config.js. */
export const LARGE_BODY_BYTES = 7 * 1024 * 1024

/**
 * The largest body of a form and of every other server action. A new passkey is the largest of them and has less than
 * 50,000 bytes. It is also the limit of lib/sandbox/stripe/pages/read-sent-body.ts.
 */
export const SMALL_BODY_BYTES = 64 * 1024
