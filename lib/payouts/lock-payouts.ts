import 'server-only'
import { lockUser } from '@/lib/accounts/lock-user'
import type { Context } from '@/lib/infra/context'

/**
 * Locks a seller's payouts until the caller's transaction ends. Only one process at a time decides about a seller's
 * debts, because two would collect the same debt twice.
 */
export async function lockPayouts(tx: Context, sellerId: number): Promise<void> {
  await lockUser(tx, sellerId)
  await tx.db
    .$queryRaw`SELECT 1 FROM "Transfer" WHERE "sellerId" = ${sellerId} AND "state" = 'waiting' ORDER BY "id" FOR UPDATE`
}
