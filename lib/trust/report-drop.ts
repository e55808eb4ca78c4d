import 'server-only'
import type { Context } from '@/lib/infra/context'
import { consume, type RateLimit } from '@/lib/infra/rate-limit'
import { platformError } from '@/lib/platform/messages'
import { trustTexts } from './messages'
import type { ReportInput } from './schema'

const perAddress: RateLimit = { name: 'report', points: 10, windowSeconds: 3_600 }
/** Reports of the same drop from the same network count once a day. */
const perDrop: RateLimit = { name: 'report-drop', points: 1, windowSeconds: 24 * 3_600 }
/** The most open reviews of one drop: enough to decide about it; more reports would only add rows. */
const MAX_OPEN = 20

/**
 * A visitor reports a drop. The drop goes to the review queue and stays on sale until somebody has reviewed it; otherwise
 * anybody could take a competitor's drop down.
 * @throws TOO_MANY_REQUESTS
 */
export async function reportDrop(ctx: Context, dropId: number, input: ReportInput): Promise<void> {
  const retryAfterSeconds = await consume(perAddress, ctx.network)
  if (retryAfterSeconds !== null) {
    throw platformError('TOO_MANY_REQUESTS', { retryAfterSeconds, text: trustTexts.reportLimit })
  }
  if ((await consume(perDrop, `${dropId} ${ctx.network}`)) !== null) return
  await ctx.sql(
    'report-drop',
    `INSERT INTO "ModerationReview" ("dropId", "category", "source", "details")
     SELECT :dropId, :category, 'report', :details
      WHERE (SELECT count(*) FROM "ModerationReview" WHERE "dropId" = :dropId AND "state" = 'open') < :maxOpen`,
    { dropId, category: input.category, details: input.details, maxOpen: MAX_OPEN },
  )
}
