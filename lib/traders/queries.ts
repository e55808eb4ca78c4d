import 'server-only'
import type { Context } from '@/lib/infra/context'
import type { Database, Db } from '@/lib/infra/db'
import { stockSql } from '@/lib/stock/stock-sql'
import { limitStage, type LimitUse } from './rules'
import { saleSql } from './sale-sql'
import { readSales } from './read-sales'
import { type SellerDetailsView, toTraderView, type TraderNoticeView, type TraderView } from './view'

const SHOWN = {
  kind: true,
  country: true,
  legalName: true,
  address: true,
  email: true,
  phone: true,
  register: true,
  vatId: true,
} as const

const newestFirst = { id: 'desc' } as const

/** Everything that a seller has stated, the newest first. */
export async function listSellerDetails(db: Db, userId: number, limit?: number): Promise<SellerDetailsView[]> {
  const select = { ...SHOWN, isCertified: true, createdAt: true }
  const rows = await db.sellerDetails.findMany({ where: { userId }, orderBy: newestFirst, select, take: limit })
  return rows.map(({ createdAt, ...details }) => ({ ...details, statedAt: createdAt.toISOString() }))
}

/** What a seller states now; null before anything was stated. */
export async function findSellerDetails(db: Db, userId: number): Promise<SellerDetailsView | null> {
  const [newest] = await listSellerDetails(db, userId, 1)
  return newest ?? null
}

/**
 * What a seller stated when an order began, as its buyer saw it (ADR 0068); without `at`, what the seller states now.
 * It is null when nothing was stated then, and after the account was closed.
 */
export async function findTrader(db: Db, userId: number, at?: Date): Promise<TraderView | null> {
  const where = at ? { userId, createdAt: { lte: at } } : { userId }
  return toTraderView(await db.sellerDetails.findFirst({ where, orderBy: newestFirst, select: SHOWN }))
}

/** The country that a seller has stated; null before anything was stated. */
export async function findHomeCountry({ sql }: Pick<Database, 'sql'>, userId: number): Promise<string | null> {
  const [row] = await sql<{ country: string }>(
    'home-country',
    'SELECT "country" FROM "SellerDetails" WHERE "userId" = :userId ORDER BY "id" DESC LIMIT 1',
    { userId },
  )
  return row?.country ?? null
}

/** A checkout that can still be paid: its units are held, or went back on sale while its payment page is open. */
const IS_PAYABLE = `(h."state" = 'held' OR (h."state" = 'released' AND h."reason" = 'yielded' AND h."expiresAt" > now()))`

/**
 * How much of the monthly limit a seller has used, in cents: the payments of this calendar month (UTC) less their
 * refunds, and every checkout that can still be paid. Payments that got no unit do not count, because they would let
 * anyone use up the limit of a seller for nothing. Refunds give back at most the limit once, because the platform
 * pays the card fee of a refund that an unverified seller cannot bear.
 */
export async function readUsedCents(
  { sql }: Pick<Database, 'sql'>,
  { sellerId, capCents }: { sellerId: number; capCents: number },
): Promise<number> {
  const [row] = await sql<{ cents: number }>(
    'seller-limit-used',
    `SELECT (COALESCE((SELECT GREATEST(sum(o."amountCents" - o."refundedCents"), sum(o."amountCents") - :capCents::bigint) FROM "Order" o
                        WHERE o."sellerId" = :sellerId AND o."paidAt" >= date_trunc('month', now(), 'UTC') AND ${saleSql.gotUnits}), 0)
           + COALESCE((SELECT sum(o."amountCents") FROM "Drop" d JOIN "Hold" h ON h."dropId" = d."id" AND ${IS_PAYABLE}
                         JOIN "Order" o ON o."holdId" = h."id" WHERE d."userId" = :sellerId AND o."paidAt" IS NULL), 0))::float8 AS "cents"`,
    { sellerId, capCents },
  )
  return row?.cents ?? 0
}

/** Whether a hold is not the buyer's own one that ends before the new checkout begins. */
const IS_OTHER = `h."id" IS DISTINCT FROM :exceptHoldId::text`

