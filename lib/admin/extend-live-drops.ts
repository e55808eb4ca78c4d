import 'server-only'
import type { Context } from '@/lib/infra/context'
import type { Tx } from '@/lib/infra/db'
import type { UserActor } from '@/lib/kernel/actor'
import { planRules } from '@/lib/plans/rules'
import { recordAudit } from '@/lib/platform/record-audit'
import type { ExtendLiveDropsInput } from './schema'

/**
 * Gives every running drop more time, after an outage that took it from all of them. With `endedSince`, the drops whose clock
 * ran out from then on come back too, with the same hours more, when that leaves them any time and their seller's plan has
 * room. Whoever was ended by hand stays ended, and what an administrator took from sale stays so.
 * @returns how many drops got it, and how many of them had ended.
 */
export function extendLiveDrops(
  ctx: Context<UserActor>,
  { hours, endedSince }: ExtendLiveDropsInput,
): Promise<{ extended: number; returned: number }> {
  return ctx.db.$transaction(async (tx) => {
    const since = endedSince ? new Date(endedSince) : null
    const back = since ? await findReturning(tx, since, hours) : []
    // In id order, as everything that takes more than one drop: two at once would deadlock otherwise.
    const drops = await tx.$queryRaw<{ id: number; isBack: boolean }[]>`
      SELECT "id", "endTime" <= now() AS "isBack" FROM "Drop"
       WHERE "hiddenAt" IS NULL
         AND (("isActive" AND "archivedAt" IS NULL AND "endTime" > now()) OR ("id" = ANY(${back}) AND "endTime" <= now()))
       ORDER BY "id" FOR NO KEY UPDATE`
    await tx.$executeRaw`
      WITH extended AS (
        UPDATE "Drop" SET "endTime" = "endTime" + make_interval(hours => ${hours}::int), "isActive" = true,
               "archivedAt" = NULL, "updatedAt" = now()
         WHERE "id" = ANY(${drops.map(({ id }) => id)})
        RETURNING "id", "run", "endTime"
      )
      UPDATE "DropRun" r SET "endTime" = e."endTime", "renewDueAt" = NULL
        FROM extended e WHERE r."dropId" = e."id" AND r."run" = e."run"`
    const returned = drops.filter(({ isBack }) => isBack).length
    await recordAudit(tx, ctx, {
      action: 'platform.extend',
      targetType: 'platform',
      targetId: 1,
      after: { hours, drops: drops.length, ...(since ? { endedSince: since.toISOString(), returned } : {}) },
    })
    return { extended: drops.length, returned }
  })
}

type Ended = { id: number; userId: number; plan: 'free' | 'pro'; isAdmin: boolean; running: number }

/** Which ended drops may come back, with their sellers locked: nobody launches another one meanwhile. */
async function findReturning(tx: Tx, since: Date, hours: number): Promise<number[]> {
  const found = await tx.$queryRaw<{ id: number; userId: number }[]>`
    SELECT d."id", d."userId" FROM "Drop" d
     WHERE d."hiddenAt" IS NULL AND d."moderation" = 'allowed' AND d."endTime" >= ${since} AND d."endTime" <= now()
       AND d."endTime" + make_interval(hours => ${hours}::int) > now()
       -- The archive stamps later than the clock; whoever ends a drop by hand stamps both alike.
       AND (d."archivedAt" > d."endTime" OR (d."archivedAt" IS NULL AND d."isActive"))
       AND NOT EXISTS (SELECT FROM "AuditEntry" a WHERE a."targetType" = 'drop' AND a."targetId" = d."id"::text
                          AND a."createdAt" >= d."startedAt" AND a."after"->>'isActive' = 'false')`
  await tx.$queryRaw`
    SELECT 1 AS "locked" FROM "User" WHERE "id" = ANY(${found.map(({ userId }) => userId)})
     ORDER BY "id" FOR NO KEY UPDATE`
  const ended = await tx.$queryRaw<Ended[]>`
    SELECT d."id", d."userId", u."plan", u."isAdmin",
           (SELECT count(*)::int FROM "Drop" r WHERE r."userId" = u."id" AND r."isActive" AND r."archivedAt" IS NULL
               AND r."hiddenAt" IS NULL AND r."endTime" > now()) AS "running"
      FROM "Drop" d JOIN "User" u ON u."id" = d."userId"
     WHERE d."id" = ANY(${found.map(({ id }) => id)}) AND u."deletedAt" IS NULL ORDER BY d."endTime" DESC, d."id" DESC`
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
