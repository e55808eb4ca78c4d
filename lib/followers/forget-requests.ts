import 'server-only'
import type { Database } from '@/lib/infra/db'
import { MAY_CONFIRM } from './queries'

/**
 * Deletes the addresses that nobody confirmed in time (docs/product.md#followers).
 * @returns the number of addresses
 */
export async function forgetRequests({ sql }: Database, limit: number): Promise<number> {
  const rows = await sql(
    'forget-follow-requests',
    `DELETE FROM "Follower" WHERE "id" IN (
       SELECT f."id" FROM "Follower" f WHERE f."confirmedAt" IS NULL AND NOT (${MAY_CONFIRM}) LIMIT :limit) RETURNING "id"`,
    { limit },
  )
  return rows.length
}
