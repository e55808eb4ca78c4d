import 'server-only'
import type { Order } from '@prisma/client'
import type { Database, Db } from '@/lib/infra/db'
import type { SqlParameters } from '@/lib/infra/sql'
import { searchPattern } from '@/lib/kernel/search-pattern'
import { LATE_AFTER_DAYS } from './rules'
import type { SellerOrderFilter } from './schema'
import { readOrderCursor, type SellerOrderView, toSellerOrderView, writeOrderCursor } from './seller-view'

export const ORDERS_PER_PAGE = 25

/** A word that this many of a seller's newest orders hold is common: walking from the newest finds a page of it soon. */
const SAMPLE = 2_000
const COMMON = 20
/** Trigrams need three letters. */
const SHORT = 3

const TO_SHIP = `o."status" = 'paid' AND o."productType" = 'physical'`

const shows: Record<SellerOrderFilter['show'], string> = {
  all: 'true',
  ship: TO_SHIP,
  shipped: `o."status" = 'shipped'`,
  delivered: `o."status" IN ('delivered', 'done')`,
  asked: `o."id" IN (SELECT r."orderId" FROM "Refund" r WHERE r."state" = 'requested')`,
  refunded: 'o."refundedCents" > 0',
  disputed: `o."status" = 'disputed'`,
}

/**
 * The condition for orders that hold the words: by the trigram index when few do, by a filter while walking from the newest
 * when many do. A look at the seller's newest orders tells which.
 */
async function matching(
  { sql }: Database,
  sellerId: number,
  typed: string | undefined,
): Promise<{ condition: string; words?: string }> {
  const found = searchPattern(typed)
  if (!found) return { condition: 'true' }
  const { words, pattern } = found
  const sample = `SELECT "searchText" FROM "Order" WHERE "sellerId" = :sellerId AND "paidAt" IS NOT NULL
                   ORDER BY "paidAt" DESC, "id" DESC LIMIT ${SAMPLE}`
  const [seen] = await sql.unprepared<{ hits: number }>(
    `SELECT count(*)::int AS "hits" FROM (${sample}) newest WHERE strpos("searchText", :words) > 0`,
    { sellerId, words },
  )
  if (words.length < SHORT || (seen?.hits ?? 0) >= COMMON) {
    return { condition: 'strpos(o."searchText", :words) > 0', words }
  }
  const rare = `SELECT "id" FROM "Order" WHERE "searchText" LIKE :words AND "sellerId" = :sellerId AND "paidAt" IS NOT NULL`
  return { condition: `o."id" = ANY(ARRAY(${rare}))`, words: pattern }
}

/** A seller's paid orders, newest first, one page by keyset. */
export async function listSellerOrders(
  ctx: Database,
  sellerId: number,
  filter: SellerOrderFilter,
  limit = ORDERS_PER_PAGE,
): Promise<SellerOrderView[]> {
  const { show, drop, days } = filter
  const conditions = ['o."sellerId" = :sellerId', 'o."paidAt" IS NOT NULL', shows[show]]
  if (drop !== undefined) conditions.push('o."dropId" = :drop')
  if (days !== undefined) conditions.push('o."paidAt" > now() - make_interval(days => :days)')
  const before = readOrderCursor(filter.before)
  if (before) conditions.push('(o."paidAt", o."id") < (:beforeTime, :beforeId)')
  const { condition, words } = await matching(ctx, sellerId, filter.q)
  conditions.push(condition)
  return readOrders(ctx, `${conditions.join(' AND ')} ORDER BY o."paidAt" DESC, o."id" DESC LIMIT :limit`, {
    ...{ sellerId, drop, days, words, limit },
    beforeTime: before?.paidAt,
    beforeId: before?.id,
  })
}

async function readOrders(
  { sql }: Database,
  conditions: string,
  parameters: SqlParameters,
): Promise<SellerOrderView[]> {
  const rows = await sql.unprepared<Order & { isAsked: boolean; isLate: boolean; isLost: boolean }>(
    `SELECT o.*, ${TO_SHIP} AND o."paidAt" < now() - interval '${LATE_AFTER_DAYS} days' AS "isLate",
            EXISTS (SELECT FROM "Refund" r WHERE r."orderId" = o."id" AND r."state" = 'requested') AS "isAsked",
            EXISTS (SELECT FROM "Dispute" d WHERE d."orderId" = o."id" AND d."status" = 'lost') AS "isLost"
       FROM "Order" o WHERE ${conditions}`,
    parameters,
  )
  return rows.map(toSellerOrderView)
}

/** One order of a seller as long as it is to ship; nothing for any other. */
export function findOrderToShip(ctx: Database, sellerId: number, orderId: string): Promise<SellerOrderView[]> {
  return readOrders(ctx, `o."sellerId" = :sellerId AND o."id" = :orderId AND ${TO_SHIP}`, { sellerId, orderId })
}

const BATCH = 1_000

/** All the orders of a filter, a batch at a time: for files, which may be long. */
export async function* walkSellerOrders(
  ctx: Database,
  sellerId: number,
  filter: SellerOrderFilter,
): AsyncGenerator<SellerOrderView[], void> {
  let before = filter.before
  for (;;) {
    const orders = await listSellerOrders(ctx, sellerId, { ...filter, before }, BATCH)
    if (orders.length > 0) yield orders
    const last = orders.at(-1)
    if (!last || orders.length < BATCH) return
    before = writeOrderCursor(last)
  }
}

/** Paid physical orders that still have to be sent. */
export function countOrdersToShip(db: Db, sellerId: number): Promise<number> {
  return db.order.count({ where: { sellerId, status: 'paid', productType: 'physical' } })
}

const MOST_DROPS = 100

/** What a seller's orders can be narrowed to: their newest drops. */
export function listDropChoices(db: Db, sellerId: number): Promise<{ id: number; title: string }[]> {
  return db.drop.findMany({
    where: { userId: sellerId, purchases: { gt: 0 } },
    orderBy: { createdAt: 'desc' },
    take: MOST_DROPS,
    select: { id: true, title: true },
  })
}

/** Everything about one order of a seller; null when it is not theirs or not paid. An administrator passes no seller. */
export function findOrderFacts(db: Db, orderId: string, sellerId?: number) {
  return db.order.findFirst({
    where: { id: orderId, paidAt: { not: null }, ...(sellerId === undefined ? {} : { sellerId }) },
    include: {
      seller: true,
      refunds: { orderBy: { createdAt: 'asc' } },
      disputes: { orderBy: { createdAt: 'asc' } },
      downloads: { orderBy: { createdAt: 'asc' }, take: 100 },
      transfer: true,
      purchase: true,
      drop: { include: { images: { orderBy: { position: 'asc' }, take: 1 }, digitalFile: true } },
    },
  })
}

export type OrderFacts = NonNullable<Awaited<ReturnType<typeof findOrderFacts>>>
