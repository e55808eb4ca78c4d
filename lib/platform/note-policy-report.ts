import 'server-only'
import type { Context } from '@/lib/infra/context'

export type PolicyReport = { directive: string; blocked: string; page: string }

/**
 * The largest number of different reports that are stored; further ones are ignored. Reports with the same directive,
 * blocked address and page count as one, which is removed when none has arrived for a week.
 */
const MAX_REPORTS = 100

/**
 * Counts a Content-Security-Policy violation report sent by a browser. Anybody can send one, so the number of different
 * reports is limited.
 */
export async function notePolicyReport({ sql }: Context, report: PolicyReport): Promise<void> {
  await sql('old-policy-reports', `DELETE FROM "PolicyReport" WHERE "lastAt" < now() - interval '7 days'`)
  await sql(
    'note-policy-report',
    `INSERT INTO "PolicyReport" ("directive", "blocked", "page")
     SELECT :directive::text, :blocked::text, :page::text
      WHERE (SELECT count(*) FROM "PolicyReport") < ${MAX_REPORTS}
         OR EXISTS (SELECT FROM "PolicyReport" WHERE "directive" = :directive AND "blocked" = :blocked AND "page" = :page)
     ON CONFLICT ("directive", "blocked", "page")
     DO UPDATE SET "count" = LEAST("PolicyReport"."count" + 1, 1000000), "lastAt" = now()`,
    report,
  )
}
