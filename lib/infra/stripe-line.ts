import 'server-only'
import { SECOND_MS } from '@/lib/kernel/time'
import type { Sql } from './sql'
import { env } from './env'

/** How many further sessions may follow the first one at once after a pause, so that single buyers never wait. */
const AT_ONCE = 2
/** For how long, and by which factor, the line is slower after Stripe has said that there were too many calls. */
const SLOW_SECONDS = 30
const SLOWER = 2
/** For how long no session is opened after such an answer. */
const REST_MS = SECOND_MS

/** A place in the line for a new session at Stripe. */
export type PlaceInLine = {
  waitMs: number
  /** How many buyers are ahead. */
  ahead: number
}

/** Whether new sessions are paced. By default only with real keys, because the stand-in in the application has no limit. */
export function isPaced(): boolean {
  return env().stripeSessionsPerSecond > 0
}

const gapMs = () => SECOND_MS / env().stripeSessionsPerSecond

/**
 * Takes the next place in the line. All processes share it, so that together they stay below Stripe's limit (ADR 0052).
 * One statement decides, so places are given in the order in which they are asked for.
 */
export async function takePlace(sql: Sql): Promise<PlaceInLine> {
  const [place] = await sql<PlaceInLine>(
    'take-place',
    `INSERT INTO "StripeLine" AS l ("id", "nextAt")
     VALUES (1, clock_timestamp() + make_interval(secs => :gapMs::float8 / 1000))
     ON CONFLICT ("id") DO UPDATE SET "nextAt" =
       GREATEST(l."nextAt", clock_timestamp() - make_interval(secs => :gapMs::float8 * :atOnce::float8 / 1000))
         + make_interval(secs => CASE WHEN l."slowUntil" > clock_timestamp() THEN :slower::float8 ELSE 1 END * :gapMs::float8 / 1000)
     RETURNING GREATEST(0, extract(epoch FROM l."nextAt" - clock_timestamp()) * 1000 - :gapMs::float8)::float8 AS "waitMs",
       GREATEST(0, floor(extract(epoch FROM l."nextAt" - clock_timestamp()) * 1000 / :gapMs::float8))::int AS "ahead"`,
    { gapMs: gapMs(), atOnce: AT_ONCE, slower: SLOWER },
  )
  return place ?? { waitMs: 0, ahead: 0 }
}

/** How many buyers are ahead of a buyer who still has to wait this long. */
export function aheadAfter(waitMs: number): number {
  return Math.max(0, Math.floor(waitMs / gapMs()))
}

/** Slows the line after Stripe has refused a call because there were too many: first no session is opened, then fewer. */
export async function slowLine(sql: Sql): Promise<void> {
  await sql(
    'slow-line',
    `INSERT INTO "StripeLine" AS l ("id", "nextAt", "slowUntil")
     VALUES (1, clock_timestamp() + make_interval(secs => :restMs::float8 / 1000), clock_timestamp() + make_interval(secs => :slowSeconds))
     ON CONFLICT ("id") DO UPDATE SET "slowUntil" = EXCLUDED."slowUntil",
       "nextAt" = GREATEST(l."nextAt", EXCLUDED."nextAt")`,
    { restMs: REST_MS, slowSeconds: SLOW_SECONDS },
  )
}
