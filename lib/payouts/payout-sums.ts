import 'server-only'
import { refundSql } from '@/lib/stock/refund-sql'

/**
 * The sums of one payout, as SQL over a "Transfer" row `t`. They are in one place because the payout that is sent, the
 * debt that is withheld and the amounts on the seller's screen must never disagree. All sums are in whole cents.
 */

/**
 * The amount that the seller should receive for this order in the end. If it is negative, the seller owes that much in
 * addition to returning what was sent.
 */
const target = `(t."amountCents" - t."deductedCents" - t."feeOwedCents" - t."withheldCents" + t."recoveredCents")`

/**
 * The amount that the seller earned with this order, regardless of what was withheld from its payout or paid toward
 * its debt.
 */
const earned = `(t."amountCents" - t."deductedCents" - t."feeOwedCents")`

/** The amount that the seller's account has received for this order, less reversals. */
const out = `(coalesce(t."sentCents", 0) + t."sentAgainCents" - t."reversedAtStripeCents")`

/** The total that should be transferred for this order: the target, but never less than zero. */
const payable = `GREATEST(0, ${target})`

/**
 * The amount that the seller owes for this order and that later payouts must cover. A target below zero always counts.
 * An overpaid amount counts only once Stripe has refused to reverse it, because until then the reversal returns it.
 */
const debt = `(CASE WHEN t."reversalRefusedAt" IS NOT NULL THEN GREATEST(0, ${out} - ${target})
  ELSE GREATEST(0, -${target}) END)`

/**
 * Whether the amount that was paid out differs from the amount that should be paid out. The partial index
 * "Transfer_unsettled_idx" has the same predicate.
 */
const isUnsettled = `(t."sentAt" IS NOT NULL AND ${out} <> ${payable})`

/** Whether a part of a payout that has left is due again, because a refund or a dispute of its order failed later. */
const isMissing = `(${isUnsettled} AND ${out} < ${payable})`

/** The predicate of the partial index "Transfer_debt_idx": only these rows can be in debt. */
const mayBeInDebt = `(t."feeOwedCents" > 0 OR t."reversalRefusedAt" IS NOT NULL OR t."withheldCents" > 0)`

/**
 * Whether Stripe cannot send a payout, because it settled its payment, order `o`, in another currency than the order's.
 */
const isUnsendable = `(t."sentCents" IS NULL AND o."settlementCurrency" <> o."currency")`

/** Whether an amount waits to be paid by hand, because Stripe cannot send the payout. */
const isInOtherCurrency = `(t."state" = 'waiting' AND ${isUnsendable} AND ${payable} > 0)`

/** Whether nothing is left to pay by hand, because debts, the card fee and deductions take the whole payout. */
const isEmptyByHand = `(t."state" = 'waiting' AND ${isUnsendable} AND ${payable} = 0)`

/**
 * Whether a payout that was paid by hand needs a further payment, because a refund that had reduced it failed later.
 * The partial index "Transfer_paid_short_idx" has the same predicate.
 */
const isPaidShort = `(t."paidByHandAt" IS NOT NULL AND ${out} < ${payable})`

/**
 * Whether a payment by hand may be recorded. The money is paid before it is recorded, so this is also true for a payout
 * that a refund, a lost dispute or a debt has reduced to nothing in between. The seller then owes what was paid.
 */
const isPayableByHand = `((t."state" IN ('waiting', 'reversed') AND ${isUnsendable}) OR ${isPaidShort}
  OR (t."paidByHandAt" IS NOT NULL AND t."sentCents" = 0 AND t."sentAgainCents" = 0))`

/**
 * Whether the bank has not decided about the payment of order `o` yet. An order stays `disputed` after its dispute was
 * lost, although the bank has decided and nothing is on hold anymore.
 */
const isOnHold = `(o."status" = 'disputed'
  AND EXISTS (SELECT 1 FROM "Dispute" b WHERE b."orderId" = o."id" AND b."closedAt" IS NULL))`

/** Whether the payout of an order `o` may leave: it is paid, and neither refunded in full nor disputed. */
const isForPaidOrder = (o: string) => `${o}."status" IN ('paid', 'shipped', 'delivered', 'done')`

