/**
 * The maximum length of the line in which sellers describe themselves, in characters (docs/product.md#public-profile).
 */
export const ABOUT_MAX = 160

/** The highest number of links on a profile (docs/product.md#public-profile). */
export const MAX_LINKS = 3

const MAX_LINK_LENGTH = 200

/** A public host name: at least two labels, and the last one begins with a letter, which excludes IPv4 addresses. */
const PUBLIC_HOST = /^(?:[a-z\d](?:[a-z\d-]*[a-z\d])?\.)+[a-z][a-z\d-]*[a-z\d]$/

/**
 * Reads a link as sellers type it: `https://` may be missing.
 * @returns the URL to store, or null for anything but an HTTPS URL of a public host without a port and without a user
 *   name. Host names in other scripts are returned in their ASCII form (`xn--…`), so that a name with look-alike
 *   letters cannot pass for another one.
 */
export function readLink(typed: string): string | null {
  const text = typed.trim()
  if (text.length > MAX_LINK_LENGTH || /[\s\p{Cc}\p{Cs}]/u.test(text)) return null
  const withScheme = /^[a-z][a-z\d+.-]*:/i.test(text) ? text : `https://${text}`
  if (!URL.canParse(withScheme)) return null
  const url = new URL(withScheme)
  const isPlain = url.protocol === 'https:' && url.port === '' && url.username === '' && url.password === ''
  if (!isPlain || !PUBLIC_HOST.test(url.hostname) || url.href.length > 3 * MAX_LINK_LENGTH) return null
  return url.href
}

/**
 * Returns how a stored link is shown: `instagram.com/juno` for `https://www.instagram.com/juno/`. The query is shown
 * too, because it can decide where a link leads. The part after `#` is not shown.
 */
export function linkLabel(link: string): string {
  const { hostname, pathname, search } = new URL(link)
  return `${hostname.replace(/^www\./, '')}${pathname.replace(/\/$/, '')}${search}`
}

/** Splits what was typed into the form's field, one link per line, and leaves out empty lines. */
export function splitLinks(typed: string): string[] {
  return typed
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
