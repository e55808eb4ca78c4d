import 'server-only'
import { type Context, transaction } from '@/lib/infra/context'
import { COUNTS_TOWARD_LIMIT, reportLimitParameters, lockReports } from './guards'
import { limitReports } from './limit-reports'
import type { ReportInput } from './schema'

/**
 * Adds a visitor's report of a drop to the review queue. The drop stays on sale until it has been reviewed, because
 * otherwise anyone could stop the sale of a competitor's drop.
 * @throws TOO_MANY_REQUESTS
 */
export async function reportDrop(ctx: Context, dropId: number, input: ReportInput): Promise<void> {
  const target = String(dropId)
  if (!(await limitReports(ctx, target))) return
  await transaction(ctx, async (tx) => {
    await lockReports(tx, target)
    await tx.sql(
      'report-drop',
      `INSERT INTO "ModerationReview" ("dropId", "category", "source", "details")
       SELECT :dropId, :category, 'report', :details
        WHERE (SELECT count(*) FROM "ModerationReview" WHERE "dropId" = :dropId AND ${COUNTS_TOWARD_LIMIT}) < :maxOpen`,
      { dropId, category: input.category, details: input.details, ...reportLimitParameters(input.category) },
    )
  })
}
