import 'server-only'
import { dropSql } from '@/lib/drops/drop-sql'
import { waits } from '@/lib/drops/queries'
import { zoneSql } from '@/lib/drops/delivery/zone-sql'
import { type Context, transaction } from '@/lib/infra/context'
import { keyedHash, sha256 } from '@/lib/infra/crypto'
import { isDatabaseUnavailable, uniqueViolation } from '@/lib/infra/database-errors'
import type { Database } from '@/lib/infra/db'
import { AppError } from '@/lib/kernel/app-error'
import { newSecret } from '@/lib/kernel/id'
import { processState } from '@/lib/kernel/process-state.mjs'
import { SECOND_MS } from '@/lib/kernel/time'
import { QueueFull } from '@/lib/infra/bounded-queue'
import { queueMail } from '@/lib/notifications/queue-mail'
import { holdWithinLimit } from '@/lib/checkout/hold/hold-within-limit'
import { releaseHold } from '@/lib/checkout/hold/release-hold'
import { takeHold } from '@/lib/checkout/hold/take-hold'
import { refundSql } from '@/lib/stock/refund-sql'
import { ownPartSql, stockSql, valueSql } from '@/lib/stock/stock-sql'
import { claimMail } from './mails'
import { CLAIM_MS, OFFERS_OF_A_UNIT } from './rules'

const BATCH = 50

/**
 * The drops of which no unit could be offered, because the seller's monthly limit leaves less than one unit, with the
 * time until which each is left out. Otherwise the lines of these drops would fill every batch, and no freed unit of
 * another drop would be offered. A cheaper drop of the same seller may still fit within the limit.
 */
const fullDrops = processState('full-drops', () => new Map<number, number>())
const FULL_FOR_MS = 30 * SECOND_MS

type Next = {
  id: number
  email: string
  dropId: number
  userId: number
  isSellerReady: boolean
  /** The value of the drop's option that this person waits for. */
  valueId: number | null
  run: number
  title: string
  customSlug: string | null
  uniqueId: string
  priceCents: number
  hasSurcharge: boolean
  /** The network that confirmed the place; null when it is not known. */
  originKey: string | null
  /** How many more units this network may be offered at this drop, if the network is known. */
  originLeft: number
}

/** Returns the buyer key of a waiting person. Like the buyer key of a browser, it allows one open hold per drop. */
export const claimBuyerKey = (entryId: number) => keyedHash('buyer', `waitlist:${entryId}`).slice(0, 40)

/**
 * Offers released units of live drops to the next people in line, and notifies them by email. takeHold() holds each
 * offered unit for ten minutes, so no unit is sold twice. An expired offer releases its unit, and the next call offers
 * the unit to the next person. After two unpaid offers it stays on public sale (ADR 0074). One network is offered at
 * most as many units of a drop at a time as it may have in checkout without a proof of work. Its expired offers count
 * too, but their weight halves every fifteen minutes (ADR 0050). Other people of that network keep their places, but
 * after two unpaid offers of the run they come after the people of other networks. A drop whose units cannot be held is
 * left out for the rest of the call.
 * @returns how many units were offered.
 * @throws the first error, after the units of the other drops were offered, and at once when the database is
 *   unavailable
 */
export async function offerFreedUnits(ctx: Context): Promise<number> {
  if (ctx.payments === 'off') return 0
  let offered = 0
  const toOrigin = new Map<string, number>()
  const now = ctx.clock.now().getTime()
  for (const [dropId, until] of fullDrops) if (until <= now) fullDrops.delete(dropId)
  const full = ctx.sellerLimit ? fullDrops : new Map<number, number>()
  const failed = new Map<number, unknown>()
  for (const next of await listNextInLine(ctx, [...full.keys()])) {
    if (full.has(next.dropId) || failed.has(next.dropId)) continue
    const origin = next.originKey === null ? null : `${next.dropId} ${next.originKey}`
    const before = origin === null ? 0 : (toOrigin.get(origin) ?? 0)
    // The list applies the limit to each value of an option separately, so the limit of the whole drop is checked here.
    if (origin !== null && before >= next.originLeft) continue
    const isOffered = await offer(ctx, next).catch((error: unknown) => {
      if (isDatabaseUnavailable(error)) throw error
      failed.set(next.dropId, error)
      return false
    })
    if (!isOffered) continue
    offered += 1
    if (origin !== null) toOrigin.set(origin, before + 1)
  }
  for (const [dropId, error] of failed) {
    ctx.log.error({ dropId, cause: String(error) }, 'no unit of this drop could be offered')
  }
  if (failed.size > 0) throw [...failed.values()][0]
  return offered
}

