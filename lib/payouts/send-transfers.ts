import 'server-only'
import type Stripe from 'stripe'
import { type Context, sqlTransaction } from '@/lib/infra/context'
import { isStripeDenial, isStripeFailure, isStripeKeyReused, isStripeUnavailable } from '@/lib/infra/stripe-errors'
import { eachUntilOutage } from '@/lib/infra/each-until-outage'
import { refundSql } from '@/lib/stock/refund-sql'
import { findTransfers } from './find-transfers'
import { MARK_UNKNOWN } from './mark-unknown'
import { MOST_UNSHIPPED_CENTS, reasonOf } from './rules'
import { payoutSums } from './payout-sums'
import { recordSent, type Sent } from './record-sent'
import { settlePayout } from './settle-payouts'
import { syncPayoutAccount } from './sync-payout-account'
import { withholdDebts } from './withhold-debts'

const BATCH = 50

type DueTransfer = {
  id: string
  orderId: string
  sellerId: number
  sentCents: number
  attempts: number
  refusals: number
  destination: string
  chargeId: string | null
}

/** The assignments that reserve a payout, and what is returned about it. */
const RESERVE = `"sentCents" = coalesce(t."sentCents", ${payoutSums.payable}),
         "frozenAt" = coalesce(t."frozenAt", now()),
         "destination" = coalesce(t."destination", u."stripeAccountId"),
         "attempts" = t."attempts" + 1,
         "nextAttemptAt" = now() + make_interval(secs => LEAST(3600, 60 * power(2, LEAST(t."attempts", 6))))
    FROM "Order" o, "User" u
   WHERE o."id" = t."orderId" AND u."id" = t."sellerId"`
const RESERVED = `RETURNING t."id", t."orderId", t."sellerId", t."sentCents", t."attempts", t."refusals", t."destination",
            o."stripeChargeId" AS "chargeId"`

/**
 * Reserves the payouts that are due, and fixes their amount and destination in the same statement. A later refund is
 * then deducted by a reversal. A payout that was requested from Stripe before is looked for at Stripe and, unless its
 * order was refunded or disputed since, completed (giveUpUnsent()), but not while an administrator has stopped the
 * seller's payouts. While a refund is pending, the payout waits for its result. A payment that Stripe settles in a
 * currency other than dollars waits for an operator, because a transfer from it would be refused (closeEmptyPayouts()
 * and record-hand-payment.ts complete it). Parcels with a promised day that are not shipped are left to
 * RESERVE_UNSHIPPED. New payouts of `exceptSellers` wait.
 */
const RESERVE_DUE = `
  UPDATE "Transfer" t SET ${RESERVE}
     AND t."id" IN (
       SELECT w."id" FROM "Transfer" w JOIN "Order" p ON p."id" = w."orderId" JOIN "User" s ON s."id" = w."sellerId"
        WHERE ${payoutSums.isDue('w', 'p', 's')} AND w."nextAttemptAt" <= now()
          AND (w."sentCents" IS NOT NULL OR w."sellerId" <> ALL(:exceptSellers::int[]))
          AND (:sellerId::int IS NULL OR w."sellerId" = :sellerId)
        ORDER BY w."dueAt" LIMIT :limit FOR UPDATE OF w SKIP LOCKED)
  ${RESERVED}`

/**
 * Reserves due payouts of parcels with a promised day that are not shipped, the smallest first, while their sum and
 * what the seller already has for such parcels is at most MOST_UNSHIPPED_CENTS. A payout that does not fit waits
 * until its parcel is shipped, so it must not hold up smaller ones. While the seller owes money for other orders,
 * none of them is sent: debts are not withheld from such parcels (IS_WITHHOLDABLE in withhold-debts.ts), and the
 * seller would be paid although the debt grows. Call it under a lock, so that two processes do not add up the same
 * sum.
 */
