import 'server-only'
import { assertSteppedUp } from '@/lib/accounts/guards'
import { extendDrops } from '@/lib/drops/extend-drops'
import { keysTakenSql } from '@/lib/drops/keys/are-keys-taken'
import { dropSql } from '@/lib/drops/drop-sql'
import { type Context, transaction } from '@/lib/infra/context'
import type { UserActor } from '@/lib/kernel/actor'
import type { Plan } from '@/lib/kernel/plan'
import { planRules } from '@/lib/plans/rules'
import { recordAudit } from '@/lib/platform/record-audit'
import type { ExtendLiveDropsInput } from './schema'

/**
 * Extends every running drop after an outage. With `endedSince`, drops whose time has run out since then are extended
 * by the same number of hours and go live again. This requires that such a drop then has time left, that it is not in
 * review, and that its seller's plan allows another active drop. Drops that were ended by hand or taken down stay
 * ended. Numbered drops and open editions that have ended stay ended too, because their totals are final (ADR 0056, ADR
 * 0064). Scheduled drops have lost no time and stay unchanged. All drops change at once, so this needs a recent second
 * factor.
 * @throws TWO_FACTOR_REQUIRED, STEP_UP_REQUIRED
 * @returns how many drops were extended, and how many of them had ended.
 */
export async function extendLiveDrops(
  ctx: Context<UserActor>,
  { hours, endedSince }: ExtendLiveDropsInput,
): Promise<{ extended: number; returned: number }> {
  assertSteppedUp(ctx)
  return transaction(ctx, async (tx) => {
    const since = endedSince ? new Date(endedSince) : null
    const back = since ? await findReturning(tx, since, hours) : []
    // The rows are locked in id order, because two transactions that lock several drops in different orders would
    // deadlock.
    const locked = await tx.sql<{ id: number; isBack: boolean }>(
      'lock-drops-to-extend',
      `SELECT d."id", d."endTime" <= now() AS "isBack" FROM "Drop" d
        WHERE (${dropSql.isRunning} AND d."startedAt" <= now())
           OR (d."id" = ANY(:back::int[]) AND d."hiddenAt" IS NULL AND d."endTime" <= now())
        ORDER BY d."id" FOR NO KEY UPDATE`,
      { back },
    )
    const taken = await findTaken(tx, back)
    const drops = locked.filter(({ id, isBack }) => !(isBack && taken.has(id)))
    await extendDrops(
      tx,
      drops.map(({ id }) => id),
      hours,
    )
    const returned = drops.filter(({ isBack }) => isBack).length
    await recordAudit(tx, {
      action: 'platform.extend',
      targetType: 'platform',
      targetId: 1,
      after: { hours, drops: drops.length, ...(since ? { endedSince: since.toISOString(), returned } : {}) },
    })
    return { extended: drops.length, returned }
  })
}

/**
 * Finds the drops whose sellers have downloaded the unused keys. Call it with the drops' rows locked, because a seller
 * may have downloaded them while this transaction waited for the row.
 */
async function findTaken(tx: Context, dropIds: readonly number[]): Promise<Set<number>> {
  const taken = await tx.sql<{ id: number }>(
    'drops-with-taken-keys',
    `SELECT d."id" FROM "Drop" d WHERE d."id" = ANY(:dropIds::int[]) AND d."keysGiven" IS NOT NULL AND ${keysTakenSql}`,
    { dropIds },
  )
  return new Set(taken.map(({ id }) => id))
}

type Ended = { id: number; userId: number; plan: Plan; isAdmin: boolean; running: number }

/**
 * Finds the ended drops that may go live again. Locks their sellers, so that no seller can launch another drop
 * meanwhile.
 */
async function findReturning(tx: Context, since: Date, hours: number): Promise<number[]> {
  const found = await tx.sql<{ id: number; userId: number }>(
    'drops-ended-since',
    `SELECT d."id", d."userId" FROM "Drop" d
      WHERE d."hiddenAt" IS NULL AND d."moderation" = 'allowed' AND NOT d."isNumbered" AND NOT d."isOpenEdition"
        AND d."endTime" >= :since::timestamptz AND d."endTime" <= now()
        AND d."endTime" + make_interval(hours => :hours::int) > now() AND NOT ${keysTakenSql}
        -- The archive job sets "archivedAt" after "endTime" has passed; ending a drop by hand sets both to the same time.
        AND (d."archivedAt" > d."endTime" OR (d."archivedAt" IS NULL AND d."isActive"))
        AND NOT EXISTS (SELECT FROM "AuditEntry" a WHERE a."targetType" = 'drop' AND a."targetId" = d."id"::text
                           AND a."createdAt" >= d."startedAt" AND a."after"->>'isActive' = 'false')`,
    { since, hours },
  )
  await tx.db.$queryRaw`
    SELECT 1 AS "locked" FROM "User" WHERE "id" = ANY(${found.map(({ userId }) => userId)})
     ORDER BY "id" FOR NO KEY UPDATE`
  const ended = await tx.sql<Ended>(
    'ended-drops-with-running-ones',
    `SELECT e."id", e."userId", u."plan", u."isAdmin",
            (SELECT count(*)::int FROM "Drop" d WHERE d."userId" = u."id" AND ${dropSql.isRunning}) AS "running"
       FROM "Drop" e JOIN "User" u ON u."id" = e."userId"
      WHERE e."id" = ANY(:ids::int[]) AND u."deletedAt" IS NULL ORDER BY e."endTime" DESC, e."id" DESC`,
    { ids: found.map(({ id }) => id) },
  )
  const taken = new Map<number, number>()
  return ended
    .filter((drop) => {
      const running = taken.get(drop.userId) ?? drop.running
      if (running >= planRules(drop).activeDrops) return false
      taken.set(drop.userId, running + 1)
      return true
    })
    .map(({ id }) => id)
}
