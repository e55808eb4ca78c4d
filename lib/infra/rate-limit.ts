import 'server-only'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import { processState } from '@/lib/kernel/process-state.mjs'
import { pool } from './db'
import { keyedHash } from './crypto'

export type RateLimit = { name: string; points: number; windowSeconds: number }

const limiters = processState('rate-limiters', () => new Map<string, RateLimiterPostgres>())

function limiter(limit: RateLimit): RateLimiterPostgres {
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

/** Gives one use back that turned out not to count. */
export async function giveBack(limit: RateLimit, key: string): Promise<void> {
  await limiter(limit).reward(hashed(limit, key))
}

/** Counts one use without a limit. @returns how many there were in the window, this one included. */
export async function countUse(limit: RateLimit, key: string): Promise<number> {
  return (await limiter(limit).penalty(hashed(limit, key))).consumedPoints
}

/** Reads how many uses of a key there were in the window, and counts none. */
export async function usesOf(limit: RateLimit, key: string): Promise<number> {
  return (await limiter(limit).get(hashed(limit, key)))?.consumedPoints ?? 0
}

/** Forgets all uses of a key. */
export async function forgive(limit: RateLimit, key: string): Promise<void> {
  await limiter(limit).delete(hashed(limit, key))
}

/**
 * Counts one use, exactly, across all processes. The key is stored as a hash, because a network address is personal
 * data.
 * @returns null when the use is within the limit, else the seconds until the next one is allowed.
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
