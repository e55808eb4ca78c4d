import 'server-only'
import { SUSPENDED } from '@/lib/accounts/queries'
import { LIVE_DROP } from '@/lib/drops/queries'
import { type Context, sqlTransaction } from '@/lib/infra/context'
import { keyedHash } from '@/lib/infra/crypto'
import { newId } from '@/lib/kernel/id'
import { mailboxOf } from '@/lib/kernel/mailbox-of'
import { mailsParameter, queueMailSql } from '@/lib/notifications/queue-mail'
import type { QueuedMail } from '@/lib/notifications/compose-mail'
import { stockSql } from '@/lib/stock/stock-sql'
import { ABOVE_LIMIT } from './rules'

export type Payment = {
  intentId: string | null
  chargeId: string | null
  cardFeeCents: number | null
  settlementCurrency: string | null
  /** Stripe's name for the card; the same for every payment with it. */
  cardFingerprint: string | null
}

export type Buyer = {
  email: string | null
  name: string | null
  phone: string | null
  shipName: string | null
  line1: string | null
  line2: string | null
  city: string | null
  state: string | null
  postalCode: string | null
  country: string | null
}

type MarkPaidInput = {
  orderId: string
  holdId: string
  /** null for an order of the embedded checkout, which has a payment intent and no session. */
  sessionId: string | null
  payment: Payment
  buyer: Buyer
  transfer: { amountCents: number; dueAt: Date }
  /** The emails to queue when the buyer gets a unit. */
  mails: QueuedMail[]
}

/**
 * One statement updates the order, the hold and the stock and queues the emails, so that all of it happens exactly once
 * or not at all. A hold that is still held, of a drop without a limit per buyer, needs no more than that, and nearly every
 * hold is such a one.
 *
 * If the hold was released before, a unit is taken again when the drop is live and has one; otherwise the order is
 * refunded at once, with a Refund row recording that Stripe still has to be asked (docs/product.md#paid-too-late). The
 * same happens to an order above the seller's limit per buyer (docs/product.md#limit-per-buyer). The buyer and the hold's
 * row are then locked first, in separate statements: other payments of the same mailbox or card count, releasing a hold
 * updates the same row, and the statement after the locks sees the result.
 */
export async function markPaid(ctx: Context, input: MarkPaidInput): Promise<'paid' | 'already-paid' | 'no-unit'> {
  const { orderId, holdId, sessionId, buyer, transfer, mails } = input
  const { cardFingerprint, ...payment } = input.payment
  const mailboxKey = buyer.email ? keyedHash('buyer-mailbox', mailboxOf(buyer.email)).slice(0, 32) : null
  const cardKey = cardFingerprint ? keyedHash('buyer-card', cardFingerprint).slice(0, 32) : null
  const parameters = {
    orderId,
    holdId,
    sessionId,
    ...payment,
    ...buyer,
    mailboxKey,
    cardKey,
    transferId: newId('tra'),
    transferCents: transfer.amountCents,
    transferDueAt: transfer.dueAt,
    mails: mailsParameter(mails),
  }
  const [held] = await ctx.sql<{ isPaid: boolean }>('mark-held-paid', MARK_HELD_PAID, parameters)
  if (held?.isPaid) return 'paid'
  return sqlTransaction(ctx, async (tx) => {
    await tx.sql('lock-buyer', LOCK_BUYER, { orderId, mailboxKey, cardKey })
    await tx.sql('lock-hold', 'SELECT 1 FROM "Hold" WHERE "id" = :holdId FOR UPDATE', { holdId })
    const [outcome] = await tx.sql<{ isPaid: boolean; hasUnit: boolean }>('mark-paid', MARK_PAID, {
      ...parameters,
      refundId: newId('ref'),
      aboveLimit: ABOVE_LIMIT,
    })
    if (!outcome?.isPaid) return 'already-paid'
    return outcome.hasUnit ? 'paid' : 'no-unit'
  })
}

