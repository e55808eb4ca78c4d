import 'server-only'
import type { Transfer } from '@prisma/client'
import type Stripe from 'stripe'
import type { Context } from '@/lib/infra/context'
import {
  isStripeDenial,
  isStripeFailure,
  isStripeLimit,
  isStripeMissing,
  isStripeRefusal,
  isStripeUnavailable,
} from '@/lib/infra/stripe-errors'
import { onceKeyIsFree } from '@/lib/infra/stripe-keys'
import { eachUntilOutage } from '@/lib/infra/each-until-outage'
import { adoptTransfers, idsOf, noteTransfer } from './adopt-transfers'
import { readTransfers } from './find-transfers'
import { MARK_UNKNOWN } from './mark-unknown'
import { payoutSums } from './payout-sums'
import { reasonOf, sentOutCents, targetCents } from './rules'
import { withholdFromMissing } from './withhold-debts'

const BATCH = 50

/** A payout that was sent to an account at Stripe. */
type SentTransfer = Transfer & { sentCents: number; destination: string }

/**
 * Brings the amount in the seller's account in line with our database. What refunds deduct from the payout is taken
 * back by reversing transfers, and what a rejected refund returned is sent again. The transfers are read from Stripe
 * first, so that nothing moves twice after a crash. Stripe refuses a reversal when the seller's balance is empty. That
 * leaves a debt, which later payouts pay (withholdDebts()).
 */
export async function settlePayout(ctx: Context, transferId: string): Promise<void> {
  const transfer = await ctx.db.transfer.findUniqueOrThrow({ where: { id: transferId } })
  if (transfer.paidByHandAt) return settleHandPayout(ctx, transferId)
  if (!isSent(transfer)) return
  const goalCents = Math.max(0, targetCents(transfer))
  if (sentOutCents(transfer) === goalCents) {
    if (transfer.reversalRefusedAt) await noteSettled(ctx, transfer.id)
    return
  }
  const known = await readTransfers(ctx, idsOf(transfer))
  const outCents = sumOut(known)
  let isSettled = true
  if (outCents > goalCents) isSettled = await reverse(ctx, transfer, known, outCents - goalCents)
  else if (outCents < goalCents) isSettled = await sendMissing(ctx, transfer, goalCents - outCents)
  else await noteSums(ctx, transfer, known)
  if (isSettled) ctx.log.info({ orderId: transfer.orderId, fromCents: outCents, toCents: goalCents }, 'payout settled')
}

/**
 * Settles a payout that was paid by hand. Such a payment cannot be reversed, so an amount that refunds have deducted
 * since becomes a debt right away. If the payout has grown again because a refund failed, it waits for another payment
 * by hand.
 */
async function settleHandPayout(ctx: Context, id: string): Promise<void> {
  await ctx.sql(
    'hand-payout-overpaid',
    `UPDATE "Transfer" t SET "reversalRefusedAt" = now() WHERE t."id" = :id AND t."paidByHandAt" IS NOT NULL
        AND t."reversalRefusedAt" IS NULL AND ${payoutSums.out} > ${payoutSums.payable}`,
    { id },
  )
  await noteSettled(ctx, id)
}

function isSent(transfer: Transfer): transfer is SentTransfer {
  return transfer.sentAt !== null && transfer.sentCents !== null && transfer.destination !== null
}

const sumOut = (sent: readonly Stripe.Transfer[]) =>
  sent.reduce((sum, { amount, amount_reversed }) => sum + amount - amount_reversed, 0)

/**
 * Reverses the newest transfers first. Each retry after a refusal or a failure gets a new idempotency key, because
 * Stripe repeats a stored response for at least a day. The amount is part of the key, because Stripe refuses a key with
 * other parameters.
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
  const noteReversed = () =>
    noteSums(
      ctx,
      transfer,
      sent.map(({ id, amount }) => ({ id, amount, amount_reversed: reversed.get(id) ?? 0 })),
    )
  try {
    for (const { id, amount, amount_reversed: before } of sent.toReversed()) {
      const part = Math.min(leftCents, amount - before)
      if (part === 0) continue
      // Another process may be reversing the same transfer at this moment.
      await onceKeyIsFree(() =>
        ctx
          .stripe()
          .transfers.createReversal(
            id,
            { amount: part, metadata: { orderId: transfer.orderId } },
            { idempotencyKey: `reversal-${id}-${before}-${part}-${transfer.refusals}` },
          ),
      )
      reversed.set(id, before + part)
      leftCents -= part
    }
  } catch (error) {
    if (!isStripeRefusal(error) && !isStripeMissing(error)) {
      if (isStripeFailure(error)) await noteRefusal(ctx, transfer.id, error)
      else if (!isStripeLimit(error)) await markUnknown(ctx, transfer.id)
      // What was reversed before the failure must be known, even if nobody tries again.
      await noteReversed()
      throw error
    }
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
  await noteReversed()
  return leftCents === 0
}

/**
 * Withholds from a missing amount what the seller owes for other orders, and sends the rest again. Nothing is sent
 * while another refund of the order is pending, because the same money may go back to the buyer.
 * @returns whether the payout is settled
 */
async function sendMissing(ctx: Context, transfer: SentTransfer, cents: number): Promise<boolean> {
  const { orderId } = transfer
  if ((await ctx.db.refund.count({ where: { orderId, state: 'pending' } })) > 0) return false
  await withholdFromMissing(ctx, { id: transfer.id, sellerId: transfer.sellerId, cents })
  const latest = await ctx.db.transfer.findUniqueOrThrow({ where: { id: transfer.id } })
  return isSent(latest) ? sendAgain(ctx, latest, Math.max(0, targetCents(latest))) : false
}

