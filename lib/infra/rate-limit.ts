import 'server-only'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import { pool } from './db'
import { keyedHash } from './crypto'

export type RateLimit = { name: string; points: number; windowSeconds: number }

const shared = globalThis as unknown as { lastcallLimiters?: Map<string, RateLimiterPostgres> }

function limiter(limit: RateLimit): RateLimiterPostgres {
  const limiters = (shared.lastcallLimiters ??= new Map())
  let found = limiters.get(limit.name)
  if (!found) {
    found = new RateLimiterPostgres({
      storeClient: pool(),
      storeType: 'client',
      tableName: 'RateLimit',
      tableCreated: true,
      keyPrefix: limit.name,
      points: limit.points,
      duration: limit.windowSeconds,
    })
    limiters.set(limit.name, found)
  }
  return found
}

const hashed = (limit: RateLimit, key: string) => keyedHash(`limit:${limit.name}`, key).slice(0, 32)

/** Gives one use back: it turned out not to be one that counts. */
export async function giveBack(limit: RateLimit, key: string): Promise<void> {
  await limiter(limit).reward(hashed(limit, key))
}

/**
 * Counts one use, exactly, across processes. The key is stored hashed: an address is a person.
 * @returns null when it is within the limit, else the seconds until the next use.
 */
export async function consume(limit: RateLimit, key: string): Promise<number | null> {
  try {
    await limiter(limit).consume(hashed(limit, key))
    return null
  } catch (outcome) {
    if (outcome instanceof RateLimiterRes) return Math.max(1, Math.ceil(outcome.msBeforeNext / 1000))
    throw outcome
  }
}
