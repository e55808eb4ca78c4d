import 'server-only'
import type { Order } from '@prisma/client'
import { EDITION, findEdition } from '@/lib/drops/editions/edition-queries'
import { type SearchedRows, wordCondition } from '@/lib/infra/word-condition'
import type { Database, Db } from '@/lib/infra/db'
import type { SqlParameters } from '@/lib/infra/sql'
import { keySql } from '@/lib/stock/key-sql'
import { refundSql } from '@/lib/stock/refund-sql'
import { keySequence } from './key-sequence'
import { lateSql } from './late-sql'
import { type SellerOrderFilter, sellerOrderFilterSchema } from './filter-schema'
import {
  readOrderCursor,
  type SellerOrderRow,
  type SellerOrderView,
  toSellerOrderView,
  writeOrderCursor,
} from './seller-view'

export const ORDERS_PER_PAGE = 25

const shows: Record<SellerOrderFilter['show'], string> = {
  all: 'true',
  ship: lateSql.toShip,
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
 * Lists one page of a seller's paid orders, with keyset pagination. The newest come first, except that orders to ship
 * begin with the one that has waited longest. Late parcels are then usually at the top, and packing slips are printed
 * in the sequence of the list.
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
    sellerId,
    drop,
    days,
    limit,
    beforeTime: before?.paidAt,
    beforeId: before?.id,
  })
}

async function readOrders(
  { sql }: Database,
  conditions: string,
  parameters: SqlParameters,
): Promise<SellerOrderView[]> {
  const rows = await sql.unprepared<
    Order &
      Pick<
        SellerOrderRow,
        'isAsked' | 'isLate' | 'isLost' | 'image' | 'edition' | 'run' | 'areGoodsRefunded' | 'unitsLeft'
      >
  >(
    `SELECT o.*, ${EDITION} AS "edition", (SELECT h."run" FROM "Hold" h WHERE h."id" = o."holdId") AS "run",
            (SELECT json_build_object('key', i."key", 'width', i."widths"[1]) FROM "DropImage" i
              WHERE i."dropId" = o."dropId" ORDER BY i."position" LIMIT 1) AS "image",
            ${refundSql.areGoodsRefunded('o')} AS "areGoodsRefunded", o."quantity" - ${refundSql.units('o')} AS "unitsLeft", ${lateSql.toShip} AND ${lateSql.lateAt} < now() AS "isLate",
            EXISTS (SELECT FROM "Refund" r WHERE r."orderId" = o."id" AND r."state" = 'requested') AS "isAsked",
            o."status" = 'disputed' AND NOT EXISTS (SELECT FROM "Dispute" d WHERE d."orderId" = o."id" AND d."closedAt" IS NULL
              AND d."status" NOT LIKE 'warning%') AS "isLost"
       FROM "Order" o WHERE ${conditions}`,
    parameters,
  )
  return rows.map(toSellerOrderView)
}

/** Finds one order of a seller that still has to be shipped. The list is empty for any other order. */
export function findOrderToShip(ctx: Database, sellerId: number, orderId: string): Promise<SellerOrderView[]> {
  return readOrders(ctx, `o."sellerId" = :sellerId AND o."id" = :orderId AND ${lateSql.toShip}`, { sellerId, orderId })
}

/**
 * Finds the parcel that has waited longest to be packed, and counts all parcels to pack, without the order `exceptId`.
 * Returns null when there is none.
 */
export async function findNextToShip(
  { sql }: Database,
  sellerId: number,
  exceptId = '',
): Promise<{ orderId: string; count: number } | null> {
  const [row] = await sql<{ orderId: string; count: number }>(
    'next-to-ship',
    `SELECT o."id" AS "orderId", (count(*) OVER ())::int AS "count" FROM "Order" o
      WHERE o."sellerId" = :sellerId AND o."id" <> :exceptId AND ${lateSql.toShip}
      ORDER BY o."paidAt", o."id" LIMIT 1`,
    { sellerId, exceptId },
  )
  return row ?? null
}

const BATCH = 1_000

/** Yields all orders that match a filter, one batch at a time, because exports may be long. */
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

/** Returns the keys of each of these orders, one per line. Orders without keys are left out. */
export async function listKeysOf({ sql }: Database, orderIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await sql<{ orderId: string; keys: string }>(
    'keys-of-orders',
    `SELECT k."orderId", string_agg(k."key", E'\\n' ORDER BY ${keySql.sequence}) AS "keys" FROM "DropKey" k
      WHERE k."orderId" = ANY(:orderIds::text[]) GROUP BY k."orderId"`,
    { orderIds },
  )
  return new Map(rows.map(({ orderId, keys }) => [orderId, keys]))
}

/** Yields all paid orders of a seller with their keys, newest first, one batch at a time. */
export async function* walkOrdersWithKeys(
  ctx: Database,
  sellerId: number,
): AsyncGenerator<(SellerOrderView & { keys: string[] })[], void> {
  for await (const orders of walkSellerOrders(ctx, sellerId, sellerOrderFilterSchema.parse({}))) {
    const ids = orders.map(({ id }) => id)
    const keys = await listKeysOf(ctx, ids)
    yield orders.map((order) => ({ ...order, keys: keys.get(order.id)?.split('\n') ?? [] }))
  }
}

const MOST_DROPS = 100

/** Lists the drops that a seller can filter orders by: the newest ones that have sold something. */
export function listDropChoices(db: Db, sellerId: number): Promise<{ id: number; title: string }[]> {
  return db.drop.findMany({
    where: { userId: sellerId, purchases: { gt: 0 } },
    orderBy: { createdAt: 'desc' },
    take: MOST_DROPS,
    select: { id: true, title: true },
  })
}

/**
 * Finds one order of a seller with its related rows; null when it is unknown, belongs to another seller or is not paid.
 * For an administrator, `sellerId` is left out.
 */
export async function findOrderRecord(db: Db, orderId: string, sellerId?: number) {
  const order = await db.order.findFirst({
    where: { id: orderId, paidAt: { not: null }, ...(sellerId === undefined ? {} : { sellerId }) },
    include: {
      seller: true,
      refunds: { orderBy: { createdAt: 'asc' } },
      disputes: { orderBy: { createdAt: 'asc' } },
      downloads: { orderBy: { createdAt: 'asc' }, take: 100 },
      keys: { orderBy: keySequence },
      delays: { orderBy: { id: 'asc' } },
      addressChanges: { orderBy: { version: 'asc' } },
      transfer: { include: { handPayments: { orderBy: { createdAt: 'asc' } } } },
      purchase: true,
      hold: { select: { run: true } },
      drop: { include: { images: { orderBy: { position: 'asc' }, take: 1 }, digitalFile: true } },
    },
  })
  return order && { ...order, edition: order.drop.isNumbered ? await findEdition(db, order.id) : null }
}

export type OrderRecord = NonNullable<Awaited<ReturnType<typeof findOrderRecord>>>
