// The session cookie's name, for the application and for the HTTP server in front of it (lib/server). Plain JavaScript,
// because the server runs without a bundler.

/** next-auth's own name for the cookie, so that next-auth's readers and ours find the same one (ADR 0003). */
export const SESSION_COOKIE = 'next-auth.session-token'

/** Its name when the public origin is https: browsers then accept it over https only. */
export const SECURE_SESSION_COOKIE = `__Secure-${SESSION_COOKIE}`