const RESERVE_UNSHIPPED = `
  WITH due AS (
    SELECT w."id", w."sellerId", w."dueAt",
           sum(w."amountCents" - w."deductedCents") OVER (
             PARTITION BY w."sellerId" ORDER BY w."amountCents" - w."deductedCents", w."id") AS "cents"
      FROM "Transfer" w JOIN "Order" p ON p."id" = w."orderId" JOIN "User" s ON s."id" = w."sellerId"
     WHERE w."state" = 'waiting' AND w."sentCents" IS NULL AND w."dueAt" <= now() AND w."nextAttemptAt" <= now()
       AND ${payoutSums.isSendable('p', 's')} AND ${payoutSums.isPromisedParcel('p')}
       AND w."amountCents" - w."deductedCents" <= ${MOST_UNSHIPPED_CENTS}
       AND NOT EXISTS (SELECT 1 FROM "Transfer" t WHERE t."sellerId" = w."sellerId" AND ${payoutSums.mayBeInDebt}
                          AND ${payoutSums.debt} > 0)
       AND (:sellerId::int IS NULL OR w."sellerId" = :sellerId)
  )
  UPDATE "Transfer" t SET ${RESERVE} AND t."sentCents" IS NULL AND t."nextAttemptAt" <= now() AND t."id" IN (
       SELECT due."id" FROM due
        WHERE due."cents" + COALESCE((
                SELECT sum(x."sentCents" + x."sentAgainCents" - x."reversedAtStripeCents")
                  FROM "Order" q JOIN "Transfer" x ON x."orderId" = q."id"
                 WHERE q."sellerId" = due."sellerId" AND q."productType" = 'physical' AND q."shipsBy" IS NOT NULL
                   AND q."status" IN ('paid', 'disputed') AND q."shippedAt" IS NULL AND NOT ${refundSql.areGoodsRefunded('q')}
                   AND x."sentCents" IS NOT NULL), 0)
              <= ${MOST_UNSHIPPED_CENTS}
        ORDER BY due."dueAt" LIMIT :limit)
  ${RESERVED}`

/**
 * Sends the payouts that are due to accounts that are ready, less what their sellers owe for other orders
 * (docs/product.md#when-a-payout-is-sent). A failed payout is retried, each time after a longer pause, and never sent
 * twice.
 * @param sellerId only this seller; null for all sellers.
 * @returns how many payouts were sent
 * @throws Stripe's error when Stripe is not available, after the other payouts were tried
 */
export async function sendTransfers(ctx: Context, sellerId: number | null = null): Promise<number> {
  const exceptSellers = await withholdDebts(ctx, sellerId)
  await closeEmptyPayouts(ctx, sellerId)
  const due = await ctx.sql<DueTransfer>('lease-transfers', RESERVE_DUE, { limit: BATCH, sellerId, exceptSellers })
  due.push(...(await leaseUnshipped(ctx, sellerId)))
  let sent = 0
  // The payouts of a batch wait equally long for their next attempt, so one on which Stripe always fails would keep
  // those after it waiting each time.
  await eachUntilOutage(due, async (transfer) => {
    try {
      if (await send(ctx, transfer)) sent += 1
    } catch (error) {
      await noteFailure(ctx, transfer, error)
      if (isStripeUnavailable(error)) throw error
    }
  })
  return sent
}

/** Reserves payouts with RESERVE_UNSHIPPED, one process at a time. */
function leaseUnshipped(ctx: Context, sellerId: number | null): Promise<DueTransfer[]> {
  return sqlTransaction(ctx, async (tx) => {
    await tx.sql('lock-unshipped-payouts', `SELECT pg_advisory_xact_lock(hashtextextended('unshipped-payouts', 0))`)
    return tx.sql<DueTransfer>('lease-unshipped-payouts', RESERVE_UNSHIPPED, { limit: BATCH, sellerId })
  })
}

/**
 * Completes the due payouts that Stripe cannot send and of which nothing is left to pay, because debts, the card fee
 * and deductions take all of it. They would otherwise wait forever. They count as paid by hand, so that an amount that
 * becomes due later is listed for an administrator and not sent through Stripe.
 */
async function closeEmptyPayouts(ctx: Context, sellerId: number | null): Promise<void> {
  await ctx.sql(
    'close-empty-payouts',
    `UPDATE "Transfer" t SET "state" = 'sent', "sentCents" = 0, "frozenAt" = now(), "sentAt" = now(),
            "paidByHandAt" = now(), "destination" = NULL, "lastError" = NULL, "attempts" = 0
       FROM "Order" o
      WHERE o."id" = t."orderId" AND ${payoutSums.isEmptyByHand} AND t."dueAt" <= now()
        AND ${payoutSums.isForPaidOrder('o')} AND ${payoutSums.isFeeSettled('o')}
        AND (:sellerId::int IS NULL OR t."sellerId" = :sellerId)`,
    { sellerId },
  )
}

/** Sends a reserved payout. Returns false when it is no longer due (giveUpUnsent()). */
async function send(ctx: Context, transfer: DueTransfer): Promise<boolean> {
  const { id, orderId } = transfer
  const [first, ...others] = await createOnce(ctx, transfer)
  if (!first) return false
  await recordSent(ctx, id, first)
  for (const other of others) await recordSent(ctx, id, other)
  ctx.log.info({ orderId, amountCents: first.amount }, 'transfer sent')
  await settlePayout(ctx, id)
  return true
}

/**
 * Creates the transfer, or finds what earlier attempts have created, which is more than one transfer only if Stripe has
 * carried out a request that had failed before. Stripe may forget an idempotency key after a day, so its transfers are
 * searched before every further attempt. Without the search, the seller could be paid twice.
 * @returns no transfer when the payout is no longer due
 */
