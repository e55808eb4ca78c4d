// Header names and values that the application and the HTTP server in front of it (lib/server) must agree on. Plain
// JavaScript, because the server runs without a bundler.

/** Cache-Control of a public answer: shared caches may keep it for one second and serve it stale while they fetch it anew. */
export const SHARED_CACHE_CONTROL = 'public, max-age=0, s-maxage=1, stale-while-revalidate=2'

/** Cache-Control of an answer that depends on who asks: no cache may keep it. */
export const PERSONAL_CACHE_CONTROL = 'private, no-store'

/** The application's clock when it made the answer. Browsers count down against it. */
export const SERVER_TIME_HEADER = 'x-server-time'

/** The length of a streamed answer. Next drops Content-Length from streams, so the server sets it again from this header. */
export const CONTENT_BYTES_HEADER = 'x-content-bytes'
