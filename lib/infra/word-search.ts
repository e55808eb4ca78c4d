import 'server-only'
import { searchPattern } from '@/lib/kernel/search-pattern'
import { search } from './db'

/** Trigrams need three letters. */
const SHORT = 3

/** The rows of a table that are searched by their column "searchText". */
export type SearchedRows = {
  table: 'User' | 'Drop' | 'Order'
  /** What the statement calls the row that the condition is about. */
  alias: string
  /** What every row that may be found meets. Its values are `$1` and following, in the statement too. */
  within?: { sql: string; values: readonly unknown[] }
  /** The order of the list, as a sample of its beginning is read. */
  newestFirst: string
  /** How many of the newest rows are looked at, and from how many hits among them a word is common. */
  sample: number
  common: number
  /** The condition for words that are too short for trigrams, where walking through all rows would take too long. */
  whenShort?: (words: string) => string
}

/**
 * The condition for rows that hold the words, made so that no table size makes it slow: by the trigram index when few rows
 * match, by a filter while walking from the newest when many do, because then a page of them is found soon. A look at the
 * newest rows tells which. Each is written so that the planner, which cannot know how rare a word is, has no other way.
 * @param values the values of the statement; those of the condition are added to them.
 */
export async function wordCondition(rows: SearchedRows, typed: string | undefined, values: unknown[]): Promise<string> {
  const found = searchPattern(typed)
  if (!found) return 'true'
  const { alias, whenShort } = rows
  const { words, pattern } = found
  if (words.length < SHORT && whenShort) return whenShort(`$${values.push(words)}`)
  if (words.length < SHORT || (await isCommon(rows, words))) {
    return `strpos(${alias}."searchText", $${values.push(words)}) > 0`
  }
  const rare = `SELECT "id" FROM "${rows.table}" WHERE "searchText" LIKE $${values.push(pattern)} AND ${rows.within?.sql ?? 'true'}`
  return `${alias}."id" = ANY(ARRAY(${rare}))`
}

async function isCommon({ table, within, newestFirst, sample, common }: SearchedRows, words: string): Promise<boolean> {
  const values = [...(within?.values ?? []), words]
  const [seen] = await search<{ hits: number }>(
    `SELECT count(*)::int AS "hits"
       FROM (SELECT "searchText" FROM "${table}" WHERE ${within?.sql ?? 'true'} ORDER BY ${newestFirst} LIMIT ${sample}) newest
      WHERE strpos("searchText", $${values.length}) > 0`,
    values,
  )
  return (seen?.hits ?? 0) >= common
}
