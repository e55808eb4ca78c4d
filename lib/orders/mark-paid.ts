import 'server-only'
import { SUSPENDED } from '@/lib/accounts/queries'
import { LIVE_DROP } from '@/lib/drops/queries'
import { type Context, sqlTransaction } from '@/lib/infra/context'
import { keyedHash } from '@/lib/infra/crypto'
import { newId } from '@/lib/kernel/id'
import { mailboxOf } from '@/lib/kernel/mailbox-of'
import { mailsParameter, queueMailSql } from '@/lib/notifications/queue-mail'
import type { QueuedMail } from '@/lib/notifications/compose-mail'
import { codeSql } from '@/lib/stock/code-sql'
import { stockSql, valueSql } from '@/lib/stock/stock-sql'
import { releaseHold } from './release-hold'
import { ABOVE_CODE_LIMIT, ABOVE_LIMIT, CODE_USED_UP } from './rules'

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
 * or not at all. That suffices for nearly every payment: its hold is still held, and neither its drop nor its discount code has a
 * limit per buyer.
 *
 * If the hold was released before, units are taken again when the drop is live and has them, or when contested holds that
 * are not paid can give them back; otherwise the order is refunded at once, with a Refund row recording that Stripe still
 * has to be asked (docs/product.md#paid-too-late). The same happens when others have the last use of its discount code, and to
 * an order above a limit per buyer (docs/product.md#limit-per-buyer, docs/product.md#discount-codes). For these cases the buyer
 * and the hold's row are locked first, in separate statements, so that the statement after the locks sees other payments of the
 * same mailbox or card, and a release of the hold.
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
    await tx.sql('lock-redeemed-drop', LOCK_REDEEMED_DROP, { holdId })
    await makeRoom(tx, { orderId, mailboxKey, cardKey })
    const [outcome] = await tx.sql<{ isPaid: boolean; hasUnit: boolean }>('mark-paid', MARK_PAID, {
      ...parameters,
      refundId: newId('ref'),
      aboveLimit: ABOVE_LIMIT,
      aboveCodeLimit: ABOVE_CODE_LIMIT,
      codeUsedUp: CODE_USED_UP,
    })
    if (!outcome?.isPaid) return 'already-paid'
    return outcome.hasUnit ? 'paid' : 'no-unit'
  })
}

/**
 * A payment takes precedence over contested holds that are not paid: when the units of this hold went back on sale and
 * somebody else has them in checkout, such holds give theirs back, the oldest first, as far as they are needed. Their
 * checkouts stay open too.
 *
 * The drop's row stays locked until the payment is booked, so that nobody else takes the units meanwhile; this happens only
 * for holds that gave their units back. Holds that another payment, a cancellation or a sweep has locked are skipped: they
 * wait for the drop's row, and waiting for them as well would be a deadlock.
 */
async function makeRoom(
  tx: Pick<Context, 'sql'>,
  buyer: { orderId: string; mailboxKey: string | null; cardKey: string | null },
): Promise<void> {
  const [late] = await tx.sql<{ dropId: number; valueId: number | null; quantity: number }>(
    'lock-late-order',
    LOCK_LATE_ORDER,
    buyer,
  )
  if (!late) return
  const [units] = await tx.sql<{ missing: number }>('missing-units', MISSING_UNITS, late)
  let missing = units?.missing ?? 0
  if (missing <= 0) return
  const contested = await tx.sql<{ id: string; quantity: number }>(
    'lock-contested',
    `SELECT h."id", h."quantity" FROM "Hold" h
      WHERE h."dropId" = :dropId AND h."state" = 'held' AND h."isContested" AND h."opensAt" IS NULL
        AND h."valueId" IS NOT DISTINCT FROM :valueId::int
      ORDER BY h."createdAt", h."id" LIMIT :missing FOR UPDATE SKIP LOCKED`,
    { dropId: late.dropId, valueId: late.valueId, missing },
  )
  if (contested.reduce((sum, { quantity }) => sum + quantity, 0) < missing) return
  for (const { id, quantity } of contested) {
    if (missing <= 0) return
    if (await releaseHold(tx, id, 'yielded')) missing -= quantity
  }
}

/** The discount code of a hold `h` has a limit per buyer. */
const IS_CODE_LIMITED = `EXISTS (SELECT 1 FROM "DiscountCode" c WHERE c."id" = h."codeId" AND c."perBuyer" IS NOT NULL)`

/**
 * For a drop or a code with a limit, payments of one mailbox or card run one after the other; the locks are taken in a fixed
 * order.
 */
