// Header names and values that the application and the HTTP server in front of it (lib/server) must agree on. This file
// is plain JavaScript, because the server runs without a bundler.

/**
 * Cache-Control of a public response. Shared caches may keep it for one second, and serve it stale for two more seconds
 * while they fetch a new one.
 */
export const SHARED_CACHE_CONTROL = 'public, max-age=0, s-maxage=1, stale-while-revalidate=2'

/** Cache-Control of a response that depends on the person who requests it, so no cache may keep it. */
export const PERSONAL_CACHE_CONTROL = 'private, no-store'

/** The application's time when it created the response. Browsers use it for their countdowns. */
export const SERVER_TIME_HEADER = 'x-server-time'

/**
 * The length of a streamed response. Next drops Content-Length from streams, so the server restores it from this
 * header.
 */
export const CONTENT_BYTES_HEADER = 'x-content-bytes'
