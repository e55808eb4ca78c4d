import 'server-only'
import { assertSteppedUp } from '@/lib/accounts/guards'
import { type Context, transaction } from '@/lib/infra/context'
import type { UserActor } from '@/lib/kernel/actor'
import { newId } from '@/lib/kernel/id'
import { recordAudit } from '@/lib/platform/record-audit'
import { payoutError } from './messages'
import { payoutSums } from './payout-sums'
import type { HandPaymentInput } from './schema'

type Payout = {
  id: string
  waitsForHand: boolean
  isPaid: boolean
  isDue: boolean
  isOnHold: boolean
  outCents: number
  payableCents: number
  mostCents: number
}

/**
 * Records that an administrator paid a payout outside of Stripe, because Stripe settled the payment in another currency
 * and cannot send the payout (docs/product.md#payouts-in-another-currency). A repeated call with the same reference and
 * amount changes nothing, and its response says so, because the call may have been meant as a second payment.
 * @returns `recordedBefore`: the time, in ISO format, at which an earlier call recorded a payment with this reference
 *   and amount; null if this call recorded the payment.
 * @throws PAYOUT_NOT_FOUND, SENT_BY_STRIPE, ALREADY_PAID, PAYOUT_NOT_DUE, PAYOUT_ON_HOLD, REFERENCE_USED,
 *   AMOUNT_TOO_SMALL, AMOUNT_TOO_LARGE, STEP_UP_REQUIRED
 */
export async function recordHandPayment(
  ctx: Context<UserActor>,
  payment: HandPaymentInput,
): Promise<{ recordedBefore: string | null }> {
  assertSteppedUp(ctx)
  return transaction(ctx, async (tx) => {
    const payout = await lockPayout(tx, payment.orderId)
    const known = await tx.db.handPayment.findUnique({
      where: { transferId_reference: { transferId: payout.id, reference: payment.reference } },
    })
    if (known?.amountCents === payment.amountCents) return { recordedBefore: known.createdAt.toISOString() }
    if (known) throw payoutError('REFERENCE_USED')
    assertPayable(payout, payment.amountCents)
    await writePayment(tx, payout, payment)
    await recordAudit(tx, {
      action: 'payout.byhand',
      targetType: 'order',
      targetId: payment.orderId,
      before: { paidCents: payout.outCents },
      after: { paidCents: payout.outCents + payment.amountCents, reference: payment.reference },
    })
    return { recordedBefore: null }
  })
}

/** Locks the payout, so that no transfer and no second payment can begin at the same time. */
async function lockPayout(tx: Context, orderId: string): Promise<Payout> {
  const [payout] = await tx.sql<Payout>(
    'lock-payout-by-hand',
    `SELECT t."id", ${payoutSums.isPayableByHand} IS TRUE AS "waitsForHand",
            t."paidByHandAt" IS NOT NULL AS "isPaid", t."dueAt" <= now() AS "isDue",
            ${payoutSums.isOnHold} AS "isOnHold", ${payoutSums.out} AS "outCents",
            ${payoutSums.payable} AS "payableCents", GREATEST(t."amountCents", ${payoutSums.payable}) AS "mostCents"
       FROM "Transfer" t JOIN "Order" o ON o."id" = t."orderId" WHERE t."orderId" = :orderId FOR UPDATE OF t`,
    { orderId },
  )
  if (!payout) throw payoutError('PAYOUT_NOT_FOUND')
  return payout
}

/**
 * Checks that the payout may be paid by hand, and that the payment covers the whole amount, so that no payout is only
 * partly paid. The payment may exceed what is due now, because a refund may have reduced the payout after the money was
 * paid. The seller then owes the difference.
 */
function assertPayable(payout: Payout, amountCents: number): void {
  const paidCents = payout.outCents + amountCents
  if (!payout.waitsForHand) throw payoutError(payout.isPaid ? 'ALREADY_PAID' : 'SENT_BY_STRIPE')
  if (payout.isOnHold) throw payoutError('PAYOUT_ON_HOLD')
  if (!payout.isDue) throw payoutError('PAYOUT_NOT_DUE')
  if (paidCents < payout.payableCents) throw payoutError('AMOUNT_TOO_SMALL')
  if (paidCents > payout.mostCents) throw payoutError('AMOUNT_TOO_LARGE')
}

async function writePayment(tx: Context, { id }: Payout, payment: HandPaymentInput): Promise<void> {
  const { amountCents, reference } = payment
  await tx.db.handPayment.create({ data: { id: newId('pay'), transferId: id, amountCents, reference } })
  await tx.sql(
    'paid-by-hand',
    `UPDATE "Transfer" t SET "state" = 'sent', "sentAt" = now(), "lastError" = NULL, "attempts" = 0,
            "paidByHandAt" = coalesce(t."paidByHandAt", now()), "frozenAt" = coalesce(t."frozenAt", now()),
            "sentCents" = coalesce(t."sentCents", :amountCents), "destination" = NULL,
            "sentAgainCents" = t."sentAgainCents" + CASE WHEN t."sentCents" IS NULL THEN 0 ELSE :amountCents END,
            "reversalRefusedAt" = CASE WHEN ${payoutSums.out} + :amountCents > ${payoutSums.payable} THEN now() END
      WHERE t."id" = :id`,
    { id, amountCents },
  )
}
