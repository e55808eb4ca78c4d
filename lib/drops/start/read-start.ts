import 'server-only'
import type { Context } from '@/lib/infra/context'
import { assertEarlyAhead } from './change-early'
import { dropError } from '../messages'
import { afterPlanText } from './start-messages'
import { readStartTime, startProblem, startsNow } from './start-rules'

/**
 * Returns when a drop starts. `typed` is the time that its seller typed. Without it, and if that time has passed by
 * less than a minute, the drop starts now. Refuses a start whose early access would already have opened. The database's
 * clock decides whether a time has passed, as it does when a unit is held.
 * @throws START_INVALID, START_SKIPPED, START_PAST, START_TOO_FAR, START_AFTER_PLAN, EARLY_PAST
 */
export async function readStart(
  tx: Context,
  typed: string | undefined,
  seller: { id: number; timezone: string },
  earlyMinutes: number | null = null,
): Promise<Date> {
  const [clock] = await tx.db.$queryRaw<{ now: Date }[]>`SELECT now() AS "now"`
  const now = clock?.now ?? tx.clock.now()
  if (typed === undefined) return now
  const start = readStartTime(typed, seller.timezone)
  if ('problem' in start) throw dropError(start.problem === 'skipped' ? 'START_SKIPPED' : 'START_INVALID')
  const problem = startProblem(start.at, now)
  if (problem) throw dropError(problem === 'past' ? 'START_PAST' : 'START_TOO_FAR')
  const at = startsNow(start.at, now) ? now : start.at
  await assertWithinPlan(tx, seller, at)
  assertEarlyAhead(at, earlyMinutes, now)
  return at
}

/**
 * Refuses a start after the end of a canceled Pro plan. The form shows the seller the fee of Pro, but the drop would
 * sell at the fee of the free plan, or be of a type that the free plan does not include.
 */
async function assertWithinPlan(
  tx: Context,
  { id, timezone }: { id: number; timezone: string },
  startsAt: Date,
): Promise<void> {
  const [plan] = await tx.sql<{ endsAt: Date }>(
    'end-of-plan',
    `SELECT COALESCE(s."cancelAt", s."currentPeriodEnd") AS "endsAt" FROM "Subscription" s JOIN "User" u ON u."id" = s."userId"
      WHERE u."id" = :id AND u."plan" = 'pro' AND NOT u."isAdmin" AND s."isEntitled" AND s."cancelAtPeriodEnd"`,
    { id },
  )
  if (plan && plan.endsAt < startsAt)
    throw dropError('START_AFTER_PLAN', { text: afterPlanText(plan.endsAt, timezone) })
}
