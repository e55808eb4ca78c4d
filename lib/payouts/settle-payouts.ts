import 'server-only'
import type { Transfer } from '@prisma/client'
import type Stripe from 'stripe'
import type { Context } from '@/lib/infra/context'
import { isStripeDenial, isStripeMissing, isStripeRefusal, isStripeUnavailable } from '@/lib/infra/stripe-errors'
import { findTransfers, readTransfers } from './find-transfers'
import { payoutSums } from './payout-sums'
import { reasonOf, sentOutCents, targetCents } from './rules'

const BATCH = 50

/** A payout that was sent and therefore has a destination. */
type SentTransfer = Transfer & { sentCents: number; destination: string; frozenAt: Date }

/**
 * Adjusts what the seller received for a payout to what our database says: deductions for refunds are reversed, and
 * money for refunds that a bank rejected is sent again. Stripe's own transfers are read first, so that a crash in
 * between moves nothing twice. A reversal that Stripe refuses, because the seller's balance is empty, leaves a debt
 * that later payouts pay (withholdDebts).
 */
export async function settlePayout(ctx: Context, transferId: string): Promise<void> {
  const transfer = await ctx.db.transfer.findUniqueOrThrow({ where: { id: transferId } })
  if (!isSent(transfer)) return
  const goalCents = Math.max(0, targetCents(transfer))
  if (sentOutCents(transfer) === goalCents) {
    if (transfer.reversalRefusedAt) await noteSettled(ctx, transfer)
    return
  }
  const known = await readTransfers(ctx, idsOf(transfer))
  const outCents = sumOut(known)
  let isSettled = true
  if (outCents > goalCents) isSettled = await reverse(ctx, transfer, known, outCents - goalCents)
  else if (outCents < goalCents) isSettled = await sendAgain(ctx, transfer, goalCents)
  else await noteSums(ctx, transfer, known)
  if (isSettled) ctx.log.info({ orderId: transfer.orderId, fromCents: outCents, toCents: goalCents }, 'payout settled')
}

function isSent(transfer: Transfer): transfer is SentTransfer {
  return transfer.sentAt !== null && transfer.sentCents !== null && transfer.destination !== null
}

const idsOf = ({ stripeTransferId, againTransferIds }: SentTransfer) => [
  ...(stripeTransferId ? [stripeTransferId] : []),
  ...againTransferIds,
]

const sumOut = (sent: readonly Stripe.Transfer[]) =>
  sent.reduce((sum, { amount, amount_reversed }) => sum + amount - amount_reversed, 0)

/**
 * Reverses the newest transfers first. Each retry after a refusal gets a new idempotency key, because Stripe repeats a
 * stored refusal for at least a day. The amount is part of the key, because Stripe refuses a key with other parameters.
 * @returns whether everything was reversed.
 */
async function reverse(
  ctx: Context,
  transfer: SentTransfer,
  sent: readonly Stripe.Transfer[],
  cents: number,
): Promise<boolean> {
  let leftCents = cents
  const reversed = new Map(sent.map(({ id, amount_reversed }) => [id, amount_reversed]))
  try {
    for (const { id, amount, amount_reversed: before } of sent.toReversed()) {
      const part = Math.min(leftCents, amount - before)
      if (part === 0) continue
      await ctx
        .stripe()
        .transfers.createReversal(
          id,
          { amount: part, metadata: { orderId: transfer.orderId } },
          { idempotencyKey: `reversal-${id}-${before}-${part}-${transfer.refusals}` },
        )
      reversed.set(id, before + part)
      leftCents -= part
    }
  } catch (error) {
    if (!isStripeRefusal(error) && !isStripeMissing(error)) throw error
    ctx.log.warn(
      { orderId: transfer.orderId, cents: leftCents, cause: String(error) },
      'reversal refused: kept as a debt',
    )
    await ctx.sql(
      'reversal-refused',
      `UPDATE "Transfer" SET "reversalRefusedAt" = coalesce("reversalRefusedAt", now()), "refusals" = "refusals" + 1,
              "lastError" = :reason WHERE "id" = :id`,
      { id: transfer.id, reason: reasonOf(error) },
    )
  }
  await noteSums(
    ctx,
    transfer,
    sent.map(({ id, amount }) => ({ id, amount, amount_reversed: reversed.get(id) ?? 0 })),
  )
  return leftCents === 0
}

/**
 * Sends the missing amount from the platform's balance, because the money of a rejected refund returned there and not
 * to its charge. It first looks for transfers that an interrupted run has made.
 * @returns false when there is no account to send it to.
 */