/** Payments of one mailbox or one card for a drop with a limit come one after the other, always in the same sequence. */
const LOCK_BUYER = `
  SELECT pg_advisory_xact_lock(hashtextextended(k."key", o."dropId")) FROM "Order" o
    JOIN "Drop" d ON d."id" = o."dropId" AND d."maxPerBuyer" IS NOT NULL,
    LATERAL (SELECT DISTINCT "key" FROM unnest(ARRAY[:mailboxKey::text, :cardKey::text]) AS u("key")
              WHERE "key" IS NOT NULL ORDER BY "key") k
   WHERE o."id" = :orderId`

/** The assignments of a paid order, of a row `o`. */
const PAID_ORDER = `
  "paidAt" = now(), "stripeSessionId" = :sessionId,
  "stripePaymentIntentId" = :intentId, "stripeChargeId" = :chargeId, "cardFeeCents" = :cardFeeCents,
  "settlementCurrency" = :settlementCurrency,
  "mailboxKey" = :mailboxKey, "cardKey" = :cardKey, "buyerEmail" = :email, "buyerName" = :name, "buyerPhone" = :phone,
  "shipName" = :shipName, "shipLine1" = :line1, "shipLine2" = :line2, "shipCity" = :city,
  "shipState" = :state, "shipPostalCode" = :postalCode, "shipCountry" = :country`

// The hold is locked before the order, as in every statement that changes both: two of them would otherwise wait for each
// other. The condition on its state is checked again after the lock.
const MARK_HELD_PAID = `
  WITH held AS MATERIALIZED (
    SELECT h."id", h."dropId", h."run", h."quantity" FROM "Hold" h
     WHERE h."id" = :holdId AND h."state" = 'held'
       AND NOT EXISTS (SELECT 1 FROM "Drop" d WHERE d."id" = h."dropId" AND d."maxPerBuyer" IS NOT NULL)
       FOR UPDATE OF h
  ), paid AS (
    UPDATE "Order" o SET ${PAID_ORDER}, "status" = 'paid'
      FROM held WHERE o."id" = :orderId AND o."holdId" = held."id" AND o."status" = 'pending'
    RETURNING o."id", o."sellerId", held."id" AS "holdId", held."dropId", held."run", held."quantity"
  ), kept AS (
    UPDATE "Hold" h SET "state" = 'sold', "settledAt" = now() FROM paid WHERE h."id" = paid."holdId"
  ), sold AS (
    UPDATE "Drop" d SET ${stockSql.sellHeld('paid."quantity"')} FROM paid WHERE d."id" = paid."dropId"
  ), run AS (
    UPDATE "DropRun" r SET ${stockSql.addToRun('paid."quantity"')} FROM paid
     WHERE r."dropId" = paid."dropId" AND r."run" = paid."run"
  ), transfer AS (
    INSERT INTO "Transfer" ("id", "orderId", "sellerId", "amountCents", "dueAt")
    SELECT :transferId, paid."id", paid."sellerId", :transferCents, :transferDueAt FROM paid
    ON CONFLICT DO NOTHING
  ), mail AS (
    ${queueMailSql('CROSS JOIN paid')}
  )
  SELECT EXISTS (SELECT 1 FROM paid) AS "isPaid"`

/** A hold that was taken before the end of the drop and gave its units back stays payable until its own deadline. */
const STAYS_PAYABLE = `(unpaid."reason" = 'yielded' AND d."run" = unpaid."run" AND d."hiddenAt" IS NULL
  AND d."moderation" = 'allowed' AND u."deletedAt" IS NULL AND NOT ${SUSPENDED})`

