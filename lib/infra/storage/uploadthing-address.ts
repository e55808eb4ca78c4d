import 'server-only'
import { createHmac } from 'node:crypto'
import Sqids, { defaultOptions } from 'sqids'

// UploadThing's rules for keys and signatures. Its SDK makes keys with 32 random bits. Our keys at UploadThing contain
// the whole storage key, so that either key can be computed from the other, and every object has a key of its own.

/** The minimum length of the prefix that all keys of an app have. */
const PREFIX_LENGTH = 12
const SIGNATURE_PREFIX = 'hmac-sha256='

/** The string hash of UploadThing's protocol: djb2 from the end of the string, reduced to a signed 31-bit number. */
function hashOf(text: string): number {
  let hash = 5381
  for (let index = text.length - 1; index >= 0; index -= 1) hash = (hash * 33) ^ text.charCodeAt(index)
  return (hash & 0xbfffffff) | ((hash >>> 1) & 0x40000000)
}

/** Computes the alphabet of an app. Each app has a different one. */
function alphabetOf(appId: string): string {
  const characters = defaultOptions.alphabet.split('')
  const seed = hashOf(appId)
  for (let index = 0; index < characters.length; index += 1) {
    const other = ((seed % (index + 1)) + index) % characters.length
    const character = characters[index]!
    characters[index] = characters[other]!
    characters[other] = character
  }
  return characters.join('')
}

function prefixOf(appId: string): string {
  return new Sqids({ alphabet: alphabetOf(appId), minLength: PREFIX_LENGTH }).encode([Math.abs(hashOf(appId))])
}

/** Returns the key that UploadThing uses for one of our objects. */
export function remoteKey(appId: string, key: string): string {
  return prefixOf(appId) + Buffer.from(key).toString('base64url')
}

/** Returns our key for one of UploadThing's objects, or null for an object of another app. */
export function localKey(appId: string, remote: string): string | null {
  const prefix = prefixOf(appId)
  return remote.startsWith(prefix) ? Buffer.from(remote.slice(prefix.length), 'base64url').toString('utf8') : null
}

function signatureOf(text: string, apiKey: string): string {
  return SIGNATURE_PREFIX + createHmac('sha256', apiKey).update(text).digest('hex')
}

/**
 * Builds a signed URL that permits one operation until `expiresAt`. The signature covers the expiry and the `data`.
 */
export function signedAddress(
  address: string,
  { apiKey, expiresAt, data }: { apiKey: string; expiresAt: Date; data: Record<string, string | number> },
): string {
  const url = new URL(address)
  url.searchParams.append('expires', String(expiresAt.getTime()))
  for (const [name, value] of Object.entries(data)) url.searchParams.append(name, encodeURIComponent(value))
  url.searchParams.append('signature', signatureOf(url.toString(), apiKey))
  return url.href
}
