// The form of a follower's token in the URL of a drop page (ADR 0066), which the page, the middleware and the shared
// cache must agree on. This file is plain JavaScript, because the server runs without a bundler.

/** newSecret() of lib/kernel/id.ts makes the tokens. */
const TOKEN = /^[A-Za-z0-9]{43}$/

/**
 * Whether the value of `early` in a URL can be a follower's token. Any other value is ignored, so that it does not
 * force a new rendering of the page.
 * @param {string | null | undefined} value
 * @returns {value is string}
 */
export const isEarlyToken = (value) => typeof value === 'string' && TOKEN.test(value)
