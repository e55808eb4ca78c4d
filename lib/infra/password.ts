import 'server-only'
import { hash, verify } from '@node-rs/argon2'
import { boundedQueue } from './bounded-queue'

// These are OWASP's parameters for argon2id: 19 MiB of memory and two passes.
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/**
 * Each hash needs 19 MiB and one core, so a burst of logins waits in a queue instead of exhausting the memory. The last
 * in line waits about two seconds.
 */
const limited = boundedQueue({ name: 'passwords', atOnce: 4, waiting: 400, retryAfterSeconds: 3 })

/**
 * Hashes a password with argon2id for storage.
 * @throws QueueFull when too many passwords wait to be hashed
 */
export function hashPassword(password: string): Promise<string> {
  return limited(() => hash(password, OPTIONS))
}

let decoy: string | undefined

/**
 * Checks a password. Without a hash (an unknown account) the same work is done against a dummy hash, so that the
 * response time does not show whether the account exists (docs/product.md#signing-in).
 * @throws QueueFull
 */
export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  decoy ??= await hashPassword('a password nobody has')
  const against = passwordHash ?? decoy
  const isMatch = await limited(() => verify(against, password).catch(() => false))
  return isMatch && passwordHash !== null
}