/**
 * SQL: the weight of an offer with the hold `h` for its network. An open hold counts fully, and a paid hold does not
 * count. The weight of an expired hold halves every fifteen minutes.
 */
const OFFER_WEIGHT = `CASE WHEN h."state" = 'held' THEN 1 WHEN ${stockSql.endedUnpaid('h')}
  THEN power(0.5, extract(epoch FROM now() - h."settledAt") / 900) ELSE 0 END`

/**
 * SQL: the value whose line a row belongs to. An open edition has one line, because each of its units can become any
 * value.
 */
const lineOf = (valueId: string, isOpenEdition: string) => `CASE WHEN ${isOpenEdition} THEN NULL ELSE ${valueId} END`

/** SQL: the same for a hold `h`. */
const HOLD_LINE = lineOf('h."valueId"', '(SELECT d."isOpenEdition" FROM "Drop" d WHERE d."id" = h."dropId")')

/**
 * SQL: the units of each line that stay on public sale. OFFERS_OF_A_UNIT unpaid offers put a unit on public sale, and
 * each unit that is sold afterwards cancels as many of them. Earlier sales cancel nothing. For each moment, the query
 * therefore subtracts the sales since then from the unpaid offers since then, and takes the highest result. A line has
 * the holds of one run, and of one value if each value has its own line. Without this, a few mailboxes of any networks
 * could keep a freed unit from all buyers for hours.
 */
const PUBLIC_UNITS = `
  SELECT "dropId", "lineId", GREATEST(0, max("over") / ${OFFERS_OF_A_UNIT}) AS "units" FROM (
    SELECT "dropId", "lineId", sum("step") OVER (PARTITION BY "dropId", "lineId" ORDER BY "settledAt" DESC) AS "over" FROM (
      SELECT h."dropId", ${HOLD_LINE} AS "lineId", h."settledAt", 1 AS "step"
        FROM "WaitlistEntry" e JOIN "Hold" h ON h."id" = e."claimHoldId"
       WHERE (h."dropId", h."run") IN (SELECT "dropId", "run" FROM waiting) AND ${stockSql.endedUnpaid('h')}
      UNION ALL
      SELECT h."dropId", ${HOLD_LINE}, h."settledAt", -${OFFERS_OF_A_UNIT} * h."quantity" FROM "Hold" h
       WHERE (h."dropId", h."run") IN (SELECT "dropId", "run" FROM waiting) AND h."state" = 'sold') steps) sums
   GROUP BY 1, 2`

/**
 * SQL: whether the offers `o` of a network in this run have mostly ended unpaid, so that its people come after those of
 * other networks. Nobody is refused, because many people may share a network.
 */
const COMES_LAST = `COALESCE(o."unpaid" >= ${OFFERS_OF_A_UNIT} * (1 + o."paid"), false)`

/**
 * SQL: whether a pause of the platform, or the removal of a drop that was restored later, closed the offer of entry
 * `e`. The person keeps the place in line and gets another offer.
 */
const LOST_OFFER = `EXISTS (
  SELECT FROM "Hold" c WHERE c."id" = e."claimHoldId" AND c."state" = 'released' AND c."reason" = 'closed')`

/**
 * SQL: whether the person of entry `e` has as many units of this run as drop `d` sells to one buyer, so that a payment
 * for another unit would be refunded.
 */
const HAS_ALL_UNITS = `(d."maxPerBuyer" IS NOT NULL AND d."maxPerBuyer" <= (
  SELECT COALESCE(sum(b."quantity" - ${refundSql.units('b')}), 0) FROM "Order" b JOIN "Hold" bh ON bh."id" = b."holdId"
   WHERE b."dropId" = d."id" AND bh."run" = d."run" AND b."paidAt" IS NOT NULL AND ${refundSql.isStillBought('b')}
     AND lower(b."buyerEmail") IN (lower(e."email"), e."mailbox")))`

/**
 * Lists, for each live drop with free units, as many people from the front of its line as there are units that are not
 * left to the public sale, but at most BATCH people in all. Each value of a drop's option has its own line, but an open
 * edition has one line, without people whose value was removed. People of a network that has enough offers are skipped,
 * and so are the drops `fullDropIds`.
 */
