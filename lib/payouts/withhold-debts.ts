import 'server-only'
import { type Context, transaction } from '@/lib/infra/context'
import { isDatabaseUnavailable } from '@/lib/infra/database-errors'
import { newId } from '@/lib/kernel/id'
import { listDebts } from './list-debts'
import { lockPayouts } from './lock-payouts'
import { payoutSums } from './payout-sums'
import { splitDebts } from './rules'

/**
 * Whether something may be withheld from the payout `t` of order `o` and seller `u`. Only a payout that is due and
 * earned pays a debt. If the money of its order can still go back to the buyer (a dispute, a pending refund, or a
 * parcel that may be late), withholding it would count a debt as paid and would free the limits of refunds and of
 * parcels again, although the platform may have to return the same money (ADR 0027).
 */
const IS_WITHHOLDABLE = `(t."state" = 'waiting' AND t."sentCents" IS NULL AND t."dueAt" <= now()
  AND ${payoutSums.payable} > 0 AND ${payoutSums.isEarned('o', 'u')} AND NOT ${payoutSums.isPromisedParcel('o')})`
const PAYOUTS = `"Transfer" t JOIN "Order" o ON o."id" = t."orderId" JOIN "User" u ON u."id" = t."sellerId"`

/**
 * Sellers with a debt and with a due payout of which something can be withheld. A seller of whom nothing more can be
 * withheld is left out. Otherwise such sellers could fill every batch, and other sellers would be paid although they
 * owe money.
 */
const SELLERS_IN_DEBT = `
  SELECT DISTINCT t."sellerId" AS "id" FROM "Transfer" t
   WHERE ${payoutSums.mayBeInDebt} AND ${payoutSums.debt} > 0 AND (:sellerId::int IS NULL OR t."sellerId" = :sellerId)
     AND t."sellerId" IN (SELECT t."sellerId" FROM ${PAYOUTS} WHERE ${IS_WITHHOLDABLE})
     AND t."sellerId" > :after
   ORDER BY t."sellerId" LIMIT :limit`

/**
 * Withholds from payouts that are due now the amounts that their sellers owe for other orders. It must run before the
 * amounts are fixed, because a payout with a fixed amount is sent in full.
 * @param sellerId only this seller; null for all sellers.
 * @param batch how many sellers are read at a time
 * @returns the sellers whose debts could not be withheld. They must not be paid now, and other sellers must be.
 */
export async function withholdDebts(ctx: Context, sellerId: number | null, batch = 50): Promise<number[]> {
  const failed: number[] = []
  for (let after: number | null = 0; after !== null;) {
    const sellers: { id: number }[] = await ctx.sql('sellers-in-debt', SELLERS_IN_DEBT, {
      sellerId,
      after,
      limit: batch,
    })
    for (const { id } of sellers) {
      try {
        await transaction(ctx, (tx) => withholdFrom(tx, id))
      } catch (error) {
        if (isDatabaseUnavailable(error)) throw error
        ctx.log.error({ sellerId: id, cause: String(error) }, 'debts not withheld')
        failed.push(id)
      }
    }
    after = sellers.length < batch ? null : (sellers.at(-1)?.id ?? null)
  }
  return failed
}

type Sum = { id: string; cents: number }

async function withholdFrom(tx: Context, sellerId: number): Promise<void> {
  await lockPayouts(tx, sellerId)
  const payables = await tx.sql<Sum>(
    'due-payouts-of-seller',
    `SELECT t."id", ${payoutSums.payable}::int AS "cents" FROM ${PAYOUTS}
      WHERE t."sellerId" = :sellerId AND ${IS_WITHHOLDABLE} ORDER BY t."dueAt", t."id"`,
    { sellerId },
  )
  await payDebts(tx, sellerId, payables)
}

/**
 * Withholds what the seller owes for other orders from an amount that would be sent again for an order, because its
 * refund has failed or its dispute was won.
 * @param missing.cents the amount that is missing in the seller's account
 */
export async function withholdFromMissing(
  ctx: Context,
  missing: { id: string; sellerId: number; cents: number },
): Promise<void> {
  await transaction(ctx, async (tx) => {
    await lockPayouts(tx, missing.sellerId)
    // Another process may have withheld it, or the seller may have got it, while this one waited for the lock.
    const [row] = await tx.sql<Sum>(
      'missing-payout',
      `SELECT t."id", LEAST(:cents::int, ${payoutSums.payable} - ${payoutSums.out})::int AS "cents" FROM "Transfer" t
        WHERE t."id" = :id FOR UPDATE`,
      { id: missing.id, cents: missing.cents },
    )
    if (row && row.cents > 0) await payDebts(tx, missing.sellerId, [row])
  })
}

async function payDebts(tx: Context, sellerId: number, payables: readonly Sum[]): Promise<void> {
  const debts = await listDebts(tx, sellerId)
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
