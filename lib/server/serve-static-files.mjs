// Serves the scripts, styles and fonts of the build, so that requests for them do not reach Next. Next would compress
// scripts and styles again for every visitor, on the processor that also handles purchases (ADR 0035).
import path from 'node:path'
import sirv from 'sirv'
import { acceptsEncoding } from './accepts-encoding.mjs'

/** @import { RequestHandler } from './start-web-server.mjs' */

const PREFIX = '/_next/static/'
const YEAR_SECONDS = 31_536_000
/** @type {('br' | 'gzip')[]} */
const ENCODINGS = ['br', 'gzip']

/**
 * Serves a build's static files and leaves every other request to `next`. The name of a static file changes with its
 * content, so browsers may keep it for a year.
 * @param {string} buildDir the output folder of `next build`
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
    const accepted = request.headers['accept-encoding']
    // sirv sends an encoding whenever the header names it, even if the header refuses it with `q=0`.
    request.headers['accept-encoding'] = ENCODINGS.filter((name) => acceptsEncoding(String(accepted), name)).join()
    request.url = url.slice(PREFIX.length - 1)
    return serve(request, response, () => {
      request.url = url
      request.headers['accept-encoding'] = accepted
      next(request, response)
    })
  }
}
