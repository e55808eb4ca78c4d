import 'server-only'
import { searchPattern } from '@/lib/kernel/search-pattern'
import type { Sql, SqlParameters } from './sql'

/** Trigrams need three letters. */
const SHORT = 3

/** The rows of a table that are searched by their column "searchText". */
export type SearchedRows = {
  table: 'User' | 'Drop' | 'Order'
  /** What the statement calls the row that the condition is about. */
  alias: string
  /** What every row that may be found meets, with the values of its parameters. */
  within?: { sql: string; parameters: SqlParameters }
  /** The order of the list, as a sample of its beginning is read. */
  newestFirst: string
  /** How many of the newest rows are looked at, and from how many hits among them a word is common. */
  sample: number
  common: number
  /** The condition for words that are too short for trigrams, where walking through all rows would take too long. */
  whenShort?: string
}

/** A condition, and the value of its parameter `:words` where it has one. */
type Match = { condition: string; parameters: SqlParameters }

/**
 * The condition for rows that hold the words, made so that no table size makes it slow: by the trigram index when few rows
 * match, by a filter while walking from the newest when many do, because then a page of them is found soon. A look at the
 * newest rows tells which. Each is written so that the planner, which cannot know how rare a word is, has no other way.
 */
export async function wordCondition(sql: Sql, rows: SearchedRows, typed: string | undefined): Promise<Match> {
  const found = searchPattern(typed)
  if (!found) return { condition: 'true', parameters: {} }
  const { alias, whenShort } = rows
  const { words, pattern } = found
  if (words.length < SHORT && whenShort) return { condition: whenShort, parameters: { words } }
  if (words.length < SHORT || (await isCommon(sql, rows, words))) {
    return { condition: `strpos(${alias}."searchText", :words) > 0`, parameters: { words } }
  }
  const rare = `SELECT "id" FROM "${rows.table}" WHERE "searchText" LIKE :words AND ${rows.within?.sql ?? 'true'}`
  return { condition: `${alias}."id" = ANY(ARRAY(${rare}))`, parameters: { words: pattern } }
}

async function isCommon(sql: Sql, rows: SearchedRows, words: string): Promise<boolean> {
  const { table, within, newestFirst, sample, common } = rows
  const [seen] = await sql.unprepared<{ hits: number }>(
    `SELECT count(*)::int AS "hits"
       FROM (SELECT "searchText" FROM "${table}" WHERE ${within?.sql ?? 'true'} ORDER BY ${newestFirst} LIMIT ${sample}) newest
      WHERE strpos("searchText", :words) > 0`,
    { ...within?.parameters, words },
  )
  return (seen?.hits ?? 0) >= common
}