function listNextInLine({ sql }: Database, fullDropIds: readonly number[]): Promise<Next[]> {
  return sql<Next>(
    'waitlist-next',
    `WITH waiting AS (
       SELECT e."id", e."email", e."joinedAt", e."originKey", d."id" AS "dropId", d."userId", u."payoutsState" = 'ready' AS "isSellerReady", d."run", d."title", d."customSlug", d."uniqueId",
              d."priceCents", ${zoneSql.hasSurcharge} AS "hasSurcharge", e."valueId", ${lineOf('e."valueId"', 'd."isOpenEdition"')} AS "lineId",
              CASE WHEN d."optionName" IS NULL OR d."isOpenEdition" THEN ${stockSql.free} ELSE ${valueSql.free} END AS "free",
              ${ownPartSql(stockSql.onOffer)} AS "ownPart",
              row_number() OVER (PARTITION BY d."id", ${lineOf('e."valueId"', 'd."isOpenEdition"')}, e."originKey" ORDER BY e."joinedAt", e."id") AS "ofOrigin"
         FROM "WaitlistEntry" e JOIN "Drop" d ON d."id" = e."dropId" JOIN "User" u ON u."id" = d."userId"
         LEFT JOIN "OptionValue" v ON v."id" = e."valueId" AND v."dropId" = d."id"
        WHERE ${waits('d')} AND NOT ${HAS_ALL_UNITS} AND e."run" = d."run"
          AND (e."offeredRun" IS DISTINCT FROM d."run" OR ${LOST_OFFER}) AND ${dropSql.isLive} AND ${stockSql.free} > 0
          AND (NOT d."isOpenEdition" OR (d."optionName" IS NULL) = (v."id" IS NULL)) AND d."id" <> ALL(:fullDropIds::int[])
     ), offers AS (
       SELECT e."dropId", e."originKey", sum(${OFFER_WEIGHT}) AS "weight",
              count(*) FILTER (WHERE h."run" = d."run" AND ${stockSql.endedUnpaid('h')}) AS "unpaid",
              count(*) FILTER (WHERE h."run" = d."run" AND h."state" = 'sold') AS "paid"
         FROM "WaitlistEntry" e JOIN "Hold" h ON h."id" = e."claimHoldId" JOIN "Drop" d ON d."id" = e."dropId"
        WHERE e."originKey" IS NOT NULL AND e."dropId" IN (SELECT "dropId" FROM waiting) GROUP BY 1, 2
     ), public AS (${PUBLIC_UNITS}
     ), able AS (
       SELECT w.*, w."ownPart" - COALESCE(o."weight", 0) AS "mayGet", ${COMES_LAST} AS "comesLast" FROM waiting w
         LEFT JOIN offers o ON o."dropId" = w."dropId" AND o."originKey" = w."originKey"
     )
     SELECT line.* FROM (
       SELECT able.*, floor("mayGet")::int AS "originLeft",
              row_number() OVER (PARTITION BY "dropId", "lineId" ORDER BY "comesLast", "joinedAt", "id") AS "place"
         FROM able WHERE "originKey" IS NULL OR "ofOrigin" <= "mayGet"
     ) line LEFT JOIN public p ON p."dropId" = line."dropId" AND p."lineId" IS NOT DISTINCT FROM line."lineId"
      WHERE line."place" <= line."free" - COALESCE(p."units", 0)
      ORDER BY line."place", line."joinedAt", line."id" LIMIT :limit`,
    { limit: BATCH, fullDropIds },
  )
}

async function offer(ctx: Context, next: Next): Promise<boolean> {
  const hold = await holdWithinLimit(ctx, next, (tx) =>
    takeHold(tx, {
      dropId: next.dropId,
      valueId: next.valueId,
      quantity: 1,
      // The person chooses the country when claiming the unit.
      isOffer: true,
      buyerKey: claimBuyerKey(next.id),
      mode: 'hosted',
      holdMs: CLAIM_MS,
    }),
  ).catch((error: unknown) => {
    // The seller may sell nothing more this month, so nobody is offered a unit.
    if (error instanceof AppError && error.code === 'SELLER_LIMIT') {
      fullDrops.set(next.dropId, ctx.clock.now().getTime() + FULL_FOR_MS)
      return null
    }
    // Too many buyers of this seller wait, so the unit is offered in a later round.
    if (error instanceof QueueFull) return null
    // Another process has just offered this person a unit.
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
    const { holdId, title, expiresAt } = hold
    await queueMail(tx, [claimMail(next, { ...next, title }, { secret, holdId, expiresAt }, ctx.appUrl)])
    return true
  })
  // The person left the waitlist in the meantime.
  if (!isOffered) await releaseHold(ctx, hold.holdId, 'cancelled')
  return isOffered
}
