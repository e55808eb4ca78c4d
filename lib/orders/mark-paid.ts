import 'server-only'
import { LIVE_DROP } from '@/lib/drops/queries'
import { type Context, sqlTransaction } from '@/lib/infra/context'
import { newId } from '@/lib/kernel/id'
import { mailsParameter, queueMailSql } from '@/lib/notifications/queue-mail'
import type { QueuedMail } from '@/lib/notifications/compose-mail'
import { stockSql } from '@/lib/stock/stock-sql'

export type Payment = {
  intentId: string | null
  chargeId: string | null
  cardFeeCents: number | null
  settlementCurrency: string | null
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
 * or not at all. A hold that is still held, which nearly every hold is, needs no more than that.
 *
 * If the hold was released before, a unit is taken again when the drop is live and has one; otherwise the order is
 * refunded at once, with a Refund row recording that Stripe still has to be asked (docs/product.md#paid-too-late). The
 * hold's row is then locked first, in a separate statement: releasing a hold updates the same row, and the statement
 * after the lock sees the result.
 */
export async function markPaid(ctx: Context, input: MarkPaidInput): Promise<'paid' | 'already-paid' | 'no-unit'> {
  const { orderId, holdId, sessionId, payment, buyer, transfer, mails } = input
  const parameters = {
    orderId,
    holdId,
    sessionId,
    ...payment,
    ...buyer,
    transferId: newId('tra'),
    transferCents: transfer.amountCents,
    transferDueAt: transfer.dueAt,
    mails: mailsParameter(mails),
  }
  const [held] = await ctx.sql<{ isPaid: boolean }>('mark-held-paid', MARK_HELD_PAID, parameters)
  if (held?.isPaid) return 'paid'
  return sqlTransaction(ctx, async (tx) => {
    await tx.sql('lock-hold', 'SELECT 1 FROM "Hold" WHERE "id" = :holdId FOR UPDATE', { holdId })
    const [outcome] = await tx.sql<{ isPaid: boolean; hasUnit: boolean }>('mark-paid', MARK_PAID, {
      ...parameters,
      refundId: newId('ref'),
    })
    if (!outcome?.isPaid) return 'already-paid'
    return outcome.hasUnit ? 'paid' : 'no-unit'
  })
}

/** The assignments of a paid order, of a row `o`. */
const PAID_ORDER = `
  "paidAt" = now(), "stripeSessionId" = :sessionId,
  "stripePaymentIntentId" = :intentId, "stripeChargeId" = :chargeId, "cardFeeCents" = :cardFeeCents,
  "settlementCurrency" = :settlementCurrency,
  "buyerEmail" = :email, "buyerName" = :name, "buyerPhone" = :phone,
  "shipName" = :shipName, "shipLine1" = :line1, "shipLine2" = :line2, "shipCity" = :city,
  "shipState" = :state, "shipPostalCode" = :postalCode, "shipCountry" = :country`

// The hold is locked before the order, as in every statement that changes both: two of them would otherwise wait for each
// other. The condition on its state is checked again after the lock.
const MARK_HELD_PAID = `
  WITH held AS MATERIALIZED (
    SELECT h."id", h."dropId", h."run", h."quantity" FROM "Hold" h
     WHERE h."id" = :holdId AND h."state" = 'held' FOR UPDATE
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

const MARK_PAID = `
  WITH unpaid AS (
    SELECT o."id", o."holdId", o."dropId", o."quantity", o."sellerId", o."amountCents", o."platformFeeCents", h."run"
      FROM "Order" o JOIN "Hold" h ON h."id" = o."holdId"
     WHERE o."id" = :orderId AND o."status" IN ('pending', 'expired') FOR UPDATE OF o
  ), kept AS (
    UPDATE "Hold" h SET "state" = 'sold', "settledAt" = now() FROM unpaid
     WHERE h."id" = unpaid."holdId" AND h."state" = 'held' RETURNING h."dropId", h."quantity"
  ), sold AS (
    UPDATE "Drop" d SET ${stockSql.sellHeld('kept."quantity"')}
      FROM kept WHERE d."id" = kept."dropId" RETURNING d."id"
  ), retaken AS (
    UPDATE "Drop" d SET ${stockSql.sellFree('unpaid."quantity"')}
      FROM unpaid, "User" u
     WHERE NOT EXISTS (SELECT 1 FROM kept) AND d."id" = unpaid."dropId" AND u."id" = d."userId" AND ${LIVE_DROP}
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
    SELECT :refundId, unpaid."id", unpaid."amountCents", unpaid."platformFeeCents", 'no unit left', 'system'
      FROM unpaid, unit WHERE NOT unit."isThere"
  ), mail AS (
    ${queueMailSql('CROSS JOIN unpaid CROSS JOIN unit WHERE unit."isThere"')}
  )
  SELECT EXISTS (SELECT 1 FROM paid) AS "isPaid", (SELECT "isThere" FROM unit) AS "hasUnit"`