/**
 * Sends the missing amount from the platform's balance, because the money of a rejected refund returned there and not
 * to its charge. It first looks for transfers that an interrupted run has created.
 * @returns false while the order is disputed or the seller has no account to which money may be sent
 */
async function sendAgain(ctx: Context, transfer: SentTransfer, goalCents: number): Promise<boolean> {
  const account = await accountToSendTo(ctx, transfer.orderId)
  if (!account) return false
  const lost = await adoptTransfers(ctx, transfer)
  const sent = [...(await readTransfers(ctx, idsOf(transfer))), ...lost]
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
      await noteTransfer(ctx, id, created)
      sent.push(created)
    } catch (error) {
      if (isStripeDenial(error) || isStripeFailure(error)) await noteRefusal(ctx, id, error)
      else if (!isStripeLimit(error)) await markUnknown(ctx, id)
      throw error
    }
  }
  await noteSums(ctx, transfer, sent)
  return true
}

/**
 * Counts a refusal or failure. Stripe repeats a stored response for the same idempotency key, and the count makes the
 * next key a new one. After a failure the call may have taken effect. The next attempt finds that out, because it reads
 * the transfers first.
 */
async function noteRefusal(ctx: Context, id: string, error: unknown): Promise<void> {
  const isUnknown = isStripeFailure(error)
  await ctx.sql(
    isUnknown ? 'payout-unknown' : 'payout-refused',
    `UPDATE "Transfer" SET "refusals" = "refusals" + 1, "lastError" = :reason${isUnknown ? `, ${MARK_UNKNOWN}` : ''}
      WHERE "id" = :id`,
    { id, reason: reasonOf(error) },
  )
}

/**
 * Notes that the answer to a request was lost. The next attempt repeats the request with the same key. If the amount
 * changes before, there may be no further attempt, and only a search finds what Stripe has done.
 */
async function markUnknown(ctx: Context, id: string): Promise<void> {
  await ctx.sql('payout-answer-lost', `UPDATE "Transfer" SET ${MARK_UNKNOWN} WHERE "id" = :id`, { id })
}

/**
 * Returns the connected account that is paid for an order. Returns null while the account is new or not ready, while
 * the order is disputed, and when the order will be refunded because its seller's account is closed.
 */
async function accountToSendTo(ctx: Context, orderId: string): Promise<string | null> {
  const [found] = await ctx.sql<{ account: string | null }>(
    'account-of-order',
    `SELECT u."stripeAccountId" AS "account" FROM "Order" o JOIN "User" u ON u."id" = o."sellerId"
      WHERE o."id" = :orderId AND o."status" <> 'disputed' AND ${payoutSums.canReceive('u')}
        AND NOT ${payoutSums.isLeftBehind('o', 'u')}`,
    { orderId },
  )
  return found?.account ?? null
}

/**
 * Records the sums at Stripe. The sums at Stripe only grow, so the larger value is kept. An older response then never
 * overwrites a newer one.
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
  await noteSettled(ctx, transfer.id)
}

/** Marks the payout as settled if its transferred amount is correct. Otherwise the row stays unchanged. */
async function noteSettled(ctx: Context, id: string): Promise<void> {
  await ctx.sql(
    'payout-settled',
    `UPDATE "Transfer" t SET "lastError" = NULL, "attempts" = 0, "reversalRefusedAt" = NULL,
            "state" = (CASE WHEN t."deductedCents" = t."amountCents" AND t."amountCents" > 0 THEN 'reversed' ELSE 'sent' END)::"TransferState"
      WHERE t."id" = :id AND ${payoutSums.out} = ${payoutSums.payable}`,
    { id },
  )
}

/**
 * Retries payouts that could not be settled right away, and waits longer after each attempt. An old debt is tried daily
 * and later weekly, because each try reads from Stripe (planStripeReads()) and later payouts pay the debt anyway. A
 * failure of one payout does not stop the others, unless Stripe is not available.
 * @returns how many payouts were tried without an error
 * @throws Stripe's error when Stripe is not available, after the other payouts were tried
 */
export async function settlePayouts(ctx: Context): Promise<number> {
  const due = await ctx.sql<{ id: string }>(
    'unsettled-payouts',
    `UPDATE "Transfer" SET "attempts" = "attempts" + 1,
            "nextAttemptAt" = now() + CASE WHEN "reversalRefusedAt" < now() - interval '7 days' THEN interval '7 days'
              WHEN "reversalRefusedAt" < now() - interval '1 day' THEN interval '1 day'
              ELSE make_interval(secs => LEAST(3600, 30 * power(2, LEAST("attempts", 7)))) END
      WHERE "id" IN (
        SELECT t."id" FROM "Transfer" t JOIN "Order" o ON o."id" = t."orderId" JOIN "User" u ON u."id" = t."sellerId"
         WHERE t."nextAttemptAt" <= now()
           AND (${payoutSums.isUnsettled} OR (t."reversalRefusedAt" IS NOT NULL AND ${payoutSums.debt} = 0))
           AND (${payoutSums.out} >= ${payoutSums.payable}
             OR (o."status" <> 'disputed' AND ${payoutSums.canReceive('u')} AND t."paidByHandAt" IS NULL
               AND NOT EXISTS (SELECT 1 FROM "Refund" r WHERE r."orderId" = o."id" AND r."state" = 'pending')))
         ORDER BY t."nextAttemptAt" LIMIT :limit FOR UPDATE OF t SKIP LOCKED)
      RETURNING "id"`,
    { limit: BATCH },
  )
  let settled = 0
  await eachUntilOutage(due, async ({ id }) => {
    try {
      await settlePayout(ctx, id)
      settled += 1
    } catch (error) {
      if (isStripeUnavailable(error)) throw error
      ctx.log.error({ transferId: id, cause: String(error) }, 'payout not settled')
    }
  })
  return settled
}
