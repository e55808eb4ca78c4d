import { createHash } from 'node:crypto'

/** @import { IncomingHttpHeaders } from 'node:http' */

const POLICY = 'content-security-policy'
const NONCE = /'nonce-([\w-]+)'/
/** A script with its text in the page. */
const INLINE_SCRIPT = /<script\b(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g

/**
 * Makes a page fit to be shown to everybody: the nonce, which must be new in each answer, is removed from the page and
 * replaced in its policy by the hashes of the inline scripts. Two renderings of an unchanged page are then the same.
 * @param {IncomingHttpHeaders} headers changed in place
 * @param {Buffer} body
 * @returns {Buffer}
 */
export function hashInlineScripts(headers, body) {
  const policy = headers[POLICY]
  const nonce = typeof policy === 'string' ? NONCE.exec(policy)?.[1] : undefined
  if (typeof policy !== 'string' || !nonce || !headers['content-type']?.startsWith('text/html')) return body
  const page = String(body).replaceAll(nonce, '')
  const texts = [...page.matchAll(INLINE_SCRIPT)].map(([, text = '']) => text).filter(Boolean)
  const hashes = texts.map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`)
  headers[POLICY] = policy.replace(`'nonce-${nonce}'`, [...new Set(hashes)].join(' '))
  // Next computed the ETag of the page with the nonce.
  delete headers.etag
  return Buffer.from(page)
}
