import 'server-only'
import { lockUser } from '@/lib/accounts/lock-user'
import { type Context, transaction } from '@/lib/infra/context'
import { newId } from '@/lib/kernel/id'
import { payoutSums } from './payout-sums'
import { splitDebts } from './rules'

/** How many sellers are processed in one run, so that a sweep stays short. */
const SELLERS_PER_RUN = 50

/**
 * Withholds from payouts that are due now the amounts that their sellers owe for other orders. It must run before the
 * amounts are fixed, because a payout with a fixed amount is sent in full.
 * @param sellerId only this seller; null for all sellers.
 */
export async function withholdDebts(ctx: Context, sellerId: number | null): Promise<void> {
  const sellers = await ctx.sql<{ id: number }>(
    'sellers-in-debt',
    `SELECT DISTINCT t."sellerId" AS "id" FROM "Transfer" t
      WHERE ${payoutSums.mayBeInDebt} AND ${payoutSums.debt} > 0 AND (:sellerId::int IS NULL OR t."sellerId" = :sellerId)
        AND EXISTS (SELECT 1 FROM "Transfer" w WHERE w."sellerId" = t."sellerId" AND w."state" = 'waiting'
                       AND w."sentCents" IS NULL AND w."dueAt" <= now())
      LIMIT :limit`,
    { sellerId, limit: SELLERS_PER_RUN },
  )
  for (const { id } of sellers) await transaction(ctx, (tx) => withholdFrom(tx, id))
}

type Sum = { id: string; cents: number }

async function withholdFrom(tx: Context, sellerId: number): Promise<void> {
  // The lock lets only one process at a time decide for a seller, because two would withhold the same debt twice.
  await lockUser(tx, sellerId)
  await tx.db
    .$queryRaw`SELECT 1 FROM "Transfer" WHERE "sellerId" = ${sellerId} AND "state" = 'waiting' ORDER BY "id" FOR UPDATE`
  const debts = await tx.sql<Sum>(
    'debts-of-seller',
    `SELECT t."id", ${payoutSums.debt}::int AS "cents" FROM "Transfer" t
      WHERE t."sellerId" = :sellerId AND ${payoutSums.mayBeInDebt} AND ${payoutSums.debt} > 0 ORDER BY t."createdAt", t."id"`,
    { sellerId },
  )
  const payables = await tx.sql<Sum>(
    'due-payouts-of-seller',
    `SELECT t."id", ${payoutSums.payable}::int AS "cents" FROM "Transfer" t
      WHERE t."sellerId" = :sellerId AND t."state" = 'waiting' AND t."sentCents" IS NULL AND t."dueAt" <= now()
        AND ${payoutSums.payable} > 0 ORDER BY t."dueAt", t."id"`,
    { sellerId },
  )
  for (const { fromId, forId, cents } of splitDebts(debts, payables)) {
    await tx.db.payoutOffset.create({
      data: { id: newId('off'), sellerId, fromTransferId: fromId, forTransferId: forId, amountCents: cents },
    })
    await tx.db.transfer.update({ where: { id: fromId }, data: { withheldCents: { increment: cents } } })
    await tx.db.transfer.update({
      where: { id: forId },
      data: { recoveredCents: { increment: cents }, nextAttemptAt: tx.clock.now() },
    })
    tx.log.info({ sellerId, fromId, forId, cents }, 'debt withheld from a payout')
  }
}