/**
 * Whether the account of the seller `u` is closed, so that the order `o`, which nobody will deliver, is refunded
 * (lib/refunds/refund-closed-accounts.ts). Its money stays with the platform until then. The same applies to an order
 * whose refund the bank has rejected since. The administrators then pay the buyer in another way.
 */
const isLeftBehind = (o: string, u: string) =>
  `(${u}."deletedAt" IS NOT NULL AND (${o}."status" = 'paid' AND ${o}."productType" <> 'digital' OR EXISTS (
    SELECT 1 FROM "Refund" f WHERE f."orderId" = ${o}."id" AND f."state" = 'failed' AND f."settledAt" >= ${u}."deletedAt")))`

/** Whether the card fee of an order `o` is known, or Stripe has not reported it within a day of the payment. */
const isFeeSettled = (o: string) => `(${o}."cardFeeCents" IS NOT NULL OR ${o}."paidAt" < now() - interval '1 day')`

/**
 * Whether the money of order `o` is the seller's to keep: the order is paid and not disputed, its card fee is known, no
 * refund of it is pending, and it is not left behind by the closed account of the seller `u`. Only such a payout is
 * sent, and only such a payout pays a debt.
 */
const isEarned = (o: string, u: string) =>
  `(${isForPaidOrder(o)} AND ${isFeeSettled(o)} AND NOT ${isLeftBehind(o, u)}
    AND NOT EXISTS (SELECT 1 FROM "Refund" r WHERE r."orderId" = ${o}."id" AND r."state" = 'pending'))`

/**
 * Until when no money is sent to the seller `u`: a new account waits for a while (ADR 0069), and an administrator may
 * have stopped the payouts. GREATEST ignores a missing value.
 */
const nothingSentBefore = (u: string) => `GREATEST(${u}."payoutsHeldUntil", ${u}."payoutsStoppedUntil")`

/** Whether nothing holds back the payouts of the seller `u` now. */
const isNotHeldBack = (u: string) => `(${nothingSentBefore(u)} IS NULL OR ${nothingSentBefore(u)} <= now())`

/** Whether money may be sent to the connected account of the seller `u`: it is ready, and nothing holds it back. */
const canReceive = (u: string) => `(${u}."payoutsState" = 'ready' AND ${isNotHeldBack(u)})`

/**
 * Whether order `o` is a parcel with a promised day that still has to be shipped. If the day passes, the buyer is
 * refunded by rule, whatever the seller's account has (docs/product.md#late-parcels). An order whose units were all
 * refunded is never late, even if its seller kept the surcharge.
 */
const isPromisedParcel = (o: string) =>
  `(${o}."productType" = 'physical' AND ${o}."status" = 'paid' AND ${o}."shipsBy" IS NOT NULL
    AND NOT ${refundSql.areGoodsRefunded(o)})`

/** Whether the payout of order `o` and seller `u` can be sent, apart from the time and from shipping. */
const isSendable = (
  o: string,
  u: string,
) => `(${u}."stripeAccountId" IS NOT NULL AND ${canReceive(u)} AND ${isEarned(o, u)}
  AND coalesce(${o}."settlementCurrency", ${o}."currency") = ${o}."currency")`

/**
 * Whether nothing but the next attempt stands between the payout `t` of order `o` and its seller `u`. A payout that was
 * requested from Stripe before is due whatever has happened to its order since, because it may have been sent.
 */
const isDue = (t: string, o: string, u: string) =>
  `(${t}."state" = 'waiting' AND ${t}."dueAt" <= now() AND ${u}."stripeAccountId" IS NOT NULL
    AND (${t}."sentCents" IS NOT NULL AND ${isNotHeldBack(u)} OR ${isSendable(o, u)} AND NOT ${isPromisedParcel(o)}))`

export const payoutSums = {
  target,
  earned,
  out,
  payable,
  debt,
  isUnsettled,
  isMissing,
  mayBeInDebt,
  isInOtherCurrency,
  isEmptyByHand,
  isPaidShort,
  isPayableByHand,
  isOnHold,
  canReceive,
  nothingSentBefore,
  isNotHeldBack,
  isForPaidOrder,
  isLeftBehind,
  isEarned,
  isFeeSettled,
  isPromisedParcel,
  isSendable,
  isDue,
} as const
