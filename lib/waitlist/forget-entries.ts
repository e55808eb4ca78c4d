import 'server-only'
import type { Context } from '@/lib/infra/context'

/**
 * Deletes the addresses of people who do not wait for anything: requests that nobody confirmed within seven days,
 * people who unsubscribed more than seven days ago, and the waitlists of drops that were hidden more than 30 days ago.
 * An entry with an open offer stays.
 * @returns the number of addresses
 */
export async function forgetEntries({ sql }: Pick<Context, 'sql'>, limit: number): Promise<number> {
  const rows = await sql(
    'delete-idle-waitlist-entries',
    `DELETE FROM "WaitlistEntry" WHERE "id" IN (
       SELECT e."id" FROM "WaitlistEntry" e JOIN "Drop" d ON d."id" = e."dropId"
        WHERE ((e."confirmedAt" IS NULL OR e."unsubscribedAt" < now() - interval '7 days') AND e."createdAt" < now() - interval '7 days'
               OR d."hiddenAt" < now() - interval '30 days')
          AND NOT EXISTS (SELECT 1 FROM "Hold" h WHERE h."id" = e."claimHoldId" AND h."state" = 'held')
        LIMIT :limit FOR UPDATE OF e SKIP LOCKED) RETURNING "id"`,
    { limit },
  )
  return rows.length
}
