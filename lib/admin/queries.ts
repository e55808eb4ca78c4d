import 'server-only'
import type { User } from '@prisma/client'
import { SUSPENDED } from '@/lib/accounts/queries'
import { dropSql } from '@/lib/drops/drop-sql'
import { COLUMNS, FROM, LINK } from '@/lib/drops/queries'
import { type SearchedRows, wordCondition } from '@/lib/infra/word-condition'
import type { Database, Db } from '@/lib/infra/db'
import type { ListDropsInput, ListUsersInput } from './schema'
import type { AdminDropRow } from './view'

/** A word counts as common when at least `common` of the newest `sample` rows contain it. */
const SAMPLING = { sample: 1_500, common: 6 }
/** When the typed words are too short for trigrams, only about this many of the newest rows are searched for them. */
const NEWEST = 10_000

const newestWith = (table: 'User' | 'Drop') =>
  `SELECT "id" FROM "${table}" WHERE "id" > (SELECT COALESCE(max("id"), 0) - ${NEWEST} FROM "${table}")
      AND strpos("searchText", :words) > 0`

const searchedUsers: SearchedRows = {
  table: 'User',
  alias: 'u',
  newestFirst: '"id" DESC',
  ...SAMPLING,
  // A username that equals the short word is found however old its account is.
  whenShort: `u."id" = ANY(ARRAY(${newestWith('User')} UNION SELECT "id" FROM "User" WHERE "username" = :words))`,
}

const searchedDrops: SearchedRows = {
  table: 'Drop',
  alias: 'd',
  newestFirst: '"id" DESC',
  ...SAMPLING,
  whenShort: `d."id" = ANY(ARRAY(${newestWith('Drop')}))`,
}

const userFilters = {
  all: 'true',
  pro: `u."plan" = 'pro'`,
  free: `u."plan" = 'free'`,
  suspended: SUSPENDED,
  admin: 'u."isAdmin"',
  disconnected: `u."payoutsState" = 'disconnected'`,
  deleted: 'u."deletedAt" IS NOT NULL',
} as const

/**
 * Lists one page of accounts, the newest first. `cursor` is the last id of the previous page. Deleted accounts are
 * listed only when `show` is 'deleted'.
 */
export async function listUsers(
  ctx: Pick<Database, 'sql'>,
  { q, cursor, limit, show = 'all' }: ListUsersInput,
): Promise<User[]> {
  const { condition, parameters } = await wordCondition(ctx.sql, searchedUsers, q)
  const conditions = [userFilters[show], condition]
  if (show !== 'deleted') conditions.push('u."deletedAt" IS NULL')
  if (cursor !== undefined) conditions.push('u."id" < :cursor')
  return ctx.sql.unprepared<User>(
    `SELECT u.* FROM "User" u WHERE ${conditions.join(' AND ')} ORDER BY u."id" DESC LIMIT :limit`,
    { ...parameters, cursor, limit },
  )
}

const dropFilters = {
  all: 'd."hiddenAt" IS NULL',
  active: dropSql.isRunning,
  scheduled: `${dropSql.isRunning} AND d."startedAt" > now()`,
  inactive: `d."hiddenAt" IS NULL AND NOT ${dropSql.isRunning}`,
  promoted: '(d."isFeatured" OR d."isPinned") AND d."hiddenAt" IS NULL',
  review: `d."moderation" <> 'allowed' AND d."hiddenAt" IS NULL`,
  removed: 'd."hiddenAt" IS NOT NULL',
} as const

/**
 * Lists one page of drops with their owners, the newest first. `cursor` is the last id of the previous page. Removed
 * drops are listed only when `show` is 'removed'.
 */
export async function listDrops(
  ctx: Pick<Database, 'sql'>,
  { q, cursor, limit, type = 'all', show = 'all' }: ListDropsInput,
): Promise<AdminDropRow[]> {
  const id = Number(/^#(\d{1,9})$/.exec(q ?? '')?.[1] ?? 0)
  // "#42" names one drop by its id, as a hit of the search does (docs/product.md#admin-search).
  const { condition, parameters } = id
    ? { condition: 'd."id" = :id', parameters: { id } }
    : await wordCondition(ctx.sql, searchedDrops, q)
  const conditions = [dropFilters[show], condition]
  if (type !== 'all') conditions.push('d."productType" = :type::"ProductType"')
  if (cursor !== undefined) conditions.push('d."id" < :cursor')
  const page = `SELECT d."id" FROM "Drop" d WHERE ${conditions.join(' AND ')} ORDER BY d."id" DESC LIMIT :limit`
  return ctx.sql.unprepared<AdminDropRow>(
    `SELECT ${COLUMNS}, ${LINK}, u."email" AS "sellerEmail", d."hiddenAt" ${FROM}
      WHERE d."id" IN (${page}) ORDER BY d."id" DESC`,
    { ...parameters, type, cursor, limit },
  )
}

/** Finds one drop with its owner, even if the drop was removed. Returns null when there is no such drop. */
export async function findAdminDrop({ sql }: Database, dropId: number): Promise<AdminDropRow | null> {
  const [row] = await sql<AdminDropRow>(
    'admin-drop',
    `SELECT ${COLUMNS}, ${LINK}, u."email" AS "sellerEmail", d."hiddenAt" ${FROM} WHERE d."id" = :dropId`,
    { dropId },
  )
  return row ?? null
}

/** Returns the user that a page of the admin panel shows, or null for an unknown user and for a closed account. */
export function findAdminUser(db: Db, userId: number): Promise<User | null> {
  return db.user.findFirst({ where: { id: userId, deletedAt: null } })
}
