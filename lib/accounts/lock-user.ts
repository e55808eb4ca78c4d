import 'server-only'
import type { Context } from '@/lib/infra/context'

/**
 * Locks the row of a user until the caller's transaction ends, so that changes of one account follow each other. Rows
 * that refer to the user can still be written.
 */
export async function lockUser(tx: Pick<Context, 'sql'>, userId: number): Promise<void> {
  await tx.sql('lock-user', 'SELECT 1 FROM "User" WHERE "id" = :userId FOR NO KEY UPDATE', { userId })
}
