import 'server-only'
import { SUSPENDED } from '@/lib/accounts/queries'
import type { Database } from '@/lib/infra/db'
import { codeSql } from '@/lib/stock/code-sql'
import { keySql } from '@/lib/stock/key-sql'
import { refundSql } from '@/lib/stock/refund-sql'
import { stockSql } from '@/lib/stock/stock-sql'
import { MAX_DATABASE_INT } from '@/lib/kernel/max-database-int'
import { dropSql } from './drop-sql'
import { keysTakenSql } from './keys/are-keys-taken'
import { dropError } from './messages'
import type { DropRow } from './view'
import { paidShippingSql } from './delivery/zone-sql'

/**
 * When auto-renew will probably launch an ended drop again. The expression checks the conditions of renew-drops.ts, and
 * assumes that the seller neither starts nor ends another drop until then. It is null while one of these conditions is
 * not met, for example before the archive job has run or when auto-renew is off.
 */
const RETURNS_AT = `CASE WHEN d."endTime" <= now() AND u."autoRenewDrops" AND NOT ${SUSPENDED} AND ${stockSql.hasSold}
    AND d."moderation" = 'allowed' AND ${dropSql.hasTypeOfPlan} AND ${dropSql.hasUnitsForNextRun}
    AND NOT (d."keysGiven" IS NOT NULL AND ${keysTakenSql}) THEN (
      SELECT r."renewDueAt" FROM "DropRun" r
       WHERE r."dropId" = d."id" AND r."run" = d."run" AND r."renewDueAt" > now() AND ${dropSql.hasPlaceAt('r."renewDueAt"')}
         AND NOT (r."isAutoRenew" AND EXISTS (SELECT 1 FROM "DropRun" p WHERE p."dropId" = d."id"
                                                 AND p."run" = d."run" - 1 AND p."isAutoRenew"))) END`

/** The option of a drop with its values. It is null for a drop without an option, whose values are not read at all. */
const OPTION = `CASE WHEN d."optionName" IS NOT NULL THEN json_build_object('name', d."optionName", 'values', COALESCE((
    SELECT json_agg(json_build_object('id', v."id", 'value', v."value", 'quantity', v."quantity", 'sold', v."sold", 'held', v."held")
                    ORDER BY v."position", v."id")
      FROM "OptionValue" v WHERE v."dropId" = d."id"), '[]'::json)) END`

/**
 * Whether the drop has discount codes that are neither ended nor expired, and the sum that all its codes took off sold
 * orders (ADR 0055).
 */
const CODES = `EXISTS (SELECT FROM "DiscountCode" c WHERE c."dropId" = d."id" AND ${codeSql.isCurrent}) AS "hasCodes",
  COALESCE((SELECT sum(c."discountedCents") FROM "DiscountCode" c WHERE c."dropId" = d."id"), 0)::float8 AS "discountedCents"`

export const COLUMNS = `
  d."id", d."uniqueId", d."customSlug", d."userId", d."title", d."description", d."productType", d."condition", d."priceCents",
  d."quantity", d."sold", d."held", d."maxPerBuyer", d."isNumbered", d."isOpenEdition",
  d."keysGiven" IS NOT NULL AS "hasKeys", d."duration", d."startedAt", d."endTime", d."run", d."earlyMinutes", d."earlyUnits", d."earlyTaken", d."shippingNote",
  d."shipsFrom", d."shipsWithin", d."shippingZones", d."views",
  d."purchases", d."isActive", d."isFeatured", d."isPinned", d."moderation", d."archivedAt", d."createdAt", d."updatedAt",
  u."username" AS "sellerUsername", u."firstName" AS "sellerFirstName",
  u."timezone" AS "sellerTimezone", u."plan" AS "sellerPlan",
  u."isVerified" AS "sellerIsVerified", u."profileImageUrl" AS "sellerImageUrl",
  ${SUSPENDED} AS "isSellerSuspended", u."payoutsState" = 'ready' AS "isSellerReady",
  ${RETURNS_AT} AS "returnsAt", now() AS "now", ${OPTION} AS "option", ${CODES},
  COALESCE((SELECT json_agg(json_build_object('key', i."key", 'width', i."width", 'height', i."height",
                                              'widths', i."widths", 'placeholder', i."placeholder") ORDER BY i."position")
              FROM "DropImage" i WHERE i."dropId" = d."id"), '[]'::json) AS "images"`

/**
 * How many keys of a drop are free (`left`), belong to an order (`given`), and were seen by a buyer whose price was
 * then refunded (`spent`). Spent keys do not count as given. The last keys of an order are refunded first. NULL for a
 * drop without keys.
 */
