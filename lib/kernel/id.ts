const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
// This alphabet leaves out characters that are easily confused when a person reads or types them.
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

/**
 * Creates a row id with a prefix for its kind, such as `ord_…`, and 122 random bits. Its end is easy to read and type,
 * because people see it as the reference of an order (referenceOf()).
 */
export function newId(prefix: string): string {
  return `${prefix}_${randomString(BASE62, 14)}${randomString(READABLE, 8)}`
}

/** The id of an order. */
export const ORDER_ID = /^ord_[A-Za-z0-9]{22}$/

/** Creates a secret for a link or a cookie, with 256 random bits. */
export function newSecret(): string {
  return randomString(BASE62, 43)
}

/**
 * Creates the public id of a drop. It starts with a letter, so that it is never mistaken for a numeric id
 * (docs/product.md#links-of-a-drop).
 */
export function newUniqueId(): string {
  return `d${randomString(READABLE, 9)}`
}

/** Creates a recovery code for a lost phone. It has 59 random bits and is easy to read and type. */
export function newRecoveryCode(): string {
  return randomString(READABLE, 12)
}

/** Returns the short form of an order's id that emails, pages and files show. */
export function referenceOf(orderId: string): string {
  return orderId.slice(-8).toUpperCase()
}
