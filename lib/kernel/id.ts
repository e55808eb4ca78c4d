const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
// Without characters that are mistaken for one another when a link is read aloud.
const READABLE = '23456789abcdefghjkmnpqrstuvwxyz'

function randomString(alphabet: string, length: number): string {
  // Bytes past the last whole multiple of the alphabet are thrown away, so every character is equally likely.
  const limit = 256 - (256 % alphabet.length)
  let result = ''
  while (result.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length * 2))) {
      if (byte < limit && result.length < length) result += alphabet[byte % alphabet.length]
    }
  }
  return result
}

/** A row id that says what it is: `ord_…` with 131 random bits. */
export function newId(prefix: string): string {
  return `${prefix}_${randomString(BASE62, 22)}`
}

/** A secret for a link or cookie, 256 random bits. */
export function newSecret(): string {
  return randomString(BASE62, 43)
}

/** The public id of a drop. Starts with a letter, so that it is never mistaken for an integer id (DECISIONS 22). */
export function newUniqueId(): string {
  return `d${randomString(READABLE, 9)}`
}

/** A code on paper for the day the phone is gone: 59 random bits, easy to read and type. */
export function newRecoveryCode(): string {
  return randomString(READABLE, 12)
}

/** The short form of an order's id, as mails, pages and files show it to people. */
export function referenceOf(orderId: string): string {
  return orderId.slice(-8).toUpperCase()
}
