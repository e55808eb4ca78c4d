import 'server-only'
import { SUSPENDED } from '@/lib/accounts/queries'
import type { Database } from '@/lib/infra/db'
import { codeSql } from '@/lib/stock/code-sql'
import { stockSql } from '@/lib/stock/stock-sql'
import { dropError } from './messages'
import type { DropRow } from './view'

/**
 * When auto-renew will probably launch an ended drop again. It checks the conditions of renew-drops.ts, except for the
 * limits of the seller's plan. Null for a live drop, before the archive job has run, and where auto-renew is off.
 */
const RETURNS_AT = `CASE WHEN d."endTime" <= now() AND u."autoRenewDrops" AND NOT ${SUSPENDED} AND ${stockSql.hasSold}
    AND d."moderation" = 'allowed' AND (d."productType" <> 'physical' OR ${stockSql.hasUnsold}) THEN (
      SELECT r."renewDueAt" FROM "DropRun" r
       WHERE r."dropId" = d."id" AND r."run" = d."run" AND r."renewDueAt" > now()
         AND NOT (r."isAutoRenew" AND EXISTS (SELECT 1 FROM "DropRun" p WHERE p."dropId" = d."id"
                                                 AND p."run" = d."run" - 1 AND p."isAutoRenew"))) END`

/** The option of a drop with its values; null for a drop without one, for which the values are not read at all. */
const OPTION = `CASE WHEN d."optionName" IS NOT NULL THEN json_build_object('name', d."optionName", 'values', COALESCE((
    SELECT json_agg(json_build_object('id', v."id", 'value', v."value", 'quantity', v."quantity", 'sold', v."sold", 'held', v."held")
                    ORDER BY v."position", v."id")
      FROM "OptionValue" v WHERE v."dropId" = d."id"), '[]'::json)) END`

/** Whether buyers may have a code for this drop, and what its codes took off the orders that were sold (ADR 0055). */
const CODES = `EXISTS (SELECT FROM "DiscountCode" c WHERE c."dropId" = d."id" AND ${codeSql.isCurrent}) AS "hasCodes",
  COALESCE((SELECT sum(c."discountedCents") FROM "DiscountCode" c WHERE c."dropId" = d."id"), 0)::float8 AS "discountedCents"`

export const COLUMNS = `
  d."id", d."uniqueId", d."customSlug", d."userId", d."title", d."description", d."productType", d."priceCents",
  d."quantity", d."sold", d."held", d."maxPerBuyer", d."duration", d."startedAt", d."endTime", d."run", d."shippingNote", d."views",
  d."purchases", d."isActive", d."isFeatured", d."isPinned", d."moderation", d."archivedAt", d."createdAt", d."updatedAt",
  u."username" AS "sellerUsername", u."firstName" AS "sellerFirstName", u."plan" AS "sellerPlan",
  u."isVerified" AS "sellerIsVerified", u."profileImageUrl" AS "sellerImageUrl",
  ${SUSPENDED} AS "isSellerSuspended",
  ${RETURNS_AT} AS "returnsAt", now() AS "now", ${OPTION} AS "option", ${CODES},
  COALESCE((SELECT json_agg(json_build_object('key', i."key", 'width', i."width", 'height', i."height",
                                              'widths', i."widths", 'placeholder', i."placeholder") ORDER BY i."position")
              FROM "DropImage" i WHERE i."dropId" = d."id"), '[]'::json) AS "images"`

export const FROM = `FROM "Drop" d JOIN "User" u ON u."id" = d."userId"`

/**
 * Whether the drop `d` is running at this moment, or scheduled, and so counts against its seller's plan, even if it cannot
 * be sold.
 */
export const RUNNING_DROP = `(d."isActive" AND d."archivedAt" IS NULL AND d."hiddenAt" IS NULL AND d."endTime" > now())`

/** Whether nothing but its start keeps the drop `d` of its seller `u` from being sold (docs/product.md#scheduled-start). */
export const OPEN_DROP = `${RUNNING_DROP} AND d."moderation" = 'allowed' AND u."deletedAt" IS NULL AND NOT ${SUSPENDED}`

