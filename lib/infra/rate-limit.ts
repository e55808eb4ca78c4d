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
      // forgetRateLimits() deletes what has ended.
      clearExpiredByTimeout: false,
    })
    limiters.set(limit.name, found)
  }
  return found
}

const hashed = (limit: RateLimit, key: string) => keyedHash(`limit:${limit.name}`, key).slice(0, 32)

/** Subtracts one use that should not count after all. */
export async function giveBack(limit: RateLimit, key: string): Promise<void> {
  await limiter(limit).reward(hashed(limit, key))
}

/**
 * Counts one use and never refuses it.
 * @returns the number of uses in the window, including this one
 */
export async function countUse(limit: RateLimit, key: string): Promise<number> {
  return (await limiter(limit).penalty(hashed(limit, key))).consumedPoints
}

/** Returns the number of uses of a key in the window, without counting a new one. */
export async function usesOf(limit: RateLimit, key: string): Promise<number> {
  return (await limiter(limit).get(hashed(limit, key)))?.consumedPoints ?? 0
}

/** Sets the number of uses of a key to zero. */
export async function forgive(limit: RateLimit, key: string): Promise<void> {
  await limiter(limit).delete(hashed(limit, key))
}

/**
 * Counts one use in the database, so that the limit holds across all processes. The key is stored as a hash, because a
 * network address is personal data.
 * @returns null when the use is within the limit, otherwise the seconds until the next use is allowed
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
