import 'server-only'
import type { Context } from '@/lib/infra/context'

/**
 * Removes emails from the outbox, in the caller's transaction. An email that was sent, or may be on its way to the mail
 * server, stays in the outbox.
 * @returns the ids of the emails that were removed
 */
export async function recallMails(tx: Pick<Context, 'sql'>, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return []
  const rows = await tx.sql<{ id: number }>(
    'recall-mails',
    `DELETE FROM "OutboxMail" WHERE "id" = ANY(:ids::int[]) AND "sentAt" IS NULL
        AND ("attempts" = 0 OR "lastError" IS NOT NULL) RETURNING "id"`,
    { ids: [...ids] },
  )
  return rows.map(({ id }) => id)
}
