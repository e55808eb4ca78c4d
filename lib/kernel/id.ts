const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
// Leaves out characters that are easily confused when a link is read aloud.
const READABLE = '23456789abcdefghjkmnpqrstuvwxyz'

function randomString(alphabet: string, length: number): string {
  // Bytes at or above the largest multiple of the alphabet's length are discarded, so that every character is equally
  // likely.
  const limit = 256 - (256 % alphabet.length)
  let result = ''
  while (result.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length * 2))) {
      if (byte < limit && result.length < length) result += alphabet[byte % alphabet.length]
    }
  }
  return result
}

/** A row id with a prefix for its kind: `ord_…` with 131 random bits. */
export function newId(prefix: string): string {
  return `${prefix}_${randomString(BASE62, 22)}`
}

/** A secret for a link or a cookie, with 256 random bits. */
export function newSecret(): string {
  return randomString(BASE62, 43)
}

/**
 * The public id of a drop. It starts with a letter, so that it is never mistaken for a numeric id
 * (docs/product.md#links-of-a-drop).
 */
export function newUniqueId(): string {
  return `d${randomString(READABLE, 9)}`
}

/** A recovery code for a lost phone: 59 random bits, easy to read and type. */
export function newRecoveryCode(): string {
  return randomString(READABLE, 12)
}

/** The short form of an order's id that mails, pages and files show. */
export function referenceOf(orderId: string): string {
  return orderId.slice(-8).toUpperCase()
}
