import 'server-only'
import { MINUTE_MS, SECOND_MS } from '@/lib/kernel/time'
import type { Sql } from './sql'
import { env } from './env'

/**
 * After a pause, this many sessions may follow the first one without a gap, so that a few buyers at a time do not wait.
 */
const AT_ONCE = 2
/** For this time after Stripe refuses a call because of its rate limit, the line is slower by the factor SLOWER. */
const SLOW_SECONDS = 30
const SLOWER = 2
/** After such a refusal no session is opened for this time. */
const REST_MS = SECOND_MS

/** A place in the line in which buyers wait for a new session or payment intent at Stripe. */
export type PlaceInLine = {
  waitMs: number
  /** The highest possible number of buyers ahead (see aheadAfter()). */
  ahead: number
}

/** Whether new sessions are paced. By default they are, except with the built-in stand-in, which has no rate limit. */
export function isPaced(): boolean {
  return env().stripeSessionsPerSecond > 0
}

const gapMs = () => SECOND_MS / env().stripeSessionsPerSecond

/** The two kinds of calls that Stripe counts separately. Each kind has a line. */
const LINES = { sessions: 1, intents: 2 }
export type LineName = keyof typeof LINES

/**
 * The longest wait in a line. A buyer who would wait longer gets no place, so that a flood cannot make the wait
 * endless.
 */
const MAX_WAIT_MS = 10 * MINUTE_MS

/**
 * Takes the next place in a line. All processes use the same lines, so that together they stay below Stripe's rate
 * limits (ADR 0052). One statement assigns the place, so places are given in the order in which they are requested.
 * @returns null when the wait would be longer than ten minutes. The line is then as long as before.
 */
export async function takePlace(sql: Sql, line: LineName): Promise<PlaceInLine | null> {
  return (await take(sql, line, MAX_WAIT_MS)) ?? null
}

/**
 * Takes a place in the line for payment intents, if its turn comes within the given time.
 * @returns how long the wait is, or null when no such place is free. The line is then as long as before.
 */
export async function takePlaceWithin(sql: Sql, mostMs: number): Promise<number | null> {
  return (await take(sql, 'intents', mostMs))?.waitMs ?? null
}

async function take(sql: Sql, line: LineName, mostMs: number): Promise<PlaceInLine | undefined> {
  const [place] = await sql<PlaceInLine>(
    'take-place',
    `INSERT INTO "StripeLine" AS l ("id", "nextAt")
     VALUES (:line::int, clock_timestamp() + make_interval(secs => :gapMs::float8 / 1000))
     ON CONFLICT ("id") DO UPDATE SET "nextAt" =
       GREATEST(l."nextAt", clock_timestamp() - make_interval(secs => :gapMs::float8 * :atOnce::float8 / 1000))
         + make_interval(secs => CASE WHEN l."slowUntil" > clock_timestamp() THEN :slower::float8 ELSE 1 END * :gapMs::float8 / 1000)
       WHERE l."nextAt" <= clock_timestamp() + make_interval(secs => :mostMs::float8 / 1000)
     RETURNING GREATEST(0, extract(epoch FROM l."nextAt" - clock_timestamp()) * 1000 - :gapMs::float8)::float8 AS "waitMs",
       GREATEST(0, floor(extract(epoch FROM l."nextAt" - clock_timestamp()) * 1000 / :gapMs::float8))::int AS "ahead"`,
    { gapMs: gapMs(), atOnce: AT_ONCE, slower: SLOWER, line: LINES[line], mostMs },
  )
  return place
}

/**
 * Returns the highest possible number of buyers ahead of a buyer who has to wait `waitMs` more milliseconds. There are
 * fewer when some have left the line, and about half as many while the line is slow, because each of them then takes
 * twice as long.
 */
export function aheadAfter(waitMs: number): number {
  return Math.max(0, Math.floor(waitMs / gapMs()))
}

/**
 * Slows a line after Stripe has refused a call because of its rate limit. Nothing is opened for REST_MS, and less
 * than usual for SLOW_SECONDS.
 */
export async function slowLine(sql: Sql, line: LineName): Promise<void> {
  await sql(
    'slow-line',
    `INSERT INTO "StripeLine" AS l ("id", "nextAt", "slowUntil")
     VALUES (:line::int, clock_timestamp() + make_interval(secs => :restMs::float8 / 1000), clock_timestamp() + make_interval(secs => :slowSeconds))
     ON CONFLICT ("id") DO UPDATE SET "slowUntil" = EXCLUDED."slowUntil",
       "nextAt" = GREATEST(l."nextAt", EXCLUDED."nextAt")`,
    { restMs: REST_MS, slowSeconds: SLOW_SECONDS, line: LINES[line] },
  )
}
