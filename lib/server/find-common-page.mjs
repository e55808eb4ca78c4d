// Finds the pages, besides the landing page and those of drops and profiles, that are the same for everyone or for
// everyone who is not signed in. The shared cache answers requests for these pages from memory.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { API_DOCUMENT, API_PAGE } from './cached-paths.mjs'
import { pathOf } from './path-of.mjs'

/** @import { IncomingMessage } from 'node:http' */

/**
 * These pages read no cookies and no database, so they are the same for everyone, and change only with a new start of
 * the process.
 */
const SAME_FOR_ALL = new Set([API_DOCUMENT, API_PAGE, '/privacy-policy', '/prohibited-content', '/terms-of-service'])
/**
 * The pages that are the same for everyone who is neither signed in nor signing up (ADR 0013), with the parameters of
 * the query that they read. Anyone can add other parameters, which change nothing.
 * @type {Map<string, string[]>}
 */
const SAME_FOR_STRANGERS = new Map([
  ['/find-order', ['sent']],
  ['/forgot-password', ['sent']],
  ['/forgot-username', ['sent']],
  ['/login', ['mode', 'redirect']],
  ['/signup', []],
])
/** The one query that has a common page of its own. */
const SIGN_UP = '/login?mode=signup'
/** The pages above do not read these cookies, which belong to buyers or identify a device that the login knows. */
const STRANGERS_COOKIES = new Set(['lastcall-buyer', 'lastcall-checkout', 'lastcall-device'])

/** The cache key of the one page that all unknown paths show. No real page may have this path. */
export const UNKNOWN_PAGE = '/not-found'

/**
 * Reads the routes of a build, and returns a function that finds the common page for a request.
 * @param {string} buildDir the output folder of `next build`
 * @param {string} publicDir the folder of the files that are served under their own names
 * @returns {(request: IncomingMessage) => string | null} the URL whose answer is also right for this request; null for
 *   a request that needs an answer of its own
 */
export function findCommonPage(buildDir, publicDir) {
  const known = readRoutes(path.join(buildDir, 'app-path-routes-manifest.json'))
  const names = existsSync(publicDir) ? readdirSync(publicDir, { recursive: true }) : []
  const files = new Set(names.map((name) => `/${String(name).replaceAll(path.sep, '/')}`))
  /** @param {string} pathname */
  const isUnknown = (pathname) =>
    known !== null &&
    // The middleware refuses the administrators' paths to everyone else, whether they exist or not.
    !/^\/(?:api|admin)(?:\/|$)/i.test(pathname) &&
    // Next answers a request for an unknown file of the build, but would render a page for any other path under /_next.
    !/^\/_next\/static\/./.test(pathname) &&
    (!pathname.endsWith('/') || /^\/_next\//i.test(pathname)) &&
    !files.has(pathname) &&
    !known.test(pathname)
  return ({ url = '/', headers }) => {
    const pathname = decodeURIComponent(pathOf(url))
    // These pages ignore their query.
    if (SAME_FOR_ALL.has(pathOf(url))) return pathOf(url)
    if (isPageForStrangers(url)) return isStranger(headers.cookie) ? pageForStrangers(url) : null
    return isUnknown(pathname) ? UNKNOWN_PAGE : null
  }
}

/**
 * Whether the answer to a URL without a query changes only with a new start of the process.
 * @param {string} url
 */
export function isSameForAll(url) {
  return SAME_FOR_ALL.has(url)
}

/**
 * Whether the URL leads to a page for people who are not signed in, with any query.
 * @param {string} url
 */
export function isPageForStrangers(url) {
  return SAME_FOR_STRANGERS.has(pathOf(url))
}

/**
 * @param {string} url
 * @returns {string | null} the URL of the common page; null if the page reads a parameter of the query
 */
function pageForStrangers(url) {
  const path = pathOf(url)
  if (url === path || url === SIGN_UP) return url
  const query = new URLSearchParams(url.slice(path.length))
  const read = (SAME_FOR_STRANGERS.get(path) ?? []).filter((name) => query.has(name))
  if (read.length === 0) return path
  const isSignUp = path === '/login' && read.join() === 'mode' && query.getAll('mode').join() === 'signup'
  return isSignUp ? SIGN_UP : null
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
 * @returns {RegExp | null} a pattern of all routes; null if the file does not exist, and then no path counts as unknown
 */
function readRoutes(file) {
  if (!existsSync(file)) return null
  /** @type {Record<string, string>} */
  const routes = JSON.parse(readFileSync(file, 'utf8'))
  const patterns = Object.values(routes).map((route) => {
    const segments = route.split('/').slice(1)
    const pattern = segments.map((segment) => {
      if (segment.startsWith('[[...')) return '(?:/.+)?'
      if (segment.startsWith('[...')) return '/.+'
      if (segment.startsWith('[')) return '/[^/]+'
      return `/${segment.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`
    })
    return pattern.join('')
  })
  return new RegExp(`^(?:${patterns.join('|')})$`, 'i')
}
