import 'server-only'
import type { Order } from '@prisma/client'
import { type Db, search } from '@/lib/infra/db'
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
async function matching(sellerId: number, typed: string | undefined, values: unknown[]): Promise<string> {
  const found = searchPattern(typed)
  if (!found) return 'true'
  const { words, pattern } = found
  const sample = `SELECT "searchText" FROM "Order" WHERE "sellerId" = $1 AND "paidAt" IS NOT NULL
                   ORDER BY "paidAt" DESC, "id" DESC LIMIT ${SAMPLE}`
  const [seen] = await search<{ hits: number }>(
    `SELECT count(*)::int AS "hits" FROM (${sample}) newest WHERE strpos("searchText", $2) > 0`,
    [sellerId, words],
  )
  if (words.length < SHORT || (seen?.hits ?? 0) >= COMMON) {
    return `strpos(o."searchText", $${values.push(words)}) > 0`
  }
  return `o."id" = ANY(ARRAY(SELECT "id" FROM "Order" WHERE "searchText" LIKE $${values.push(pattern)}
            AND "sellerId" = $1 AND "paidAt" IS NOT NULL))`
}

/** A seller's paid orders, newest first, one page by keyset. */
export async function listSellerOrders(
  sellerId: number,
  filter: SellerOrderFilter,
  limit = ORDERS_PER_PAGE,
): Promise<SellerOrderView[]> {
  const values: unknown[] = [sellerId]
  const conditions = ['o."sellerId" = $1', 'o."paidAt" IS NOT NULL', shows[filter.show]]
  if (filter.drop !== undefined) conditions.push(`o."dropId" = $${values.push(filter.drop)}`)
  if (filter.days !== undefined) {
    conditions.push(`o."paidAt" > now() - make_interval(days => $${values.push(filter.days)})`)
  }
  const before = readOrderCursor(filter.before)
  if (before) conditions.push(`(o."paidAt", o."id") < ($${values.push(before.paidAt)}, $${values.push(before.id)})`)
  conditions.push(await matching(sellerId, filter.q, values))
  return readOrders(
    `${conditions.join(' AND ')} ORDER BY o."paidAt" DESC, o."id" DESC LIMIT $${values.push(limit)}`,
    values,
  )
}

async function readOrders(conditions: string, values: readonly unknown[]): Promise<SellerOrderView[]> {
  const rows = await search<Order & { isAsked: boolean; isLate: boolean; isLost: boolean }>(
    `SELECT o.*, ${TO_SHIP} AND o."paidAt" < now() - interval '${LATE_AFTER_DAYS} days' AS "isLate",
            EXISTS (SELECT FROM "Refund" r WHERE r."orderId" = o."id" AND r."state" = 'requested') AS "isAsked",
            EXISTS (SELECT FROM "Dispute" d WHERE d."orderId" = o."id" AND d."status" = 'lost') AS "isLost"
       FROM "Order" o WHERE ${conditions}`,
    values,
  )
  return rows.map(toSellerOrderView)
}

/** One order of a seller as long as it is to ship; nothing for any other. */
export function findOrderToShip(sellerId: number, orderId: string): Promise<SellerOrderView[]> {
  return readOrders(`o."sellerId" = $1 AND o."id" = $2 AND ${TO_SHIP}`, [sellerId, orderId])
}

const BATCH = 1_000

/** All the orders of a filter, a batch at a time: for files, which may be long. */
export async function* walkSellerOrders(
  sellerId: number,
  filter: SellerOrderFilter,
): AsyncGenerator<SellerOrderView[], void> {
  let before = filter.before
  for (;;) {
    const orders = await listSellerOrders(sellerId, { ...filter, before }, BATCH)
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

/**
 * One order of a seller with every row that hangs on it; null when it is not theirs or not paid. An administrator passes no
 * seller.
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
