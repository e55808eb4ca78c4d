import 'server-only'
import { type Context, transaction } from '@/lib/infra/context'
import { COUNTS_TOWARD_LIMIT, reportLimitParameters, lockReports } from './guards'
import { limitReports } from './limit-reports'
import type { ReportInput } from './schema'

/**
 * Adds a visitor's report of a public profile to the review queue. The profile stays as it is until an administrator
 * decides.
 * @throws TOO_MANY_REQUESTS
 */
export async function reportProfile(ctx: Context, userId: number, input: ReportInput): Promise<void> {
  const target = `profile ${userId}`
  if (!(await limitReports(ctx, target))) return
  await transaction(ctx, async (tx) => {
    await lockReports(tx, target)
    await tx.sql(
      'report-profile',
      `INSERT INTO "ProfileReport" ("userId", "category", "details")
       SELECT :userId, :category, :details
        WHERE (SELECT count(*) FROM "ProfileReport" WHERE "userId" = :userId AND ${COUNTS_TOWARD_LIMIT}) < :maxOpen`,
      { userId, category: input.category, details: input.details, ...reportLimitParameters(input.category) },
    )
  })
}
