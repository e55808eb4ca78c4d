import 'server-only'
import type { Context } from '@/lib/infra/context'
import { lockUser } from './lock-user'

/**
 * Locks an account until the caller's transaction ends, and returns whether it is still open and has the password that
 * was checked before. The password has changed if the owner has taken the account back from a thief meanwhile. A later
 * change waits for the transaction, and therefore finds and ends what it has made.
 * @param checked the account as it was when the password was checked
 */
export async function lockUnchanged(tx: Context, checked: { id: number; passwordHash: string }): Promise<boolean> {
  const { id, passwordHash } = checked
  await lockUser(tx, id)
  return (await tx.db.user.count({ where: { id, passwordHash, deletedAt: null } })) === 1
}
