import 'server-only'
import { searchPattern } from '@/lib/kernel/search-pattern'
import type { Sql, SqlParameters } from './sql'

/** The trigram index needs words of at least three letters. */
const SHORT = 3

/** A table that is searched by its column "searchText". */
export type SearchedRows = {
  table: 'User' | 'Drop' | 'Order'
  /** The alias of this table in the statement. */
  alias: string
  /** The condition that every row in the list meets, with the values of its parameters. */
  within?: { sql: string; parameters: SqlParameters }
  /** The sort order of the list; a sample is read from its beginning. */
  newestFirst: string
  /** The number of newest rows in the sample, and the number of matches in it that makes a word common. */
  sample: number
  common: number
  /** The condition for words that are too short for trigrams, for a table too large to read whole. */
  whenShort?: string
}

/** A condition, and the value of its parameter `:words` if it has one. */
type Match = { condition: string; parameters: SqlParameters }

/**
 * Builds the condition for rows that contain the words, so that the search stays fast at any table size. Rare words are
 * found with the trigram index. For common words the rows are filtered starting with the newest, because enough matches
 * for a page are then found soon. A sample of the newest rows shows whether the words are common. Each condition
 * permits only one query plan, because the planner cannot know how rare a word is.
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