const KEYS = `CASE WHEN d."keysGiven" IS NOT NULL THEN json_build_object(
    'left', ${keySql.free('d."id"')},
    'given', (SELECT count(*) FROM "DropKey" k WHERE k."dropId" = d."id" AND k."orderId" IS NOT NULL) - ${keySql.spent('d."id"')},
    'spent', ${keySql.spent('d."id"')}) END AS "keys"`

/** The link that buyers of a digital drop get. NULL for an uploaded file, and for a drop that has neither. */
export const LINK = `(SELECT f."url" FROM "DigitalFile" f WHERE f."dropId" = d."id") AS "digitalFileUrl"`

/** What the buyers of a digital drop get, for its seller: LINK, and the name of an uploaded file. */
const DELIVERY = `${LINK}, (SELECT f."fileName" FROM "DigitalFile" f WHERE f."dropId" = d."id" AND f."source" = 'upload') AS "digitalFileName"`

/** The surcharges for shipping that buyers paid in all runs, including those whose units went back on sale. */
const PAID_SHIPPING = `${paidShippingSql('d', `(h."state" = 'sold' OR h."reason" = 'refunded')`)} AS "paidShippingCents"`

/**
 * Returns SQL for the number of people who are waiting for a drop (see Demand in view.ts). `drop` is the alias of the
 * "Drop" row in the query. A person who waited for the start and has been notified of it no longer counts.
 */
export const waitingSql = (drop: string) => `(SELECT json_strip_nulls(json_build_object(
      'unit', count(*) FILTER (WHERE w."isForUnit"), 'nextRun', count(*) FILTER (WHERE NOT w."isForUnit"),
      'values', CASE WHEN ${drop}."optionName" IS NOT NULL THEN (
        SELECT json_agg(json_build_object('value', v."value", 'waiting', v."waiting") ORDER BY v."position", v."id")
          FROM (SELECT v."id", v."position", v."value", count(*) AS "waiting" FROM "WaitlistEntry" e
                  JOIN "OptionValue" v ON v."id" = e."valueId" WHERE ${waits(drop)} GROUP BY v."id") v) END))
    FROM (SELECT e."run" = ${drop}."run" AND e."joinedAt" < ${drop}."endTime" AS "isForUnit" FROM "WaitlistEntry" e
           WHERE ${waits(drop)}) w) AS "waiting"`

/**
 * Whether the person of the "WaitlistEntry" row `e` is waiting for the drop with this alias. Someone who has bought
 * since they asked does not wait anymore, unless they asked for another value than they bought.
 */
export const waits = (
  drop: string,
) => `e."dropId" = ${drop}."id" AND e."confirmedAt" IS NOT NULL AND e."unsubscribedAt" IS NULL
  AND NOT (e."waitsForStart" AND e."notifiedRun" IS NOT NULL)
  AND NOT EXISTS (SELECT FROM "Hold" h WHERE h."id" = e."claimHoldId" AND h."state" = 'sold')
  AND NOT EXISTS (SELECT FROM "Order" o JOIN "Hold" h ON h."id" = o."holdId"
                   WHERE o."buyerEmail" IS NOT NULL AND lower(o."buyerEmail") IN (lower(e."email"), e."mailbox")
                     AND o."dropId" = e."dropId" AND o."paidAt" > e."joinedAt" AND ${refundSql.isStillBought('o')}
                     AND (e."valueId" IS NULL OR h."valueId" IS NOT DISTINCT FROM e."valueId"))`

/** SQL: the first photo of drop `d` for an email, or NULL; see MailedPhoto in mails.ts. */
export const MAILED_PHOTO = `(SELECT json_build_object('key', i."key", 'width', i."widths"[1])
    FROM "DropImage" i WHERE i."dropId" = d."id" ORDER BY i."position" LIMIT 1) AS "photo"`

export const FROM = `FROM "Drop" d JOIN "User" u ON u."id" = d."userId"`

/**
 * Finds a drop by custom link, then by unique id, then by integer id (docs/product.md#links-of-a-drop). Hidden drops
 * and drops of deleted accounts are not found. Any string may be passed. One that cannot be an identifier finds
 * nothing.
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

/**
 * Returns the integer id that an identifier may stand for: 0 when it is not such an id, and null when no drop can have
 * this identifier.
 */
function readIdentifier(identifier: string): number | null {
  if (identifier.length > 60 || identifier.includes('\u0000')) return null
  // Leading zeros are not accepted. Otherwise "007" would be a second URL of drop 7, and a change of the drop would not
  // clear the cached page of that URL.
  const number = /^[1-9]\d{0,9}$/.test(identifier) ? Number(identifier) : 0
  return number > MAX_DATABASE_INT ? 0 : number
}

