import 'server-only'
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import { env } from './env'

/** Hashes a secret for storage, so that a leaked row gives no access. */
export function sha256(value: string): string {
  return createHash('sha256').update(value).digest('hex')
}

/**
 * Computes a hash that only this installation can compute. `purpose` prevents a hash made for one use from being used
 * for another.
 */
export function keyedHash(purpose: string, value: string): string {
  return createHmac('sha256', env().authSecret).update(`${purpose}\0${value}`).digest('hex')
}

/** Compares two secrets in constant time. */
export function isSameSecret(a: string, b: string): boolean {
  return timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest())
}

const ALGORITHM = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

const sealingKey = (purpose: string) => Buffer.from(hkdfSync('sha256', env().authSecret, '', `seal\0${purpose}`, 32))

/** Encrypts a value with a separate key for each purpose, so that only this installation can decrypt it. */
export function seal(purpose: string, value: string): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(ALGORITHM, sealingKey(purpose), nonce)
  const sealed = Buffer.concat([cipher.update(value, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')
}

/** Decrypts a value that was sealed for this purpose. Returns null for anything else, including altered values. */
export function unseal(purpose: string, sealed: string): string | null {
  const bytes = Buffer.from(sealed, 'base64url')
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return null
  try {
    const decipher = createDecipheriv(ALGORITHM, sealingKey(purpose), bytes.subarray(0, NONCE_BYTES))
    decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
    return decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)).toString('utf8') + decipher.final('utf8')
  } catch {
    return null
  }
}
