import 'server-only'
import { LIVE_DROP } from '@/lib/drops/queries'
import { inTransaction } from '@/lib/infra/db'
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
 * Tells some of those who wait for a new run that it has begun: once per person and run, the mail written with the mark that
 * it was. Called every second until nobody is left.
 * @returns how many were told.
 */
export async function notifyWaitlist(): Promise<number> {
  return inTransaction(async (client) => {
    const { rows } = await client.query<Due>({
      name: 'waitlist-due',
      text: `SELECT e."id", e."email", d."title", d."customSlug", d."uniqueId", d."priceCents", d."run"
               FROM "WaitlistEntry" e JOIN "Drop" d ON d."id" = e."dropId" JOIN "User" u ON u."id" = d."userId"
              WHERE e."confirmedAt" IS NOT NULL AND e."unsubscribedAt" IS NULL AND e."run" < d."run"
                AND COALESCE(e."notifiedRun", 0) < d."run" AND ${LIVE_DROP} AND d."sold" + d."held" < d."quantity"
              ORDER BY e."joinedAt", e."id" LIMIT $1 FOR UPDATE OF e SKIP LOCKED`,
      values: [AT_ONCE],
    })
    for (const due of rows) {
      const mail = relaunchMail(due, due, due.run)
      await client.query({
        name: 'waitlist-told',
        text: `WITH told AS (
                 UPDATE "WaitlistEntry" SET "notifiedRun" = $2, "notifiedAt" = now() WHERE "id" = $1 RETURNING "id"
               )
               INSERT INTO "OutboxMail" ("dedupeKey", "to", "subject", "text", "content", "isBulk")
               SELECT $3, $4, $5, $6, $7, true FROM told ON CONFLICT DO NOTHING`,
        values: [due.id, due.run, mail.dedupeKey, mail.to, mail.subject, mail.text, JSON.stringify(mail.content)],
      })
    }
    return rows.length
  })
}
