import 'server-only'
import { LIVE_DROP } from '@/lib/drops/queries'
import { type Context, sqlTransaction } from '@/lib/infra/context'
import { queueMail } from '@/lib/notifications/queue-mail'
import { stockSql, valueSql } from '@/lib/stock/stock-sql'
import { relaunchMail } from './mails'

const AT_ONCE = 200

type Due = {
  id: number
  email: string
  title: string
  customSlug: string | null
  uniqueId: string
  priceCents: number
  run: number
}

/**
 * Notifies some of those who wait for a new run that it has begun, once per person and run: the email and the note that
 * it was sent are written together. It is called every second.
 * @returns how many were notified.
 */
export function notifyWaitlist(ctx: Context): Promise<number> {
  return sqlTransaction(ctx, async (tx) => {
    const waiting = await tx.sql<Due>('waitlist-due', DUE, { limit: AT_ONCE })
    if (waiting.length === 0) return 0
    await tx.sql(
      'waitlist-notified',
      `UPDATE "WaitlistEntry" e SET "notifiedRun" = d."run", "notifiedAt" = now()
         FROM unnest(:ids::int[], :runs::int[]) AS d("id", "run") WHERE e."id" = d."id"`,
      { ids: waiting.map(({ id }) => id), runs: waiting.map(({ run }) => run) },
    )
    await queueMail(
      tx,
      waiting.map((due) => relaunchMail(due, due, due.run, ctx.appUrl)),
    )
    return waiting.length
  })
}

const DUE = `
  SELECT e."id", e."email", d."title", d."customSlug", d."uniqueId", d."priceCents", d."run"
    FROM "WaitlistEntry" e JOIN "Drop" d ON d."id" = e."dropId" JOIN "User" u ON u."id" = d."userId"
    LEFT JOIN "OptionValue" v ON v."id" = e."valueId"
   WHERE e."confirmedAt" IS NOT NULL AND e."unsubscribedAt" IS NULL AND e."run" < d."run"
     AND COALESCE(e."notifiedRun", 0) < d."run" AND ${LIVE_DROP} AND ${stockSql.free} > 0
     AND (v."id" IS NULL OR ${valueSql.free} > 0)
   ORDER BY e."joinedAt", e."id" LIMIT :limit FOR UPDATE OF e SKIP LOCKED`
