import 'server-only'
import type { User } from '@prisma/client'
import { COLUMNS, FROM } from '@/lib/drops/queries'
import type { Database, Db } from '@/lib/infra/db'
import type { SqlParameters } from '@/lib/infra/sql'
import { searchPattern } from '@/lib/kernel/search-pattern'
import type { ListDropsInput, ListUsersInput } from './schema'
import type { AdminDropRow } from './view'

/** A word that this many of the newest rows hold is common: walking from the newest finds a page of it soon. */
const SAMPLE = 1_500
const COMMON = 6
/** Trigrams need three letters. Shorter words are looked for among the newest rows. */
const SHORT = 3
const NEWEST = 10_000

type Table = 'User' | 'Drop'

/** A condition on `t`, and the value of its parameter `:words` where it has one. */
type Match = { condition: string; parameters: SqlParameters }

/**
 * The condition for rows that hold the words, made so that no table size makes it slow: by the trigram index when few rows
 * match, by a filter while walking from the newest when many do. Which of the two, a look at the newest rows tells. Each is
 * written so that the planner, which cannot know how rare a word is, has no other way.
 */
async function matching({ sql }: Database, table: Table, typed: string | undefined): Promise<Match> {
  const found = searchPattern(typed)
  if (!found) return { condition: 'true', parameters: {} }
  const { words, pattern } = found
  if (words.length < SHORT) {
    const newest = `SELECT "id" FROM "${table}" WHERE "id" > (SELECT COALESCE(max("id"), 0) - ${NEWEST} FROM "${table}")
                       AND strpos("searchText", :words) > 0`
    // A short name is looked for whole, however old its owner is.
    const whole = table === 'User' ? ' UNION SELECT "id" FROM "User" WHERE "username" = :words' : ''
    return { condition: `t."id" = ANY(ARRAY(${newest}${whole}))`, parameters: { words } }
  }
  const [sample] = await sql.unprepared<{ hits: number }>(
    `SELECT count(*)::int AS "hits" FROM (SELECT "searchText" FROM "${table}" ORDER BY "id" DESC LIMIT ${SAMPLE}) newest
      WHERE strpos("searchText", :words) > 0`,
    { words },
  )
  if ((sample?.hits ?? 0) >= COMMON) {
    return { condition: 'strpos(t."searchText", :words) > 0', parameters: { words } }
  }
  const rare = `SELECT "id" FROM "${table}" WHERE "searchText" LIKE :words`
  return { condition: `t."id" = ANY(ARRAY(${rare}))`, parameters: { words: pattern } }
}

const userFilters = {
  all: 'true',
  pro: `t."plan" = 'pro'`,
  free: `t."plan" = 'free'`,
  // One that has ended by itself is over, though nobody has lifted it (DECISIONS 34).
  suspended: 't."isSuspended" AND (t."suspendedUntil" IS NULL OR t."suspendedUntil" > now())',
  admin: 't."isAdmin"',
} as const

/** Accounts, the newest first, one page by keyset. */
export async function listUsers(ctx: Database, { q, cursor, limit, show = 'all' }: ListUsersInput): Promise<User[]> {
  const { condition, parameters } = await matching(ctx, 'User', q)
  const conditions = [`t."deletedAt" IS NULL`, userFilters[show], condition]
  if (cursor !== undefined) conditions.push('t."id" < :cursor')
  return ctx.sql.unprepared<User>(
    `SELECT t.* FROM "User" t WHERE ${conditions.join(' AND ')} ORDER BY t."id" DESC LIMIT :limit`,
    { ...parameters, cursor, limit },
  )
}

const dropFilters = {
  all: 't."hiddenAt" IS NULL',
  active: 't."isActive" AND t."hiddenAt" IS NULL AND t."endTime" > now()',
  inactive: 't."hiddenAt" IS NULL AND NOT (t."isActive" AND t."endTime" > now())',
  promoted: '(t."isFeatured" OR t."isPinned") AND t."hiddenAt" IS NULL',
  review: `t."moderation" <> 'allowed' AND t."hiddenAt" IS NULL`,
  removed: 't."hiddenAt" IS NOT NULL',
} as const

/** Drops with their owners, the newest first, one page by keyset; removed ones only when asked for. */
export async function listDrops(
  ctx: Database,
  { q, cursor, limit, type = 'all', show = 'all' }: ListDropsInput,
): Promise<AdminDropRow[]> {
  const { condition, parameters } = await matching(ctx, 'Drop', q)
  const conditions = [dropFilters[show], condition]
  if (type !== 'all') conditions.push('t."productType" = :type::"ProductType"')
  if (cursor !== undefined) conditions.push('t."id" < :cursor')
  const page = `SELECT t."id" FROM "Drop" t WHERE ${conditions.join(' AND ')} ORDER BY t."id" DESC LIMIT :limit`
  return ctx.sql.unprepared<AdminDropRow>(
    `SELECT ${COLUMNS}, u."email" AS "sellerEmail", d."hiddenAt" ${FROM}
      WHERE d."id" IN (${page}) ORDER BY d."id" DESC`,
    { ...parameters, type, cursor, limit },
  )
}

/** One drop with its owner, removed or not; null when there is none. */
export async function findAdminDrop({ sql }: Database, dropId: number): Promise<AdminDropRow | null> {
  const [row] = await sql<AdminDropRow>(
    'admin-drop',
    `SELECT ${COLUMNS}, u."email" AS "sellerEmail", d."hiddenAt" ${FROM} WHERE d."id" = :dropId`,
    { dropId },
  )
  return row ?? null
}

export function findAdminUser(db: Db, userId: number): Promise<User | null> {
  return db.user.findFirst({ where: { id: userId, deletedAt: null } })
}
