import 'server-only'
import { hash, verify } from '@node-rs/argon2'

// OWASP's argon2id parameters: 19 MiB, two passes.
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

// Each hash takes 19 MiB and a core; a burst of logins must queue, not swap.
const MAX_PARALLEL = 4
let running = 0
const waiting: (() => void)[] = []

async function limited<T>(work: () => Promise<T>): Promise<T> {
  if (running >= MAX_PARALLEL) await new Promise<void>((resolve) => waiting.push(resolve))
  else running += 1
  try {
    return await work()
  } finally {
    // The place goes to whoever waits longest, or back.
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
 * Checks a password. With no hash (an unknown account) the same work is done against a decoy, so that the time taken
 * tells nothing (research/reliability T9).
 */
export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  decoy ??= hashPassword('a password nobody has')
  const against = passwordHash ?? (await decoy)
  const isMatch = await limited(() => verify(against, password)).catch(() => false)
  return isMatch && passwordHash !== null
}
