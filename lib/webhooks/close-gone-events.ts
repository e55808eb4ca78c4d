import 'server-only'
import type { Context } from '@/lib/infra/context'

/**
 * Closes open events that are older than 30 days, with the outcome `gone`. Stripe keeps an event for 30 days
 * (docs.stripe.com/api/events), so nobody can replay an older one, and its alert would never end.
 * @returns the number of events
 */
export async function closeGoneEvents({ sql }: Pick<Context, 'sql'>, limit: number): Promise<number> {
  const rows = await sql(
    'close-gone-events',
    `UPDATE "WebhookEvent" SET "handledAt" = now(), "outcome" = 'gone' WHERE "id" IN (
       SELECT "id" FROM "WebhookEvent" WHERE "handledAt" IS NULL AND "receivedAt" < now() - interval '30 days'
        ORDER BY "receivedAt" LIMIT :limit FOR UPDATE SKIP LOCKED) RETURNING "id"`,
    { limit },
  )
  return rows.length
}
