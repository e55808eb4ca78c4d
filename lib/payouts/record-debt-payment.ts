import 'server-only'
import { assertSteppedUp } from '@/lib/accounts/guards'
import { accountError } from '@/lib/accounts/messages'
import { type Context, transaction } from '@/lib/infra/context'
import type { UserActor } from '@/lib/kernel/actor'
import { newId } from '@/lib/kernel/id'
import { recordAudit } from '@/lib/platform/record-audit'
import { lockPayouts } from './lock-payouts'
import { payoutError } from './messages'
import { listDebts } from './list-debts'
import { splitDebts } from './rules'
import type { DebtPaymentInput } from './schema'
import type { DebtPaymentView } from './view'

/**
 * Records that a seller paid back, outside of Stripe, what the seller owes (docs/product.md#what-a-seller-owes). The
 * payment pays the oldest debt first. A repeated call with the same reference and amount changes nothing, and its
 * response says so, because the call may have been meant as a second payment.
 * @returns `debtCents`: what the seller still owes. `recordedBefore`: the time, in ISO format, at which an earlier call
 *   recorded a payment with this reference and amount; null if this call recorded the payment.
 * @throws ACCOUNT_NOT_FOUND, NOTHING_OWED, MORE_THAN_OWED, REFERENCE_USED, STEP_UP_REQUIRED
 */
export async function recordDebtPayment(
  ctx: Context<UserActor>,
  sellerId: number,
  { amountCents, reference }: DebtPaymentInput,
): Promise<DebtPaymentView> {
  assertSteppedUp(ctx)
  return transaction(ctx, async (tx) => {
    await lockPayouts(tx, sellerId)
    if (!(await tx.db.user.findUnique({ where: { id: sellerId }, select: { id: true } }))) {
      throw accountError('ACCOUNT_NOT_FOUND')
    }
    const debts = await listDebts(tx, sellerId)
    const debtCents = debts.reduce((sum, { cents }) => sum + cents, 0)
    const parts = await tx.db.debtPayment.findMany({ where: { sellerId, reference } })
    const [first] = parts
    if (first) {
      if (parts.reduce((sum, part) => sum + part.amountCents, 0) !== amountCents) throw payoutError('REFERENCE_USED')
      return { debtCents, recordedBefore: first.createdAt.toISOString() }
    }
    if (debtCents === 0) throw payoutError('NOTHING_OWED')
    if (amountCents > debtCents) throw payoutError('MORE_THAN_OWED')
    for (const { forId, cents } of splitDebts(debts, [{ id: 'payment', cents: amountCents }])) {
      await tx.db.debtPayment.create({
        data: { id: newId('dpy'), sellerId, transferId: forId, amountCents: cents, reference },
      })
      await tx.db.transfer.update({
        where: { id: forId },
        data: { recoveredCents: { increment: cents }, nextAttemptAt: tx.clock.now() },
      })
    }
    await recordAudit(tx, {
      action: 'payout.repaid',
      targetType: 'user',
      targetId: String(sellerId),
      before: { debtCents },
      after: { debtCents: debtCents - amountCents, reference },
    })
    return { debtCents: debtCents - amountCents, recordedBefore: null }
  })
}