async function sendAgain(ctx: Context, transfer: SentTransfer, goalCents: number): Promise<boolean> {
  const account = await accountToSendTo(ctx, transfer.orderId)
  if (!account) return false
  const known = new Set(idsOf(transfer))
  const lost = [
    ...(await findTransfers(ctx, transfer)),
    // The seller may have connected another account since the first transfer was sent.
    ...(account === transfer.destination ? [] : await findTransfers(ctx, { ...transfer, destination: account })),
  ].filter(({ id }) => !known.has(id))
  for (const { id } of lost) await noteAgain(ctx, transfer, id)
  const sent = [...(await readTransfers(ctx, [...known])), ...lost]
  const amount = goalCents - sumOut(sent)
  if (amount > 0) {
    const { id, orderId, refusals } = transfer
    try {
      const created = await ctx
        .stripe()
        .transfers.create(
          { amount, currency: 'usd', destination: account, transfer_group: orderId, metadata: { orderId } },
          { idempotencyKey: `transfer-again-${id}-${sent.length}-${amount}-${refusals}` },
        )
      await noteAgain(ctx, transfer, created.id)
      sent.push(created)
    } catch (error) {
      // Stripe repeats a stored refusal under its key, so the next attempt needs another one.
      if (isStripeDenial(error)) {
        await ctx.sql(
          'payout-refused',
          'UPDATE "Transfer" SET "refusals" = "refusals" + 1, "lastError" = :reason WHERE "id" = :id',
          { id, reason: reasonOf(error) },
        )
      }
      throw error
    }
  }
  await noteSums(ctx, transfer, sent)
  return true
}

/** The account that money for an order goes to; null while it is not ready or the order is disputed. */
async function accountToSendTo(ctx: Context, orderId: string): Promise<string | null> {
  const { status, seller } = await ctx.db.order.findUniqueOrThrow({ where: { id: orderId }, include: { seller: true } })
  return status !== 'disputed' && seller.payoutsState === 'ready' ? seller.stripeAccountId : null
}

async function noteAgain(ctx: Context, transfer: SentTransfer, stripeTransferId: string): Promise<void> {
  await ctx.sql(
    'note-transfer-again',
    `UPDATE "Transfer" SET "againTransferIds" = array_append("againTransferIds", :stripeTransferId)
      WHERE "id" = :id AND NOT (:stripeTransferId = ANY("againTransferIds"))`,
    { id: transfer.id, stripeTransferId },
  )
}

/**
 * Records the sums at Stripe. They only grow there, so the larger value is kept and an older answer never overwrites a
 * newer one.
 */
async function noteSums(
  ctx: Context,
  transfer: SentTransfer,
  sent: readonly Pick<Stripe.Transfer, 'id' | 'amount' | 'amount_reversed'>[],
): Promise<void> {
  const sum = (key: 'amount' | 'amount_reversed') => sent.reduce((total, each) => total + each[key], 0)
  await ctx.sql(
    'payout-sums',
    `UPDATE "Transfer" SET "reversedAtStripeCents" = GREATEST("reversedAtStripeCents", :reversedCents),
            "sentAgainCents" = GREATEST("sentAgainCents", :againCents)
      WHERE "id" = :id`,
    { id: transfer.id, reversedCents: sum('amount_reversed'), againCents: sum('amount') - transfer.sentCents },
  )
  await noteSettled(ctx, transfer)
}

/** Closes a payout whose transferred amount is correct, and leaves every other one unchanged. */
async function noteSettled(ctx: Context, { id }: SentTransfer): Promise<void> {
  await ctx.sql(
    'payout-settled',
    `UPDATE "Transfer" t SET "lastError" = NULL, "attempts" = 0, "reversalRefusedAt" = NULL,
            "state" = (CASE WHEN t."deductedCents" = t."amountCents" AND t."amountCents" > 0 THEN 'reversed' ELSE 'sent' END)::"TransferState"
      WHERE t."id" = :id AND ${payoutSums.out} = ${payoutSums.payable}`,
    { id },
  )
}

/**
 * Retries the payouts that could not be settled at once, each after growing pauses. A failure of one seller's payout
 * does not stop the others, unless Stripe is not available.
 * @returns how many were settled.
 */
export async function settlePayouts(ctx: Context): Promise<number> {
  const due = await ctx.sql<{ id: string }>(
    'unsettled-payouts',
    `UPDATE "Transfer" SET "attempts" = "attempts" + 1,
            "nextAttemptAt" = now() + make_interval(secs => LEAST(3600, 30 * power(2, LEAST("attempts", 7))))
      WHERE "id" IN (
        SELECT t."id" FROM "Transfer" t JOIN "Order" o ON o."id" = t."orderId" JOIN "User" u ON u."id" = t."sellerId"
         WHERE t."nextAttemptAt" <= now()
           AND (${payoutSums.isUnsettled} OR (t."reversalRefusedAt" IS NOT NULL AND ${payoutSums.debt} = 0))
           AND (${payoutSums.out} >= ${payoutSums.payable} OR (o."status" <> 'disputed' AND u."payoutsState" = 'ready'))
         ORDER BY t."nextAttemptAt" LIMIT :limit FOR UPDATE OF t SKIP LOCKED)
      RETURNING "id"`,
    { limit: BATCH },
  )
  let settled = 0
  for (const { id } of due) {
    try {
      await settlePayout(ctx, id)
      settled += 1
    } catch (error) {
      if (isStripeUnavailable(error)) throw error
      ctx.log.error({ transferId: id, cause: String(error) }, 'payout not settled')
    }
  }
  return settled
}
