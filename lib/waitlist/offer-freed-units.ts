import 'server-only'
import { LIVE_DROP } from '@/lib/drops/queries'
import { type Context, transaction } from '@/lib/infra/context'
import { keyedHash, sha256 } from '@/lib/infra/crypto'
import { uniqueViolation } from '@/lib/infra/database-errors'
import type { Database } from '@/lib/infra/db'
import { newSecret } from '@/lib/kernel/id'
import { queueMail } from '@/lib/notifications/queue-mail'
import { releaseHold } from '@/lib/orders/release-hold'
import { takeHold } from '@/lib/orders/take-hold'
import { stockSql, valueSql } from '@/lib/stock/stock-sql'
import { claimMail } from './mails'
import { CLAIM_MS } from './rules'

const BATCH = 50

type Next = {
  id: number
  email: string
  dropId: number
  /** The value of the drop's option that this person waits for. */
  valueId: number | null
  run: number
  title: string
  customSlug: string | null
  uniqueId: string
  priceCents: number
}

/** The buyer key of a waiting person. As for a browser, it allows one open hold per drop. */
export const claimBuyerKey = (entryId: number) => keyedHash('buyer', `waitlist:${entryId}`).slice(0, 40)

/**
 * Offers released units of live drops to the next in line: each is held for ten minutes by the same statement as any
 * hold, so nothing is sold twice, and the person is notified by email. An expired offer releases the unit, and the next
 * call offers it to the next person.
 * @returns how many were offered.
 */
export async function offerFreedUnits(ctx: Context): Promise<number> {
  if (ctx.payments === 'off') return 0
  let offered = 0
  for (const next of await listNextInLine(ctx)) {
    if (await offer(ctx, next)) offered += 1
  }
  return offered
}

/**
 * Lists, for each live drop with free units, as many people from the front of its line as there are units. Each value of
 * a drop's option has a line of its own.
 */
function listNextInLine({ sql }: Database): Promise<Next[]> {
  return sql<Next>(
    'waitlist-next',
    `SELECT * FROM (
       SELECT e."id", e."email", d."id" AS "dropId", d."run", d."title", d."customSlug", d."uniqueId", d."priceCents",
              e."valueId", CASE WHEN d."optionName" IS NULL THEN ${stockSql.free} ELSE ${valueSql.free} END AS "free",
              row_number() OVER (PARTITION BY d."id", e."valueId" ORDER BY e."joinedAt", e."id") AS "place"
         FROM "WaitlistEntry" e JOIN "Drop" d ON d."id" = e."dropId" JOIN "User" u ON u."id" = d."userId"
         LEFT JOIN "OptionValue" v ON v."id" = e."valueId" AND v."dropId" = d."id"
        WHERE e."confirmedAt" IS NOT NULL AND e."unsubscribedAt" IS NULL AND e."run" = d."run"
          AND e."offeredRun" IS DISTINCT FROM d."run" AND ${LIVE_DROP} AND ${stockSql.free} > 0
     ) line WHERE line."place" <= line."free" ORDER BY line."place" LIMIT :limit`,
    { limit: BATCH },
  )
}

async function offer(ctx: Context, next: Next): Promise<boolean> {
  const hold = await takeHold(ctx, {
    dropId: next.dropId,
    valueId: next.valueId,
    quantity: 1,
    buyerKey: claimBuyerKey(next.id),
    mode: 'hosted',
    holdMs: CLAIM_MS,
  }).catch((error: unknown) => {
    // Another process offered it a moment ago.
    if (uniqueViolation(error)?.includes('Hold_one_open_per_buyer')) return null
    throw error
  })
  if (!hold) return false
  const secret = newSecret()
  const isOffered = await transaction(ctx, async (tx) => {
    const { count } = await tx.db.waitlistEntry.updateMany({
      where: { id: next.id, unsubscribedAt: null },
      data: { offeredRun: next.run, claimTokenHash: sha256(secret), claimHoldId: hold.holdId, claimedAt: null },
    })
    if (count === 0) return false
    const { holdId, title } = hold
    await queueMail(tx, [claimMail(next, { ...next, title }, { secret, holdId }, ctx.appUrl)])
    return true
  })
  // The person left the waitlist in the meantime.
  if (!isOffered) await releaseHold(ctx, hold.holdId, 'cancelled')
  return isOffered
}