/**
 * The condition under which a drop `d` of its seller `u` can be sold at this moment. Every statement that sells or
 * lists drops must use it, so that they never disagree.
 */
export const LIVE_DROP = `${OPEN_DROP} AND d."startedAt" <= now()`

/** The largest integer id in Postgres; no drop has a larger number. */
const MAX_ID = 2_147_483_647

/**
 * Finds a drop by custom link, then by unique id, then by integer id (docs/product.md#links-of-a-drop). Hidden drops
 * are not found. Never throws, whatever the link contains.
 */
export async function findPublicDrop({ sql }: Database, identifier: string): Promise<DropRow | null> {
  const id = readIdentifier(identifier)
  if (id === null) return null
  const [row] = await sql<DropRow>(
    'public-drop',
    `SELECT ${COLUMNS} ${FROM}
      WHERE (lower(d."customSlug") = lower(:identifier) OR d."uniqueId" = lower(:identifier) OR d."id" = :id)
        AND d."hiddenAt" IS NULL AND u."deletedAt" IS NULL
      ORDER BY (lower(d."customSlug") = lower(:identifier)) DESC NULLS LAST, (d."uniqueId" = lower(:identifier)) DESC LIMIT 1`,
    { identifier, id },
  )
  return row ?? null
}

/** The integer id that an identifier may stand for: 0 when it is a name, null when no drop can have it. */
function readIdentifier(identifier: string): number | null {
  if (identifier.length > 60 || identifier.includes('\u0000')) return null
  // Leading zeros are not accepted: "007" would be another address of drop 7, whose cached answer no change would clear.
  const number = /^[1-9]\d{0,9}$/.test(identifier) ? Number(identifier) : 0
  return number > MAX_ID ? 0 : number
}

/** What the drop page says about its seller: units sold in all runs of public drops, and when the account was opened. */
export async function findSellerRecord({ sql }: Database, userId: number): Promise<{ sold: number; since: Date }> {
  const [row] = await sql<{ sold: number; since: Date }>(
    'seller-record',
    `SELECT COALESCE((SELECT sum(r."sold") FROM "DropRun" r JOIN "Drop" d ON d."id" = r."dropId"
                      WHERE d."userId" = u."id" AND d."hiddenAt" IS NULL AND d."moderation" = 'allowed'), 0)::int AS "sold",
            u."createdAt" AS "since" FROM "User" u WHERE u."id" = :userId`,
    { userId },
  )
  if (!row) throw dropError('NOT_FOUND')
  return row
}

/** What a drop's link leads to: a drop, one that is hidden (by its seller or by the platform), or nothing. */
export async function dropBehindLink({ sql }: Database, identifier: string): Promise<'shown' | 'removed' | 'unknown'> {
  const id = readIdentifier(identifier)
  if (id === null) return 'unknown'
  const [row] = await sql<{ isRemoved: boolean | null }>(
    'drop-behind-link',
    `SELECT bool_and(d."hiddenAt" IS NOT NULL OR u."deletedAt" IS NOT NULL) AS "isRemoved" ${FROM}
      WHERE lower(d."customSlug") = lower(:identifier) OR d."uniqueId" = lower(:identifier) OR d."id" = :id`,
    { identifier, id },
  )
  if (row?.isRemoved == null) return 'unknown'
  return row.isRemoved ? 'removed' : 'shown'
}

/** A seller's drops, newest first. Lists of one seller are short: the plan limits how fast they grow. */
export function listSellerDrops({ sql }: Database, userId: number): Promise<DropRow[]> {
  return sql<DropRow>(
    'seller-drops',
    `SELECT ${COLUMNS} ${FROM} WHERE d."userId" = :userId AND d."hiddenAt" IS NULL
      ORDER BY d."createdAt" DESC, d."id" DESC LIMIT 200`,
    { userId },
  )
}

/**
 * One of a seller's own drops.
 * @throws NOT_FOUND, also for another seller's drop.
 */
