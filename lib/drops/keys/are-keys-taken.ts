import 'server-only'
import type { Context } from '@/lib/infra/context'

/** The action in the audit log when a seller downloads the keys that nobody bought. */
export const KEYS_TAKEN = 'drop.keys'

/**
 * SQL: whether the seller has downloaded the unused keys of the current run of drop `d` after its end
 * (docs/product.md#keys). The seller may have used them elsewhere, so only the seller may sell them again.
 */
export const keysTakenSql = `EXISTS (SELECT FROM "AuditEntry" a WHERE a."targetType" = 'drop' AND a."targetId" = d."id"::text
    AND a."action" = '${KEYS_TAKEN}' AND a."after"->>'run' = d."run"::text)`

/** Whether the seller has downloaded the unused keys of a drop's ended run, as keysTakenSql. */
export async function areKeysTaken({ sql }: Pick<Context, 'sql'>, dropId: number): Promise<boolean> {
  const statement = `SELECT ${keysTakenSql} AS "isTaken" FROM "Drop" d WHERE d."id" = :dropId`
  const [row] = await sql<{ isTaken: boolean }>('are-keys-taken', statement, { dropId })
  return row?.isTaken === true
}
