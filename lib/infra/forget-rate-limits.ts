import 'server-only'
import type { Sql } from './sql'

/**
 * Deletes the counts of rate limits whose window ended more than an hour ago. The library would do so with timers,
 * which do not run on a serverless host, because it stops a process between two requests.
 * @returns the number of counts
 */
export async function forgetRateLimits({ sql }: { sql: Sql }, limit: number): Promise<number> {
  const rows = await sql(
    'delete-ended-rate-limits',
    `DELETE FROM "RateLimit" WHERE "key" IN (
       SELECT "key" FROM "RateLimit" WHERE "expire" < (extract(epoch FROM now() - interval '1 hour') * 1000)::bigint
        LIMIT :limit FOR UPDATE SKIP LOCKED) RETURNING "key"`,
    { limit },
  )
  return rows.length
}
