// Serves the scripts, styles and fonts of the build before Next is asked. Next would compress each of them again for every
// visitor, on the same processor that answers buyers (ADR 0035).
import path from 'node:path'
import sirv from 'sirv'

/** @import { RequestHandler } from './start-web-server.mjs' */

const PREFIX = '/_next/static/'
const YEAR_SECONDS = 31_536_000

/**
 * Serves a build's static files and leaves every other request to `next`. The name of a static file changes with its
 * content, so browsers may keep it for a year.
 * @param {string} buildDir where `next build` wrote
 * @param {RequestHandler} next
 * @returns {RequestHandler}
 */
export function serveStaticFiles(buildDir, next) {
  const serve = sirv(path.join(buildDir, 'static'), {
    gzip: true,
    brotli: true,
    maxAge: YEAR_SECONDS,
    immutable: true,
    setHeaders: (response) => response.setHeader('X-Content-Type-Options', 'nosniff'),
  })
  return (request, response) => {
    const { url = '/', method } = request
    if (!url.startsWith(PREFIX) || (method !== 'GET' && method !== 'HEAD')) return next(request, response)
    request.url = url.slice(PREFIX.length - 1)
    return serve(request, response, () => {
      request.url = url
      next(request, response)
    })
  }
}
