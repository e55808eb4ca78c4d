import 'server-only'
import type { Context } from '@/lib/infra/context'

/**
 * Deletes the rows by which a visitor's views of a drop and presses on its buy button are counted once a day, after 60
 * days. Only the rows of today are ever read. The charts are drawn from DropHour, and the totals are in the drop's row.
 * @returns the number of rows
 */
export async function forgetVisitors(ctx: Pick<Context, 'sql'>, limit: number): Promise<number> {
  return (await deleteOld(ctx, 'DropView', limit)) + (await deleteOld(ctx, 'DropTap', limit))
}

async function deleteOld({ sql }: Pick<Context, 'sql'>, table: 'DropView' | 'DropTap', limit: number): Promise<number> {
  const rows = await sql(
    `delete-old-rows-of-${table}`,
    `DELETE FROM "${table}" WHERE ("dropId", "day", "visitor") IN (
       SELECT "dropId", "day", "visitor" FROM "${table}" WHERE "day" < (now() AT TIME ZONE 'UTC')::date - 60
        ORDER BY "day" LIMIT :limit FOR UPDATE SKIP LOCKED) RETURNING "dropId"`,
    { limit },
  )
  return rows.length
}