/**
 * The open, unpaid checkouts that one network has with one seller: their number, and the sum of their amounts in cents.
 * `keptSeconds` says for how long checkouts that ended unpaid in the last two hours kept their units. The network is
 * given by its key, or by one of its holds, which then counts too. All results are zero for an unknown network.
 * @param of.exceptHoldId an open hold that is about to end unpaid. It is not counted as an open checkout, but the time
 *   for which it has kept its units is part of `keptSeconds`.
 */
export async function readUnpaidOfNetwork(
  { sql }: Pick<Database, 'sql'>,
  { sellerId, ...of }: { sellerId: number } & ({ holdId: string } | { originKey: string; exceptHoldId: string }),
): Promise<{ count: number; cents: number; keptSeconds: number }> {
  const [row] = await sql<{ count: number; cents: number; keptSeconds: number }>(
    'seller-limit-of-network',
    `SELECT (count(*) FILTER (WHERE ${IS_PAYABLE} AND ${IS_OTHER}))::int AS "count",
            COALESCE(sum(o."amountCents") FILTER (WHERE ${IS_PAYABLE} AND ${IS_OTHER}), 0)::float8 AS "cents",
            COALESCE(extract(epoch FROM sum(COALESCE(h."settledAt", now()) - h."createdAt") FILTER (WHERE h."state" = 'held' AND NOT ${IS_OTHER}
              OR ${stockSql.endedUnpaid('h')} AND h."settledAt" > now() - interval '2 hours')), 0)::float8 AS "keptSeconds"
       FROM "Hold" h JOIN "Order" o ON o."holdId" = h."id" AND o."sellerId" = :sellerId AND o."paidAt" IS NULL
      WHERE h."originKey" = COALESCE(:originKey, (SELECT own."originKey" FROM "Hold" own WHERE own."id" = :holdId))`,
    { sellerId, originKey: null, holdId: null, exceptHoldId: null, ...of },
  )
  return row ?? { count: 0, cents: 0, keptSeconds: 0 }
}

/** The use of the monthly limit; null when the seller has none. */
export async function findLimitUse(
  { sql, sellerLimit }: Pick<Context, 'sql' | 'sellerLimit'>,
  sellerId: number,
): Promise<LimitUse | null> {
  if (!sellerLimit) return null
  const [seller] = await sql<{ isReady: boolean }>(
    'seller-is-ready',
    `SELECT "payoutsState" = 'ready' AS "isReady" FROM "User" WHERE "id" = :sellerId`,
    { sellerId },
  )
  if (!seller || seller.isReady) return null
  const { capCents } = sellerLimit
  return { capCents, usedCents: await readUsedCents({ sql }, { sellerId, capCents }) }
}

/**
 * What the dashboard says about the limit and about high volume. A business gets no notice about high volume, because
 * it has already stated its details.
 */
export async function findTraderNotice(
  ctx: Pick<Context, 'db' | 'sql' | 'sellerLimit'>,
  sellerId: number,
): Promise<TraderNoticeView> {
  const [use, details] = await Promise.all([findLimitUse(ctx, sellerId), findSellerDetails(ctx.db, sellerId)])
  const stage = use ? limitStage(use) : 'free'
  const sales = details?.kind === 'business' ? null : await readSales(ctx, sellerId)
  return {
    limit: use && stage !== 'free' ? { ...use, stage } : null,
    highVolume: sales?.isHighVolume ? { sales: sales.sales, revenueCents: sales.revenueCents } : null,
  }
}

/**
 * The VAT rates that a seller has stated, by country and first day. `fromDay` is empty for a rate without a first day.
 */
export async function listTaxRates(
  db: Db,
  userId: number,
): Promise<{ country: string; rateBps: number; fromDay: string }[]> {
  return db.taxRate.findMany({
    where: { userId },
    orderBy: [{ country: 'asc' }, { fromDay: 'asc' }],
    select: { country: true, rateBps: true, fromDay: true },
  })
}