async function createOnce(ctx: Context, transfer: DueTransfer): Promise<Sent[]> {
  const { orderId, destination } = transfer
  if (transfer.attempts > 1) {
    const known = await findTransfers(ctx, orderId)
    if (known.length > 0) return known
    if (await giveUpUnsent(ctx, transfer)) return []
  }
  if (transfer.sentCents === 0) return [{ id: null, amount: 0, destination }]
  try {
    return [await create(ctx, transfer)]
  } catch (error) {
    await noteAnswer(ctx, transfer, error)
    throw error
  }
}

/**
 * Releases a reserved payout of which the search has found no transfer, if its order was refunded or disputed since.
 * Otherwise the seller would get money that Stripe may not be able to take back. What is left of the payout is reserved
 * again once it is earned. An earlier request may take effect after all. The destination and the idempotency key
 * therefore stay, so that the next attempt repeats it. For a payout that is never due again, adoptLateTransfers() finds
 * its transfer.
 * @returns whether the payout was released
 */
async function giveUpUnsent(ctx: Context, { id, orderId }: DueTransfer): Promise<boolean> {
  const released = await ctx.sql(
    'give-up-unsent',
    `UPDATE "Transfer" t SET "sentCents" = NULL, "state" = ${STATE_UNSENT}, ${MARK_UNKNOWN} FROM "Order" o, "User" u
      WHERE t."id" = :id AND t."state" = 'waiting' AND o."id" = t."orderId" AND u."id" = t."sellerId"
        AND (NOT ${payoutSums.isEarned('o', 'u')} OR ${payoutSums.payable} < t."sentCents")
      RETURNING t."id"`,
    { id },
  )
  if (released.length > 0) ctx.log.info({ orderId }, 'an unsent payout is no longer due')
  return released.length > 0
}

/** The assignments that open the amount and the destination of an unsent payout again, and its state afterwards. */
const RELEASE = `"sentCents" = NULL, "frozenAt" = NULL, "destination" = NULL`
const STATE_UNSENT = `CASE WHEN t."amountCents" > 0 AND t."deductedCents" = t."amountCents"
  THEN 'reversed'::"TransferState" ELSE t."state" END`

function create(ctx: Context, transfer: DueTransfer): Promise<Stripe.Transfer> {
  const { orderId, destination, chargeId, sentCents, refusals } = transfer
  return ctx.stripe().transfers.create(
    {
      amount: sentCents,
      currency: 'usd',
      destination,
      metadata: { orderId },
      // The transfer is made from this payment, whose money need not be available yet. Stripe then gives the
      // transfer the payment's transfer group.
      ...(chargeId ? { source_transaction: chargeId } : { transfer_group: orderId }),
    },
    { idempotencyKey: refusals === 0 ? `transfer-${orderId}` : `transfer-${orderId}-${refusals}` },
  )
}

/**
 * Records what Stripe answered instead of creating a transfer. After a refusal nothing was sent, so the amount may
 * change again, and the account is read again. After a server error at Stripe the result is unknown, so the amount
 * stays fixed and the next attempt searches first. Stripe stores both responses under their key, so the next attempt
 * uses another key. An error of the search says nothing about the transfer of an earlier attempt, so it must not lead
 * here.
 */
async function noteAnswer(ctx: Context, transfer: DueTransfer, error: unknown): Promise<void> {
  const isDenied = isStripeDenial(error) && !isStripeKeyReused(error)
  const isKeySpent = isStripeDenial(error) || isStripeFailure(error)
  if (!isKeySpent) return
  await ctx.sql(
    isDenied ? 'transfer-denied' : 'transfer-not-created',
    `UPDATE "Transfer" t SET "refusals" = t."refusals" + 1, ${isDenied ? `${RELEASE}, "state" = ${STATE_UNSENT}` : MARK_UNKNOWN}
      WHERE t."id" = :id AND t."state" = 'waiting'`,
    { id: transfer.id },
  )
  if (!isDenied) return
  await syncPayoutAccount(ctx, transfer.sellerId).catch((reason: unknown) => {
    ctx.log.warn({ sellerId: transfer.sellerId, cause: String(reason) }, 'payout account not read')
  })
}

/** Records why a payout was not sent, for administrators. */
async function noteFailure(ctx: Context, { id, orderId }: DueTransfer, error: unknown): Promise<void> {
  ctx.log.error({ orderId, cause: String(error) }, 'transfer not sent')
  await ctx.sql(
    'transfer-failed',
    `UPDATE "Transfer" SET "lastError" = :reason WHERE "id" = :id AND "state" IN ('waiting', 'reversed') AND "sentAt" IS NULL`,
    { id, reason: reasonOf(error) },
  )
}
