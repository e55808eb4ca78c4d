import { createHash } from 'node:crypto'

/** @import { IncomingHttpHeaders } from 'node:http' */

const POLICY = 'content-security-policy'
const NONCE = /'nonce-([\w-]+)'/
/** Matches an inline script, and captures its text. */
const INLINE_SCRIPT = /<script\b(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g

/**
 * Prepares a page for the shared cache. A nonce must be new in each response, so it is removed from the page and
 * replaced in the policy by the hashes of the inline scripts. Two renderings of an unchanged page are then identical.
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
