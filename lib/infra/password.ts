import 'server-only'
import { hash, verify } from '@node-rs/argon2'

// OWASP's argon2id parameters: 19 MiB, two passes.
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

// Each hash takes 19 MiB and one core, so a burst of logins must wait in a queue instead of exhausting the memory.
const MAX_PARALLEL = 4
let running = 0
const waiting: (() => void)[] = []

async function limited<T>(work: () => Promise<T>): Promise<T> {
  if (running >= MAX_PARALLEL) await new Promise<void>((resolve) => waiting.push(resolve))
  else running += 1
  try {
    return await work()
  } finally {
    // Passes the slot to the request that has waited longest, or frees it.
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }
}

export function hashPassword(password: string): Promise<string> {
  return limited(() => hash(password, OPTIONS))
}

let decoy: Promise<string> | undefined

/**
 * Checks a password. Without a hash (an unknown account) the same work is done against a dummy hash, so that the
 * response time does not show whether the account exists (docs/product.md#signing-in).
 */
export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  decoy ??= hashPassword('a password nobody has')
  const against = passwordHash ?? (await decoy)
  const isMatch = await limited(() => verify(against, password)).catch(() => false)
  return isMatch && passwordHash !== null
}
