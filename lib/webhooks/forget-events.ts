import 'server-only'
import type { Context } from '@/lib/infra/context'

/**
 * Deletes handled events of Stripe after 90 days. Stripe repeats an event for three days and can send it again for 30
 * (docs.stripe.com/webhooks), so no repetition needs the row. An event that was never handled is closed first, by
 * closeGoneEvents().
 * @returns the number of events
 */
export async function forgetEvents({ sql }: Pick<Context, 'sql'>, limit: number): Promise<number> {
  const rows = await sql(
    'delete-handled-events',
    `DELETE FROM "WebhookEvent" WHERE "id" IN (
       SELECT "id" FROM "WebhookEvent" WHERE "handledAt" IS NOT NULL AND "receivedAt" < now() - interval '90 days'
        ORDER BY "receivedAt" LIMIT :limit FOR UPDATE SKIP LOCKED) RETURNING "id"`,
    { limit },
  )
  return rows.length
}
