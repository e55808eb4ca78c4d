import { createHash } from 'node:crypto'

/** @import { IncomingHttpHeaders } from 'node:http' */

const POLICY = 'content-security-policy'
const NONCE = /'nonce-([\w-]+)'/
/** Matches an inline script, and captures its attributes and its text. */
const INLINE_SCRIPT = /<script\b(?![^>]*\ssrc=)([^>]*)>([\s\S]*?)<\/script>/g

/**
 * Returns the nonce of a page, which its policy names, or undefined when there is none.
 * @param {IncomingHttpHeaders} headers
 * @returns {string | undefined}
 */
export function nonceOf({ [POLICY]: policy }) {
  return typeof policy === 'string' ? NONCE.exec(policy)?.[1] : undefined
}

/**
 * Prepares a page for the shared cache. A nonce must be new in each response, so it is removed from the page and
 * replaced in the policy by the hashes of the inline scripts that carried it. A script without the nonce was not
 * written by us, and must not run from the cache either. Two renderings of an unchanged page are then identical.
 * @param {IncomingHttpHeaders} headers changed in place
 * @param {Buffer} body
 * @returns {Buffer}
 */
export function hashInlineScripts(headers, body) {
  const policy = headers[POLICY]
  const nonce = nonceOf(headers)
  if (typeof policy !== 'string' || !nonce || !headers['content-type']?.startsWith('text/html')) return body
  const mark = ` nonce="${nonce}"`
  // Next writes a script for every 4 KB of data. Each of them would need a hash, and the header of a large page would
  // be longer than proxies accept.
  const page = String(body).replaceAll(`</script><script${mark}>self.__next_f.push(`, ';self.__next_f.push(')
  const ours = [...page.matchAll(INLINE_SCRIPT)].filter(([, attributes = '']) => attributes.includes(mark))
  const texts = ours.map(([, , text = '']) => text.replaceAll(nonce, '')).filter(Boolean)
  const hashes = texts.map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`)
  headers[POLICY] = policy.replace(`'nonce-${nonce}'`, [...new Set(hashes)].join(' '))
  // Next computed the ETag of the page with the nonce.
  delete headers.etag
  return Buffer.from(page.replaceAll(nonce, ''))
}