const LOCK_BUYER = `
  SELECT pg_advisory_xact_lock(hashtextextended(k."key", o."dropId")) FROM "Order" o JOIN "Hold" h ON h."id" = o."holdId"
    JOIN "Drop" d ON d."id" = o."dropId" AND (d."maxPerBuyer" IS NOT NULL OR ${IS_CODE_LIMITED}),
    LATERAL (SELECT DISTINCT "key" FROM unnest(ARRAY[:mailboxKey::text, :cardKey::text]) AS u("key")
              WHERE "key" IS NOT NULL ORDER BY "key") k
   WHERE o."id" = :orderId`

/**
 * A hold with a discount code gave its use back. Every statement that changes a code has locked the drop before, so from here on
 * the uses of the code stay as they are.
 */
const LOCK_REDEEMED_DROP = `
  SELECT 1 FROM "Hold" h JOIN "Drop" d ON d."id" = h."dropId"
   WHERE h."id" = :holdId AND h."state" = 'released' AND h."codeId" IS NOT NULL FOR NO KEY UPDATE OF d`

/** The assignments that record a payment in an order's row `o`, except for the status. */
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
    SELECT h."id", h."dropId", h."valueId", h."codeId", h."run", h."quantity" FROM "Hold" h
     WHERE h."id" = :holdId AND h."state" = 'held'
       AND NOT EXISTS (SELECT 1 FROM "Drop" d WHERE d."id" = h."dropId" AND d."maxPerBuyer" IS NOT NULL)
       AND NOT ${IS_CODE_LIMITED}
       FOR UPDATE OF h
  ), paid AS (
    UPDATE "Order" o SET ${PAID_ORDER}, "status" = 'paid'
      FROM held WHERE o."id" = :orderId AND o."holdId" = held."id" AND o."status" = 'pending'
    RETURNING o."id", o."sellerId", held."id" AS "holdId", held."dropId", held."valueId", held."codeId", held."run",
      held."quantity", o."discountCents"
  ), kept AS (
    UPDATE "Hold" h SET "state" = 'sold', "settledAt" = now() FROM paid WHERE h."id" = paid."holdId"
  ), sold AS (
    UPDATE "Drop" d SET ${stockSql.sellHeld('paid."quantity"')} FROM paid WHERE d."id" = paid."dropId"
    RETURNING paid."valueId", paid."codeId", paid."quantity", paid."discountCents"
  ), value AS (
    UPDATE "OptionValue" v SET ${valueSql.sellHeld('sold."quantity"')} FROM sold WHERE v."id" = sold."valueId"
  ), code AS (
    UPDATE "DiscountCode" c SET ${codeSql.sellHeld('sold."discountCents"')} FROM sold WHERE c."id" = sold."codeId"
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

/**
 * The order that is paid now, and whether it is within the seller's limits per buyer: of units of the drop, and of uses of its
 * discount code. `isCodeFree` matters only for an order that gave its use back.
 */
const UNPAID = `
  WITH unpaid AS (
    SELECT o."id", o."holdId", o."dropId", o."quantity", o."sellerId", o."amountCents", o."platformFeeCents", h."run", h."reason", h."valueId",
           h."codeId", o."discountCents"
      FROM "Order" o JOIN "Hold" h ON h."id" = o."holdId"
     WHERE o."id" = :orderId AND o."status" IN ('pending', 'expired') FOR UPDATE OF o
  ), counted AS (
    SELECT d."maxPerBuyer" IS NULL OR unpaid."quantity" + (
             SELECT COALESCE(sum(b."quantity"), 0) FROM "Order" b JOIN "Hold" h ON h."id" = b."holdId"
              WHERE b."dropId" = unpaid."dropId" AND h."run" = unpaid."run" AND b."id" <> unpaid."id"
                AND b."paidAt" IS NOT NULL AND b."status" <> 'refunded'
                AND (b."mailboxKey" = :mailboxKey OR b."cardKey" = :cardKey)) <= d."maxPerBuyer" AS "units",
           c."perBuyer" IS NULL OR 1 + (
             SELECT count(*) FROM "Order" b JOIN "Hold" h ON h."id" = b."holdId"
              WHERE h."codeId" = unpaid."codeId" AND b."id" <> unpaid."id"
                AND b."paidAt" IS NOT NULL AND b."status" <> 'refunded'
                AND (b."mailboxKey" = :mailboxKey OR b."cardKey" = :cardKey)) <= c."perBuyer" AS "uses",
           c."id" IS NULL OR ${codeSql.isFree} AS "isCodeFree"
      FROM unpaid JOIN "Drop" d ON d."id" = unpaid."dropId" LEFT JOIN "DiscountCode" c ON c."id" = unpaid."codeId"
  ), within AS (
    SELECT *, "units" AND "uses" AS "limit" FROM counted
  )`

/** How many units of the drop, or of the value, an order still needs. The drop's row is locked, so neither changes. */
const MISSING_UNITS = `
  SELECT :quantity::int - CASE WHEN :valueId::int IS NULL THEN ${stockSql.free} ELSE ${valueSql.free} END AS "missing"
    FROM "Drop" d LEFT JOIN "OptionValue" v ON v."dropId" = d."id" AND v."id" = :valueId::int WHERE d."id" = :dropId`

/** A paid order whose hold gave its units back. Locks the drop's row. */
const LOCK_LATE_ORDER = `${UNPAID}
  SELECT d."id" AS "dropId", unpaid."valueId", unpaid."quantity"
    FROM unpaid, within, "Drop" d JOIN "User" u ON u."id" = d."userId"
   WHERE d."id" = unpaid."dropId" AND d."run" = unpaid."run" AND unpaid."reason" = 'yielded' AND within."limit" AND within."isCodeFree"
     AND (${LIVE_DROP} OR ${STAYS_PAYABLE})
     FOR UPDATE OF d`

const MARK_PAID = `${UNPAID}, kept AS (
    UPDATE "Hold" h SET "state" = 'sold', "settledAt" = now() FROM unpaid, within
     WHERE h."id" = unpaid."holdId" AND h."state" = 'held' AND within."limit"
    RETURNING h."dropId", h."valueId", h."codeId", h."quantity"
  ), above AS (
    UPDATE "Hold" h SET "state" = 'released', "reason" = 'above-limit', "settledAt" = now() FROM unpaid, within
     WHERE h."id" = unpaid."holdId" AND h."state" = 'held' AND NOT within."limit"
    RETURNING h."dropId", h."valueId", h."codeId", h."quantity"
  ), freed AS (
    UPDATE "Drop" d SET ${stockSql.release('above."quantity"')} FROM above WHERE d."id" = above."dropId"
    RETURNING above."valueId", above."codeId", above."quantity"
  ), "freedValue" AS (
    UPDATE "OptionValue" v SET ${valueSql.release('freed."quantity"')} FROM freed WHERE v."id" = freed."valueId"
  ), "freedCode" AS (
    UPDATE "DiscountCode" c SET ${codeSql.release} FROM freed WHERE c."id" = freed."codeId"
  ), sold AS (
    UPDATE "Drop" d SET ${stockSql.sellHeld('kept."quantity"')}
      FROM kept WHERE d."id" = kept."dropId" RETURNING d."id", kept."valueId", kept."codeId", kept."quantity"
  ), "soldValue" AS (
    UPDATE "OptionValue" v SET ${valueSql.sellHeld('sold."quantity"')} FROM sold WHERE v."id" = sold."valueId"
  ), "soldCode" AS (
    UPDATE "DiscountCode" c SET ${codeSql.sellHeld('unpaid."discountCents"')} FROM sold, unpaid WHERE c."id" = sold."codeId"
  ), able AS MATERIALIZED (
    SELECT d."id" FROM "Drop" d, unpaid, within, "User" u
     WHERE within."limit" AND within."isCodeFree" AND NOT EXISTS (SELECT 1 FROM kept) AND d."id" = unpaid."dropId" AND u."id" = d."userId" AND (${LIVE_DROP} OR ${STAYS_PAYABLE})
       AND (d."optionName" IS NULL) = (unpaid."valueId" IS NULL) AND ${stockSql.free} >= unpaid."quantity"
       FOR NO KEY UPDATE OF d
  ), "retakenValue" AS (
    UPDATE "OptionValue" v SET ${valueSql.sellFree('unpaid."quantity"')} FROM unpaid, able
     WHERE v."id" = unpaid."valueId" AND v."dropId" = able."id" AND ${valueSql.free} >= unpaid."quantity" RETURNING v."id"
  ), retaken AS (
    UPDATE "Drop" d SET ${stockSql.sellFree('unpaid."quantity"')} FROM unpaid, able
     WHERE d."id" = able."id" AND (unpaid."valueId" IS NULL OR EXISTS (SELECT 1 FROM "retakenValue"))
    RETURNING d."id"
  ), "retakenCode" AS (
    UPDATE "DiscountCode" c SET ${codeSql.sellFree('unpaid."discountCents"')} FROM unpaid, retaken WHERE c."id" = unpaid."codeId"
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
           CASE WHEN NOT within."units" THEN :aboveLimit WHEN NOT within."uses" THEN :aboveCodeLimit
                WHEN NOT within."isCodeFree" THEN :codeUsedUp ELSE 'no unit left' END, 'system'
      FROM unpaid, unit, within WHERE NOT unit."isThere"
  ), mail AS (
    ${queueMailSql('CROSS JOIN unpaid CROSS JOIN unit WHERE unit."isThere"')}
  )
  SELECT EXISTS (SELECT 1 FROM paid) AS "isPaid", (SELECT "isThere" FROM unit) AS "hasUnit"`
