// Puts the style sheets of a page into its HTML (ADR 0060). Without this, a phone that follows a link has to ask once
// more before it can paint anything, and on a slow network the style sheet shares the connection with the fonts and the
// picture.
import { readFileSync } from 'node:fs'
import path from 'node:path'

/** Matches a style sheet of the build that React has put into the page, and captures its URL. */
const STYLE_SHEET = /<link rel="stylesheet" href="(\/_next\/static\/[\w./-]+\.css)"([^>]*)\/>/g
/** Matches the link that inlineStyleSheets() leaves behind, and captures its URL. */
const DISABLED = /<link rel="stylesheet" href="([^"]+)"[^>]* disabled=""\/>/g
/** The contents of style sheets by their URLs, which contain a hash of the content. */
const known = new Map()

/**
 * Returns a page with its style sheets in `<style>` elements. React looks for the link of each style sheet when it
 * hydrates the page, so the link stays in the page, but disabled and with a type that is no style sheet: browsers do
 * not load it. Chromium 150 loads a link that is only disabled, before anything else on the page.
 * @param {string} page
 * @param {string} build where `next build` wrote
 * @returns {string} the page as it was if a style sheet is missing from the build
 */
export function inlineStyleSheets(page, build) {
  let styles = ''
  const links = page.replaceAll(STYLE_SHEET, (tag, url, rest) => {
    const css = contentOf(url, build)
    if (css === null) return tag
    styles += `<style>${css}</style>`
    return `<link rel="stylesheet" href="${url}"${rest} type="text/plain" disabled=""/>`
  })
  // The styles come last in the head, because programs that make link previews may read only the first part of a page.
  const end = links.indexOf('</head>')
  return styles === '' || end === -1 ? page : links.slice(0, end) + styles + links.slice(end)
}

/**
 * Removes the style sheets that a page contains from a `Link` header, because browsers would load them all the same.
 * @param {string} link
 * @param {string} page
 * @returns {string}
 */
export function withoutStyleSheets(link, page) {
  const contained = new Set([...page.matchAll(DISABLED)].map(([, url]) => url))
  const urlOf = (/** @type {string} */ part) => /^<([^>]+)>.*;\s*as="?style"?/.exec(part)?.[1]
  return link
    .split(/,\s*(?=<)/)
    .filter((part) => !contained.has(urlOf(part)))
    .join(', ')
}

/**
 * @param {string} url
 * @param {string} build
 * @returns {string | null} null if the build has no such file, or if its content could end the `<style>` element
 */
function contentOf(url, build) {
  const before = known.get(url)
  if (before !== undefined) return before
  const file = path.join(build, url.slice('/_next/'.length))
  const css = isInside(build, file) ? read(url, file) : null
  // A failure is not remembered, because the next attempt may succeed.
  if (css !== null) known.set(url, css)
  return css
}

const isInside = (/** @type {string} */ build, /** @type {string} */ file) =>
  file.startsWith(path.join(build, 'static') + path.sep)

/**
 * @param {string} url
 * @param {string} file
 * @returns {string | null}
 */
function read(url, file) {
  try {
    const css = readFileSync(file, 'utf8')
    // URLs in a style sheet are relative to it, and URLs in a page to the page.
    const base = path.posix.dirname(url)
    const absolute = css.replace(/url\((["']?)(?!data:|\/|https?:|#)([^)"']+)\1\)/g, (_url, quote, relative) => {
      return `url(${quote}${path.posix.join(base, relative)}${quote})`
    })
    return /<\/style/i.test(absolute) ? null : absolute
  } catch {
    return null
  }
}