const MARK_PAID = `
  WITH unpaid AS (
    SELECT o."id", o."holdId", o."dropId", o."quantity", o."sellerId", o."amountCents", o."platformFeeCents", h."run", h."reason"
      FROM "Order" o JOIN "Hold" h ON h."id" = o."holdId"
     WHERE o."id" = :orderId AND o."status" IN ('pending', 'expired') FOR UPDATE OF o
  ), within AS (
    SELECT d."maxPerBuyer" IS NULL OR unpaid."quantity" + (
             SELECT COALESCE(sum(b."quantity"), 0) FROM "Order" b JOIN "Hold" h ON h."id" = b."holdId"
              WHERE b."dropId" = unpaid."dropId" AND h."run" = unpaid."run" AND b."id" <> unpaid."id"
                AND b."paidAt" IS NOT NULL AND b."status" <> 'refunded'
                AND (b."mailboxKey" = :mailboxKey OR b."cardKey" = :cardKey)) <= d."maxPerBuyer" AS "limit"
      FROM unpaid JOIN "Drop" d ON d."id" = unpaid."dropId"
  ), kept AS (
    UPDATE "Hold" h SET "state" = 'sold', "settledAt" = now() FROM unpaid, within
     WHERE h."id" = unpaid."holdId" AND h."state" = 'held' AND within."limit" RETURNING h."dropId", h."quantity"
  ), above AS (
    UPDATE "Hold" h SET "state" = 'released', "reason" = 'above-limit', "settledAt" = now() FROM unpaid, within
     WHERE h."id" = unpaid."holdId" AND h."state" = 'held' AND NOT within."limit" RETURNING h."dropId", h."quantity"
  ), freed AS (
    UPDATE "Drop" d SET ${stockSql.release('above."quantity"')} FROM above WHERE d."id" = above."dropId"
  ), sold AS (
    UPDATE "Drop" d SET ${stockSql.sellHeld('kept."quantity"')}
      FROM kept WHERE d."id" = kept."dropId" RETURNING d."id"
  ), retaken AS (
    UPDATE "Drop" d SET ${stockSql.sellFree('unpaid."quantity"')}
      FROM unpaid, within, "User" u
     WHERE within."limit" AND NOT EXISTS (SELECT 1 FROM kept) AND d."id" = unpaid."dropId" AND u."id" = d."userId" AND (${LIVE_DROP} OR ${STAYS_PAYABLE})
       AND ${stockSql.free} >= unpaid."quantity"
    RETURNING d."id"
  ), late AS (
    UPDATE "Hold" h SET "state" = 'sold', "settledAt" = now() FROM unpaid, retaken
     WHERE h."id" = unpaid."holdId" RETURNING h."id"
  ), unit AS (
    SELECT EXISTS (SELECT 1 FROM sold UNION ALL SELECT 1 FROM late) AS "isThere"
  ), paid AS (
    UPDATE "Order" o SET ${PAID_ORDER},
           "status" = (CASE WHEN unit."isThere" THEN 'paid' ELSE 'refunded' END)::"OrderStatus",
           "refundedCents" = CASE WHEN unit."isThere" THEN 0 ELSE unpaid."amountCents" END
      FROM unpaid, unit WHERE o."id" = unpaid."id" RETURNING o."id"
  ), run AS (
    UPDATE "DropRun" r SET ${stockSql.addToRun('unpaid."quantity"')} FROM unpaid, unit
     WHERE r."dropId" = unpaid."dropId" AND r."run" = unpaid."run" AND unit."isThere"
  ), transfer AS (
    INSERT INTO "Transfer" ("id", "orderId", "sellerId", "amountCents", "dueAt")
    SELECT :transferId, unpaid."id", unpaid."sellerId", :transferCents, :transferDueAt FROM unpaid, unit WHERE unit."isThere"
    ON CONFLICT DO NOTHING
  ), refund AS (
    INSERT INTO "Refund" ("id", "orderId", "amountCents", "platformFeeCents", "reason", "requestedBy")
    SELECT :refundId, unpaid."id", unpaid."amountCents", unpaid."platformFeeCents",
           CASE WHEN within."limit" THEN 'no unit left' ELSE :aboveLimit END, 'system'
      FROM unpaid, unit, within WHERE NOT unit."isThere"
  ), mail AS (
    ${queueMailSql('CROSS JOIN unpaid CROSS JOIN unit WHERE unit."isThere"')}
  )
  SELECT EXISTS (SELECT 1 FROM paid) AS "isPaid", (SELECT "isThere" FROM unit) AS "hasUnit"`
