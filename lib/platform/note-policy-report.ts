import 'server-only'
import type { Context } from '@/lib/infra/context'

export type PolicyReport = { directive: string; blocked: string; page: string }

/** New kinds are ignored while this many are stored; a kind that was not reported for a week is removed. */
const MAX_KINDS = 100

/** Counts a report of a browser about our Content-Security-Policy. Anybody can send one, so the kinds are limited. */
export async function notePolicyReport({ sql }: Context, report: PolicyReport): Promise<void> {
  await sql('old-policy-reports', `DELETE FROM "PolicyReport" WHERE "lastAt" < now() - interval '7 days'`)
  await sql(
    'note-policy-report',
    `INSERT INTO "PolicyReport" ("directive", "blocked", "page")
     SELECT :directive::text, :blocked::text, :page::text
      WHERE (SELECT count(*) FROM "PolicyReport") < ${MAX_KINDS}
         OR EXISTS (SELECT FROM "PolicyReport" WHERE "directive" = :directive AND "blocked" = :blocked AND "page" = :page)
     ON CONFLICT ("directive", "blocked", "page")
     DO UPDATE SET "count" = LEAST("PolicyReport"."count" + 1, 1000000), "lastAt" = now()`,
    report,
  )
}
