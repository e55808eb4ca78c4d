import 'server-only'
import type { Context } from '@/lib/infra/context'

export type PolicyReport = { directive: string; blocked: string; page: string }

/**
 * The largest number of different reports that are stored. Reports with the same directive, blocked origin and page are
 * stored as one row. When this many rows are stored, a new kind of report replaces the row with the lowest count. If
 * several rows have that count, the one that was not repeated for the longest time is replaced. Otherwise a stranger
 * could fill all rows, and the operator would learn of no other problem. A report that was not repeated for a week is
 * removed when the next report arrives.
 */
const MAX_REPORTS = 100

/**
 * Counts a Content-Security-Policy violation report sent by a browser. Anyone can send one, so the number of different
 * reports is limited.
 */
export async function notePolicyReport({ sql }: Context, report: PolicyReport): Promise<void> {
  await sql('old-policy-reports', `DELETE FROM "PolicyReport" WHERE "lastAt" < now() - interval '7 days'`)
  await sql(
    'note-policy-report',
    `WITH replaced AS (
       DELETE FROM "PolicyReport" p USING (
         SELECT "directive", "blocked", "page" FROM "PolicyReport"
          WHERE NOT EXISTS (SELECT FROM "PolicyReport" WHERE "directive" = :directive AND "blocked" = :blocked AND "page" = :page)
          ORDER BY "count" DESC, "lastAt" DESC OFFSET ${MAX_REPORTS - 1}) r
        WHERE (p."directive", p."blocked", p."page") = (r."directive", r."blocked", r."page")
     )
     INSERT INTO "PolicyReport" ("directive", "blocked", "page")
     VALUES (:directive::text, :blocked::text, :page::text)
     ON CONFLICT ("directive", "blocked", "page")
     DO UPDATE SET "count" = LEAST("PolicyReport"."count" + 1, 1000000), "lastAt" = now()`,
    report,
  )
}
