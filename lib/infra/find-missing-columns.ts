import 'server-only'
import { isDatabaseUnavailable } from './database-errors'
import { knownColumns, pool } from './db'

/**
 * Returns the columns that this version of the code needs and the database lacks. If there are any, migrations have not
 * run. The list is empty while the database is unavailable, because requests then get a 503 until it is back.
 */
export async function findMissingColumns(): Promise<string[]> {
  try {
    const { rows } = await pool().query<{ name: string }>(
      `SELECT c.relname || '.' || a.attname AS "name"
         FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
        WHERE c.relkind IN ('r', 'p') AND pg_table_is_visible(c.oid)`,
    )
    const existing = new Set(rows.map(({ name }) => name))
    return knownColumns().filter((name) => !existing.has(name))
  } catch (error) {
    if (isDatabaseUnavailable(error)) return []
    throw error
  }
}
