import 'server-only'
import { type Context, sqlTransaction } from '@/lib/infra/context'
import { IS_TO_SEND } from './is-to-send'
import { startMailSql } from './start-mail-sql'

/** How many emails one transaction removes. */
const BATCH = 500

/**
 * SQL: the unsent emails `queued` that say that a drop starts, has started or is back, with the entry and the run that
 * their keys name, as the functions in lib/waitlist/mails.ts write them.
 */
const QUEUED = `queued AS MATERIALIZED (
    SELECT m."id", split_part(m."dedupeKey", ':', 2)::int AS "entryId", split_part(m."dedupeKey", ':', 3)::int AS "run"
      FROM "OutboxMail" m
     WHERE ${IS_TO_SEND} AND ${startMailSql.isUnsent}
       AND (m."dedupeKey" LIKE 'waitlist-start:%' OR m."dedupeKey" LIKE 'waitlist-relaunch:%')
  )`

const LOCK = `
  WITH ${QUEUED}
  SELECT e."id" FROM "WaitlistEntry" e
   WHERE EXISTS (SELECT FROM queued q WHERE q."entryId" = e."id" AND q."run" = e."notifiedRun")
   ORDER BY e."id" LIMIT :limit FOR UPDATE SKIP LOCKED`

// The emails are selected again, because some may have been sent before the entries were locked. Neither statement
// waits for a row, so they cannot deadlock with the changes of a drop that recall its emails.
const RECALL = `
  WITH ${QUEUED}, free AS MATERIALIZED (
    SELECT m."id" FROM "OutboxMail" m
     WHERE m."id" IN (SELECT q."id" FROM queued q JOIN "WaitlistEntry" e ON e."id" = q."entryId" AND e."notifiedRun" = q."run"
                       WHERE e."id" = ANY(:ids::int[]))
       AND ${startMailSql.isUnsent} FOR UPDATE SKIP LOCKED
  ), recalled AS (
    DELETE FROM "OutboxMail" m USING free WHERE m."id" = free."id" RETURNING m."id"
  )
  UPDATE "WaitlistEntry" e SET "notifiedRun" = NULL FROM recalled r JOIN queued q ON q."id" = r."id"
   WHERE e."id" = q."entryId" RETURNING e."id"`

const ENDED_OFFERS = `
  DELETE FROM "OutboxMail" m USING "Hold" h
   WHERE m."sentAt" IS NULL AND m."dedupeKey" LIKE 'waitlist-claim:%' AND h."id" = split_part(m."dedupeKey", ':', 2)
     AND h."state" <> 'held' AND ${startMailSql.isUnsent}`

/**
 * Removes the queued emails to people who wait for a drop, because nothing can be bought while the platform is paused:
 * reminders of a start, news that a drop is back, and offers that the pause has closed. Their recipients count as not
 * reminded, so that they get an email after the pause that says what is true then. An email that may be on its way to
 * the mail server stays.
 * @returns how many reminders and news were removed
 */
export async function recallMailsOfPause(ctx: Context): Promise<number> {
  await ctx.sql('recall-ended-offers', ENDED_OFFERS)
  let recalled = 0
  for (;;) {
    const count = await sqlTransaction(ctx, async (tx) => {
      const entries = await tx.sql<{ id: number }>('lock-reminded', LOCK, { limit: BATCH })
      if (entries.length === 0) return 0
      return (await tx.sql('recall-mails-of-pause', RECALL, { ids: entries.map(({ id }) => id) })).length
    })
    recalled += count
    if (count < BATCH) return recalled
  }
}
