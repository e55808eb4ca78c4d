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
import { ONE_ORDER, OWN_PART } from '@/lib/stock/rules'
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
  /** The network that confirmed the place; null when it is not known. */
  originKey: string | null
  /** How many more units this network may be offered at this drop. */
  originLeft: number
}

/** The buyer key of a waiting person. As for a browser, it allows one open hold per drop. */
export const claimBuyerKey = (entryId: number) => keyedHash('buyer', `waitlist:${entryId}`).slice(0, 40)

/**
 * Offers released units of live drops to the next in line: each is held for ten minutes by the same statement as any
 * hold, so nothing is sold twice, and the person is notified by email. An expired offer releases the unit, and the next
 * call offers it to the next person. One network is offered as many units of a drop at a time as it may hold without work;
 * offers that it let expire count too, half as much every fifteen minutes (ADR 0050). Its other people keep their places.
 * @returns how many were offered.
 */
export async function offerFreedUnits(ctx: Context): Promise<number> {
  if (ctx.payments === 'off') return 0
  let offered = 0
  const toOrigin = new Map<string, number>()
  for (const next of await listNextInLine(ctx)) {
    const origin = next.originKey === null ? null : `${next.dropId} ${next.originKey}`
    const before = origin === null ? 0 : (toOrigin.get(origin) ?? 0)
    // The list counts for each value of an option by itself.
    if (origin !== null && before >= next.originLeft) continue
    if (!(await offer(ctx, next))) continue
    offered += 1
    if (origin !== null) toOrigin.set(origin, before + 1)
  }
  return offered
}

/** How much an offer weighs for its network: the hold `h` is open, or its owner let it expire. */
const OFFER_WEIGHT = `CASE WHEN h."state" = 'held' THEN 1 WHEN ${stockSql.endedUnpaid('h')}
  THEN power(0.5, extract(epoch FROM now() - h."settledAt") / 900) ELSE 0 END`

/**
 * Lists, for each live drop with free units, as many people from the front of its line as there are units. Each value of
 * a drop's option has a line of its own. People of a network that has enough offers are passed over.
 */
function listNextInLine({ sql }: Database): Promise<Next[]> {
  return sql<Next>(
    'waitlist-next',
    `WITH waiting AS (
       SELECT e."id", e."email", e."joinedAt", e."originKey", d."id" AS "dropId", d."run", d."title", d."customSlug", d."uniqueId",
              d."priceCents", e."valueId", CASE WHEN d."optionName" IS NULL THEN ${stockSql.free} ELSE ${valueSql.free} END AS "free",
              GREATEST(${ONE_ORDER}, floor(${stockSql.unsold} * ${OWN_PART})) AS "ownPart",
              row_number() OVER (PARTITION BY d."id", e."valueId", e."originKey" ORDER BY e."joinedAt", e."id") AS "ofOrigin"
         FROM "WaitlistEntry" e JOIN "Drop" d ON d."id" = e."dropId" JOIN "User" u ON u."id" = d."userId"
         LEFT JOIN "OptionValue" v ON v."id" = e."valueId" AND v."dropId" = d."id"
        WHERE e."confirmedAt" IS NOT NULL AND e."unsubscribedAt" IS NULL AND e."run" = d."run"
          AND e."offeredRun" IS DISTINCT FROM d."run" AND ${LIVE_DROP} AND ${stockSql.free} > 0
     ), offers AS (
       SELECT e."dropId", e."originKey", sum(${OFFER_WEIGHT}) AS "weight"
         FROM "WaitlistEntry" e JOIN "Hold" h ON h."id" = e."claimHoldId"
        WHERE e."originKey" IS NOT NULL AND e."dropId" IN (SELECT "dropId" FROM waiting) GROUP BY 1, 2
     ), able AS (
       SELECT w.*, w."ownPart" - COALESCE(o."weight", 0) AS "mayGet" FROM waiting w
         LEFT JOIN offers o ON o."dropId" = w."dropId" AND o."originKey" = w."originKey"
     )
     SELECT * FROM (
       SELECT able.*, floor("mayGet")::int AS "originLeft",
              row_number() OVER (PARTITION BY "dropId", "valueId" ORDER BY "joinedAt", "id") AS "place"
         FROM able WHERE "originKey" IS NULL OR "ofOrigin" <= "mayGet"
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
