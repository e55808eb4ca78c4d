import 'server-only'
import { LIVE_DROP } from '@/lib/drops/queries'
import { inTransaction } from '@/lib/infra/db'
import { newId } from '@/lib/kernel/id'
import type { QueuedMail } from '@/lib/notifications/compose-mail'

export type Payment = { intentId: string | null; chargeId: string | null; cardFeeCents: number | null }

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
  /** null for an order of the embedded form: that has an intent only. */
  sessionId: string | null
  payment: Payment
  buyer: Buyer
  transfer: { amountCents: number; dueAt: Date }
  /** Queued when the buyer gets a unit. */
  mails: QueuedMail[]
}

/**
 * One statement moves order, hold and stock and queues the mails: all of it or nothing, once. A hold that was given
 * back takes a unit anew when the drop is live and has one; when it has none the order is refunded on the spot, with a
 * Refund row that says that Stripe still has to be told (DECISIONS 5).
 *
 * The hold's row is locked first, in a statement of its own: whoever releases it goes through the same row, and the
 * statement after the lock sees what they did.
 */
export function markPaid(input: MarkPaidInput): Promise<'paid' | 'already-paid' | 'no-unit'> {
  const { payment, buyer, transfer, mails } = input
  return inTransaction(async (client) => {
    await client.query({
      name: 'lock-hold',
      text: 'SELECT 1 FROM "Hold" WHERE "id" = $1 FOR UPDATE',
      values: [input.holdId],
    })
    const { rows } = await client.query<{ isPaid: boolean; hasUnit: boolean }>({
      name: 'mark-paid',
      text: MARK_PAID,
      values: [
        input.orderId,
        input.sessionId,
        payment.intentId,
        payment.chargeId,
        payment.cardFeeCents,
        buyer.email,
        buyer.name,
        buyer.phone,
        buyer.shipName,
        buyer.line1,
        buyer.line2,
        buyer.city,
        buyer.state,
        buyer.postalCode,
        buyer.country,
        newId('tra'),
        transfer.amountCents,
        transfer.dueAt,
        mails.map((mail) => mail.dedupeKey),
        mails.map((mail) => mail.to),
        mails.map((mail) => mail.subject),
        mails.map((mail) => mail.text),
        mails.map((mail) => JSON.stringify(mail.content)),
        newId('ref'),
      ],
    })
    if (!rows[0]?.isPaid) return 'already-paid'
    return rows[0].hasUnit ? 'paid' : 'no-unit'
  })
}

const MARK_PAID = `
  WITH unpaid AS (
    SELECT o."id", o."holdId", o."dropId", o."quantity", o."sellerId", o."amountCents", o."platformFeeCents", h."run"
      FROM "Order" o JOIN "Hold" h ON h."id" = o."holdId"
     WHERE o."id" = $1 AND o."status" IN ('pending', 'expired') FOR UPDATE OF o
  ), kept AS (
    UPDATE "Hold" h SET "state" = 'sold', "settledAt" = now() FROM unpaid
     WHERE h."id" = unpaid."holdId" AND h."state" = 'held' RETURNING h."dropId", h."quantity"
  ), sold AS (
    UPDATE "Drop" d SET "held" = d."held" - kept."quantity", "sold" = d."sold" + kept."quantity",
           "purchases" = d."purchases" + kept."quantity"
      FROM kept WHERE d."id" = kept."dropId" RETURNING d."id"
  ), retaken AS (
    UPDATE "Drop" d SET "sold" = d."sold" + unpaid."quantity", "purchases" = d."purchases" + unpaid."quantity"
      FROM unpaid, "User" u
     WHERE NOT EXISTS (SELECT 1 FROM kept) AND d."id" = unpaid."dropId" AND u."id" = d."userId" AND ${LIVE_DROP}
       AND d."quantity" - d."sold" - d."held" >= unpaid."quantity"
    RETURNING d."id"
  ), late AS (
    UPDATE "Hold" h SET "state" = 'sold', "settledAt" = now() FROM unpaid, retaken
     WHERE h."id" = unpaid."holdId" RETURNING h."id"
  ), unit AS (
    SELECT EXISTS (SELECT 1 FROM sold UNION ALL SELECT 1 FROM late) AS "isThere"
  ), paid AS (
    UPDATE "Order" o SET "paidAt" = now(), "stripeSessionId" = $2, "stripePaymentIntentId" = $3, "stripeChargeId" = $4,
           "cardFeeCents" = $5, "buyerEmail" = $6, "buyerName" = $7, "buyerPhone" = $8, "shipName" = $9,
           "shipLine1" = $10, "shipLine2" = $11, "shipCity" = $12, "shipState" = $13, "shipPostalCode" = $14,
           "shipCountry" = $15,
           "status" = (CASE WHEN unit."isThere" THEN 'paid' ELSE 'refunded' END)::"OrderStatus",
           "refundedCents" = CASE WHEN unit."isThere" THEN 0 ELSE unpaid."amountCents" END
      FROM unpaid, unit WHERE o."id" = unpaid."id" RETURNING o."id"
  ), run AS (
    UPDATE "DropRun" r SET "sold" = r."sold" + unpaid."quantity" FROM unpaid, unit
     WHERE r."dropId" = unpaid."dropId" AND r."run" = unpaid."run" AND unit."isThere"
  ), transfer AS (
    INSERT INTO "Transfer" ("id", "orderId", "sellerId", "amountCents", "dueAt")
    SELECT $16, unpaid."id", unpaid."sellerId", $17, $18 FROM unpaid, unit WHERE unit."isThere"
    ON CONFLICT DO NOTHING
  ), refund AS (
    INSERT INTO "Refund" ("id", "orderId", "amountCents", "platformFeeCents", "reason", "requestedBy")
    SELECT $24, unpaid."id", unpaid."amountCents", unpaid."platformFeeCents", 'no unit left', 'system'
      FROM unpaid, unit WHERE NOT unit."isThere"
  ), mail AS (
    INSERT INTO "OutboxMail" ("dedupeKey", "to", "subject", "text", "content")
    SELECT m.* FROM unnest($19::text[], $20::text[], $21::text[], $22::text[], $23::jsonb[]) AS m, unpaid, unit
     WHERE unit."isThere"
    ON CONFLICT DO NOTHING
  )
  SELECT EXISTS (SELECT 1 FROM paid) AS "isPaid", (SELECT "isThere" FROM unit) AS "hasUnit"`
