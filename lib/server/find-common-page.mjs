// The pages that are the same for everybody, beside those of drops and profiles: the shared cache answers them from memory.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { pathOf } from './path-of.mjs'

/** @import { IncomingMessage } from 'node:http' */

/** Whatever cookies a visitor has, these pages do not read them. */
const SAME_FOR_ALL = new Set(['/privacy-policy', '/prohibited-content', '/terms-of-service'])
/** These pages differ for somebody who is signed in, or in the middle of signing up (ADR 0013). */
const SAME_FOR_STRANGERS = new Set([
  '/find-order',
  '/forgot-password',
  '/forgot-username',
  '/login',
  '/login?mode=signup',
  '/signup',
])
/** Cookies that none of these pages reads: a buyer's browser, its open checkout, a device that is known to the login. */
const STRANGERS_COOKIES = new Set(['lastcall-buyer', 'lastcall-checkout', 'lastcall-device'])

/** The address under which the page for all unknown addresses is kept. No page may have it. */
export const UNKNOWN_PAGE = '/not-found'

/**
 * Reads the addresses of a build.
 * @param {string} buildDir where `next build` wrote
 * @param {string} publicDir files that are served by their name
 * @returns {(request: IncomingMessage) => string | null} the address whose answer is also right for this request; null for
 *   every request that has to be answered by itself
 */
export function findCommonPage(buildDir, publicDir) {
  const known = readRoutes(path.join(buildDir, 'app-path-routes-manifest.json'))
  const files = new Set(existsSync(publicDir) ? readdirSync(publicDir).map((name) => `/${name}`) : [])
  /** @param {string} address */
  const isUnknown = (address) =>
    known !== null &&
    // The middleware refuses the administrators' addresses to others, whether they exist or not.
    !/^\/(?:api|_next|admin)(?:\/|$)/i.test(address) &&
    !address.endsWith('/') &&
    !files.has(`/${address.split('/')[1]}`) &&
    !known.some((pattern) => pattern.test(address))
  return ({ url = '/', headers }) => {
    const address = decodeURIComponent(pathOf(url))
    // The query of these pages changes nothing.
    if (SAME_FOR_ALL.has(pathOf(url))) return pathOf(url)
    if (SAME_FOR_STRANGERS.has(url)) return isStranger(headers.cookie) ? url : null
    return isUnknown(address) ? UNKNOWN_PAGE : null
  }
}

/** @param {string | undefined} cookie */
function isStranger(cookie = '') {
  return cookie.split(';').every((pair) => {
    const name = pair.split('=', 1)[0]?.trim() ?? ''
    return name === '' || STRANGERS_COOKIES.has(name)
  })
}

/**
 * @param {string} file
 * @returns {RegExp[] | null} null without a list: then no address counts as unknown
 */
function readRoutes(file) {
  if (!existsSync(file)) return null
  /** @type {Record<string, string>} */
  const routes = JSON.parse(readFileSync(file, 'utf8'))
  return Object.values(routes).map((route) => {
    const segments = route.split('/').slice(1)
    const pattern = segments.map((segment) => {
      if (segment.startsWith('[[...')) return '(?:/.+)?'
      if (segment.startsWith('[...')) return '/.+'
      if (segment.startsWith('[')) return '/[^/]+'
      return `/${segment.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`
    })
    return new RegExp(`^${pattern.join('')}$`, 'i')
  })
}
