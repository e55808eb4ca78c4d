// The scripts, styles and fonts of the build: squeezed once, when they are built, and served from there. Next would squeeze
// each of them again for every visitor, on the processor that answers buyers.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import sirv from 'sirv'

const PREFIX = '/_next/static/'
const YEAR_SECONDS = 31_536_000
/** Fonts and pictures are squeezed as they are. */
const SQUEEZABLE = /\.(?:js|css|svg|json|txt)$/

const squeezers = {
  gz: (bytes) => promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION }),
  br: (bytes) => promisify(brotliCompress)(bytes),
}

/**
 * Writes the squeezed copies beside the files of a build.
 * @param {string} buildDir where `next build` has written
 */
export async function squeezeStaticFiles(buildDir) {
  const folder = path.join(buildDir, 'static')
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => SQUEEZABLE.test(name))
  await Promise.all(names.map((name) => squeeze(path.join(folder, name))))
}

async function squeeze(file) {
  const bytes = readFileSync(file)
  for (const [ending, make] of Object.entries(squeezers)) {
    const squeezed = await make(bytes)
    if (squeezed.byteLength < bytes.byteLength) writeFileSync(`${file}.${ending}`, squeezed)
  }
}

/**
 * Serves a build's static files, whose names change with what is in them, and leaves every other request to `next`.
 * @param {string} buildDir
 * @param {(request: import('node:http').IncomingMessage, response: import('node:http').ServerResponse) => unknown} next
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
    const { url, method } = request
    if (!url.startsWith(PREFIX) || (method !== 'GET' && method !== 'HEAD')) return next(request, response)
    request.url = url.slice(PREFIX.length - 1)
    return serve(request, response, () => {
      request.url = url
      return next(request, response)
    })
  }
}
