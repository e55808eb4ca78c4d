import 'server-only'
import { isDatabaseUnavailable } from './database-errors'
import { knownColumns, pool } from './db'

/**
 * The columns that the database lacks: it was not migrated, or not to this version. The list is empty while the database
 * is unavailable; requests then answer 503 until it is back.
 */
export async function findMissingColumns(): Promise<string[]> {
  try {
    const { rows } = await pool().query<{ name: string }>(
      `SELECT c.relname || '.' || a.attname AS "name"
         FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
        WHERE c.relkind IN ('r', 'p') AND pg_table_is_visible(c.oid)`,
    )
    const there = new Set(rows.map(({ name }) => name))
    return knownColumns().filter((name) => !there.has(name))
  } catch (error) {
    if (isDatabaseUnavailable(error)) return []
    throw error
  }
}