/**
 * Returns what the drop page shows about its seller: the units sold in all runs of public drops, and when the account
 * was created.
 * @throws NOT_FOUND when there is no such user.
 */
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

/**
 * Returns what a drop's link leads to: 'shown' for a drop, 'removed' for a drop that is hidden or whose seller's
 * account was deleted, and 'unknown' for nothing.
 */
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

/** Returns at most 200 of a seller's drops, the newest first. Hidden drops are left out. */
export function listSellerDrops({ sql }: Database, userId: number): Promise<DropRow[]> {
  return sql<DropRow>(
    'seller-drops',
    `SELECT ${COLUMNS}, ${KEYS}, ${DELIVERY}, ${PAID_SHIPPING}, ${waitingSql('d')} ${FROM} WHERE d."userId" = :userId AND d."hiddenAt" IS NULL
      ORDER BY d."createdAt" DESC, d."id" DESC LIMIT 200`,
    { userId },
  )
}

/**
 * Returns all drops of a seller for the export, the newest first. Drops that were deleted but have orders are hidden.
 */
export function listDropsForExport({ sql }: Database, userId: number): Promise<(DropRow & { isHidden: boolean })[]> {
  return sql<DropRow & { isHidden: boolean }>(
    'drops-for-export',
    `SELECT ${COLUMNS}, ${KEYS}, ${DELIVERY}, ${PAID_SHIPPING}, ${waitingSql('d')}, d."hiddenAt" IS NOT NULL AS "isHidden" ${FROM}
      WHERE d."userId" = :userId ORDER BY d."createdAt" DESC, d."id" DESC`,
    { userId },
  )
}

/**
 * Returns one of a seller's own drops.
 * @throws NOT_FOUND, even for another seller's drop.
 */
export async function getSellerDrop({ sql }: Database, dropId: number, sellerId: number): Promise<DropRow> {
  const [row] = await sql<DropRow>(
    'seller-drop',
    `SELECT ${COLUMNS}, ${KEYS}, ${DELIVERY}, ${PAID_SHIPPING}, ${waitingSql('d')} ${FROM} WHERE d."id" = :dropId AND d."userId" = :sellerId AND d."hiddenAt" IS NULL`,
    { dropId, sellerId },
  )
  if (!row) throw dropError('NOT_FOUND')
  return row
}

/**
 * Returns the drops of "Live now" (docs/product.md#live-now), which are live and in stock. Pinned drops come first,
 * then featured ones, and within these groups the drop that ends soonest.
 */
export function listLiveDrops({ sql }: Database, limit: number): Promise<DropRow[]> {
  return sql<DropRow>(
    'live-drops',
    `SELECT ${COLUMNS} ${FROM}
      WHERE ${dropSql.isLive} AND ${stockSql.hasUnsold}
      ORDER BY d."isPinned" DESC, d."isFeatured" DESC, d."endTime" LIMIT :limit`,
    { limit },
  )
}

/**
 * Returns a seller's drops on the public profile (docs/product.md#public-profile), which are the active and public ones
 * that are not archived. Live drops come first, by the soonest end, then scheduled ones. Drops that have just ended
 * come last and are shown as expired until they are archived.
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

/**
 * The number of entries on a sitemap page. It is far below the protocol's limit of 50,000, so that a page is quick to
 * build and read.
 */
export const SITEMAP_PAGE = 5_000

export type SitemapRow = { id: number; path: string; changedAt: Date }
export type SitemapKind = 'drops' | 'profiles'

// Only profiles of sellers with a live drop are listed, because search results should not contain empty profiles.
const SITEMAP_ROWS = {
  drops: `SELECT d."id", '/drop/' || COALESCE(d."customSlug", d."uniqueId") AS "path", d."updatedAt" AS "changedAt"
            ${FROM} WHERE ${dropSql.isLive}`,
  profiles: `SELECT u."id", '/profile/' || u."username" AS "path", max(d."updatedAt") AS "changedAt"
               ${FROM} WHERE ${dropSql.isLive} AND u."username" IS NOT NULL GROUP BY u."id"`,
} as const satisfies Record<SitemapKind, string>

/** Returns one page of the public sitemap's entries, with ids greater than `afterId`. */
export function listSitemapRows(
  { sql }: Database,
  kind: SitemapKind,
  afterId: number,
  limit = SITEMAP_PAGE,
): Promise<SitemapRow[]> {
  return sql<SitemapRow>(
    `sitemap-${kind}`,
    `SELECT * FROM (${SITEMAP_ROWS[kind]}) AS rows WHERE "id" > :afterId ORDER BY "id" LIMIT :limit`,
    { afterId: Math.min(afterId, MAX_DATABASE_INT), limit },
  )
}

/** Returns the ids after which the pages of the sitemap begin. The first page begins after 0. */
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
