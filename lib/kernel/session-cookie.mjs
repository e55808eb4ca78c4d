// The session cookie's name, for the application and for the HTTP server in front of it (lib/server). This file is
// plain JavaScript, because the server runs without a bundler.

/** next-auth's own name for the cookie, so that next-auth's code and ours read the same cookie (ADR 0003). */
export const SESSION_COOKIE = 'next-auth.session-token'

/** The name when the public origin is https. Browsers accept a cookie with this prefix over https only. */
export const SECURE_SESSION_COOKIE = `__Secure-${SESSION_COOKIE}`