export async function getSellerDrop({ sql }: Database, dropId: number, sellerId: number): Promise<DropRow> {
  const [row] = await sql<DropRow>(
    'seller-drop',
    `SELECT ${COLUMNS} ${FROM} WHERE d."id" = :dropId AND d."userId" = :sellerId AND d."hiddenAt" IS NULL`,
    { dropId, sellerId },
  )
  if (!row) throw dropError('NOT_FOUND')
  return row
}

/**
 * The drops of "Live now" (docs/product.md#live-now): live and in stock; pinned first, then featured, then by the
 * soonest end.
 */
export function listLiveDrops({ sql }: Database, limit: number): Promise<DropRow[]> {
  return sql<DropRow>(
    'live-drops',
    `SELECT ${COLUMNS} ${FROM}
      WHERE ${LIVE_DROP} AND ${stockSql.hasUnsold}
      ORDER BY d."isPinned" DESC, d."isFeatured" DESC, d."endTime" LIMIT :limit`,
    { limit },
  )
}

/**
 * A seller's drops on the public profile (those with isActive set, docs/product.md#public-profile): live drops by the
 * soonest end, then scheduled ones, then drops that have just ended, shown as expired until they are archived.
 */
export function listProfileDrops({ sql }: Database, userId: number): Promise<DropRow[]> {
  return sql<DropRow>(
    'profile-drops',
    `SELECT ${COLUMNS} ${FROM}
      WHERE d."userId" = :userId AND d."isActive" AND d."archivedAt" IS NULL AND d."hiddenAt" IS NULL
        AND d."moderation" = 'allowed'
      ORDER BY (d."endTime" > now()) DESC, (d."startedAt" > now()), d."endTime" LIMIT 50`,
    { userId },
  )
}

/** The size of a sitemap page: far below the protocol's limit of 50,000, so that a page is quick to build and read. */
export const SITEMAP_PAGE = 5_000

export type SitemapRow = { id: number; path: string; changedAt: Date }
export type SitemapKind = 'drops' | 'profiles'

// Only profiles of sellers with a live drop are listed; search engines need no empty ones.
const SITEMAP_ROWS = {
  drops: `SELECT d."id", '/drop/' || COALESCE(d."customSlug", d."uniqueId") AS "path", d."updatedAt" AS "changedAt"
            ${FROM} WHERE ${LIVE_DROP}`,
  profiles: `SELECT u."id", '/profile/' || u."username" AS "path", max(d."updatedAt") AS "changedAt"
               ${FROM} WHERE ${LIVE_DROP} AND u."username" IS NOT NULL GROUP BY u."id"`,
} as const satisfies Record<SitemapKind, string>

/** One page of the public sitemap entries, with ids greater than `afterId`. */
export function listSitemapRows(
  { sql }: Database,
  kind: SitemapKind,
  afterId: number,
  limit = SITEMAP_PAGE,
): Promise<SitemapRow[]> {
  return sql<SitemapRow>(
    `sitemap-${kind}`,
    `SELECT * FROM (${SITEMAP_ROWS[kind]}) AS rows WHERE "id" > :afterId ORDER BY "id" LIMIT :limit`,
    { afterId: Math.min(afterId, MAX_ID), limit },
  )
}

/** The ids after which the pages of the sitemap begin; the first page begins after 0. */
export async function listSitemapStarts(
  { sql }: Database,
  kind: SitemapKind,
  pageSize = SITEMAP_PAGE,
): Promise<number[]> {
  const rows = await sql<{ id: number }>(
    `sitemap-starts-${kind}`,
    `SELECT "id" FROM (SELECT "id", row_number() OVER (ORDER BY "id") AS "number", count(*) OVER () AS "all"
                         FROM (${SITEMAP_ROWS[kind]}) AS rows) AS numbered
      WHERE "number" % :pageSize = 0 AND "number" < "all" ORDER BY "id"`,
    { pageSize },
  )
  return [0, ...rows.map((row) => row.id)]
}
