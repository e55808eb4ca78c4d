import 'server-only'
import type { Order } from '@prisma/client'
import { type SearchedRows, wordCondition } from '@/lib/infra/word-condition'
import type { Database, Db } from '@/lib/infra/db'
import type { SqlParameters } from '@/lib/infra/sql'
import { LATE_AFTER_DAYS } from './rules'
import { type SellerOrderFilter, sellerOrderFilterSchema } from './schema'
import {
  readOrderCursor,
  type SellerOrderRow,
  type SellerOrderView,
  toSellerOrderView,
  writeOrderCursor,
} from './seller-view'

export const ORDERS_PER_PAGE = 25

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

const searchedOrders = (sellerId: number): SearchedRows => ({
  table: 'Order',
  alias: 'o',
  within: { sql: '"sellerId" = :sellerId AND "paidAt" IS NOT NULL', parameters: { sellerId } },
  newestFirst: '"paidAt" DESC, "id" DESC',
  sample: 2_000,
  common: 20,
})

/**
 * A seller's paid orders, one page by keyset: the newest first, or, of those to ship, the one that has waited longest. So late
 * parcels come first, and packing slips lie in the sequence of the list.
 */
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
  const [direction, isFurther] = show === 'ship' ? ['ASC', '>'] : ['DESC', '<']
  if (before) conditions.push(`(o."paidAt", o."id") ${isFurther} (:beforeTime, :beforeId)`)
  const { condition, parameters } = await wordCondition(ctx.sql, searchedOrders(sellerId), filter.q)
  conditions.push(condition)
  const sequence = `o."paidAt" ${direction}, o."id" ${direction}`
  return readOrders(ctx, `${conditions.join(' AND ')} ORDER BY ${sequence} LIMIT :limit`, {
    ...parameters,
    ...{ sellerId, drop, days, limit },
    beforeTime: before?.paidAt,
    beforeId: before?.id,
  })
}

async function readOrders(
  { sql }: Database,
  conditions: string,
  parameters: SqlParameters,
): Promise<SellerOrderView[]> {
  const rows = await sql.unprepared<Order & Pick<SellerOrderRow, 'isAsked' | 'isLate' | 'isLost' | 'image'>>(
    `SELECT o.*,
            (SELECT json_build_object('key', i."key", 'width', i."widths"[1]) FROM "DropImage" i
              WHERE i."dropId" = o."dropId" ORDER BY i."position" LIMIT 1) AS "image",
            ${TO_SHIP} AND o."paidAt" < now() - interval '${LATE_AFTER_DAYS} days' AS "isLate",
            EXISTS (SELECT FROM "Refund" r WHERE r."orderId" = o."id" AND r."state" = 'requested') AS "isAsked",
            o."status" = 'disputed' AND NOT EXISTS (SELECT FROM "Dispute" d WHERE d."orderId" = o."id" AND d."closedAt" IS NULL
              AND d."status" NOT LIKE 'warning%') AS "isLost"
       FROM "Order" o WHERE ${conditions}`,
    parameters,
  )
  return rows.map(toSellerOrderView)
}

/** One order of a seller while it still has to be shipped; nothing for any other order. */
export function findOrderToShip(ctx: Database, sellerId: number, orderId: string): Promise<SellerOrderView[]> {
  return readOrders(ctx, `o."sellerId" = :sellerId AND o."id" = :orderId AND ${TO_SHIP}`, { sellerId, orderId })
}

/** The parcel to pack next, the one that has waited longest, and how many there are to pack; null when there is none. */
export async function findNextToShip(
  { sql }: Database,
  sellerId: number,
): Promise<{ orderId: string; count: number } | null> {
  const [row] = await sql<{ orderId: string; count: number }>(
    'next-to-ship',
    `SELECT o."id" AS "orderId", (count(*) OVER ())::int AS "count" FROM "Order" o
      WHERE o."sellerId" = :sellerId AND ${TO_SHIP} ORDER BY o."paidAt", o."id" LIMIT 1`,
    { sellerId },
  )
  return row ?? null
}

const BATCH = 1_000

/** All orders that match a filter, one batch at a time, for exports that may be long. */
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

/** Every paid order of a seller, newest first. */
export async function listAllSellerOrders(ctx: Database, sellerId: number): Promise<SellerOrderView[]> {
  const all: SellerOrderView[] = []
  for await (const batch of walkSellerOrders(ctx, sellerId, sellerOrderFilterSchema.parse({}))) all.push(...batch)
  return all
}

const MOST_DROPS = 100

/** The drops a seller can filter orders by: the newest ones that have sold something. */
export function listDropChoices(db: Db, sellerId: number): Promise<{ id: number; title: string }[]> {
  return db.drop.findMany({
    where: { userId: sellerId, purchases: { gt: 0 } },
    orderBy: { createdAt: 'desc' },
    take: MOST_DROPS,
    select: { id: true, title: true },
  })
}

/**
 * One order of a seller with all its related rows; null when it belongs to another seller or is not paid. An
 * administrator passes no seller.
 */
export function findOrderRecord(db: Db, orderId: string, sellerId?: number) {
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

export type OrderRecord = NonNullable<Awaited<ReturnType<typeof findOrderRecord>>>
