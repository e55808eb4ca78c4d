import 'server-only'
import { queueMailSql } from '@/lib/notifications/queue-mail'
import { addTransferSql } from '@/lib/payouts/add-transfer-sql'
import { codeSql } from '@/lib/stock/code-sql'
import { earlySql, earlyUnitsOf } from '@/lib/stock/early-sql'
import { keySql } from '@/lib/stock/key-sql'
import { numberSql } from '@/lib/stock/number-sql'
import { refundSql } from '@/lib/stock/refund-sql'
import { stockSql, valueSql } from '@/lib/stock/stock-sql'
import { STILL_BOUGHT } from '../hold/assert-buyer-limits'
import { HAS_KEYS, IS_CODE_LIMITED } from '../guards'
import { lateUnitsSql } from './late-units-sql'

/**
 * The assignments that record a payment in an order's row `o`, except for the status. The tax that the platform owes
 * moves from the seller's payout to the platform's fee (ADR 0073).
 */
const PAID_ORDER = `
  "paidAt" = now(), "stripeSessionId" = :sessionId,
  "stripePaymentIntentId" = :intentId, "stripeChargeId" = :chargeId, "cardFeeCents" = :cardFeeCents,
  "settlementCurrency" = :settlementCurrency, "billingCountry" = :billingCountry, "taxCents" = :taxCents,
  "platformFeeCents" = o."platformFeeCents" + :taxCents, "sellerPayoutCents" = o."sellerPayoutCents" - :taxCents,
  "mailboxKey" = :mailboxKey, "cardKey" = :cardKey, "buyerEmail" = :email, "buyerName" = :name, "buyerPhone" = :phone,
  "shipName" = :shipName, "shipLine1" = :line1, "shipLine2" = :line2, "shipCity" = :city,
  "shipState" = :state, "shipPostalCode" = :postalCode, "shipCountry" = :country`

// The hold is locked before the order, as in every statement that changes both, because two such statements could
// otherwise deadlock. Postgres checks the condition on the hold's state again after it has the lock.
const MARK_HELD_PAID = `
  WITH held AS MATERIALIZED (
    SELECT h."id", h."dropId", h."valueId", h."codeId", h."run", h."quantity" FROM "Hold" h
     WHERE h."id" = :holdId AND h."state" = 'held'
       AND NOT EXISTS (SELECT 1 FROM "Drop" d WHERE d."id" = h."dropId" AND d."maxPerBuyer" IS NOT NULL)
       AND NOT ${IS_CODE_LIMITED}
       AND NOT ${HAS_KEYS}
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
    RETURNING paid."id", paid."dropId", paid."run", d."isNumbered", paid."valueId", paid."codeId", paid."quantity", paid."discountCents"
  ), value AS (
    UPDATE "OptionValue" v SET ${valueSql.sellHeld('sold."quantity"')} FROM sold WHERE v."id" = sold."valueId"
  ), code AS (
    UPDATE "DiscountCode" c SET ${codeSql.sellHeld('sold."discountCents"')} FROM sold WHERE c."id" = sold."codeId"
  ), run AS (
    UPDATE "DropRun" r SET ${stockSql.addToRun('sold."quantity"')} FROM sold
     WHERE r."dropId" = sold."dropId" AND r."run" = sold."run"
    RETURNING r."dropId", r."run", r."sold", sold."isNumbered", sold."id" AS "orderId", sold."quantity"
  ), numbers AS (
    ${numberSql.give}
  ), transfer AS (
    ${addTransferSql('paid', 'paid')}
  ), mail AS (
    ${queueMailSql('CROSS JOIN paid', numberSql.text)}
  )
  SELECT EXISTS (SELECT 1 FROM paid) AS "isPaid"`

/**
 * Selects the order that is paid now (`unpaid`), and what the seller's limits say about it (`within`): the limit per
 * buyer for units of the drop, the one for uses of the discount code, and the keys that are left. The first order of a
 * buyer met the limit when its units were held, so it stays within it, even if the seller has lowered the limit since.
 * `isCodeFree` matters only for an order whose hold was released.
 */
const UNPAID = `
  WITH unpaid AS (
    SELECT o."id", o."holdId", o."dropId", o."quantity", o."sellerId", o."amountCents", o."platformFeeCents",
           o."discountCents", h."run", h."reason", h."valueId", h."codeId", h."earlyLinkId"
      FROM "Order" o JOIN "Hold" h ON h."id" = o."holdId"
     WHERE o."id" = :orderId AND o."status" IN ('pending', 'expired') FOR UPDATE OF o
  ), counted AS (
    SELECT d."maxPerBuyer" IS NULL OR others."units" = 0
             OR unpaid."quantity" + others."units" <= d."maxPerBuyer" AS "isUnitCountFine",
           c."perBuyer" IS NULL OR 1 + (
             SELECT count(*) FROM "Order" b JOIN "Hold" h ON h."id" = b."holdId"
              WHERE h."codeId" = unpaid."codeId" AND b."id" <> unpaid."id"
                AND b."paidAt" IS NOT NULL AND ${STILL_BOUGHT}
                AND (b."mailboxKey" = :mailboxKey OR b."cardKey" = :cardKey)) <= c."perBuyer" AS "isUseCountFine",
           c."id" IS NULL OR ${codeSql.isFree} AS "isCodeFree",
           ${keySql.covers('unpaid."quantity"')} AS "hasKeys"
      FROM unpaid JOIN "Drop" d ON d."id" = unpaid."dropId"
      LEFT JOIN "DiscountCode" c ON c."id" = unpaid."codeId",
           LATERAL (
             SELECT COALESCE(sum(b."quantity" - ${refundSql.units('b')}), 0) AS "units"
               FROM "Order" b JOIN "Hold" h ON h."id" = b."holdId"
              WHERE d."maxPerBuyer" IS NOT NULL AND b."dropId" = unpaid."dropId" AND h."run" = unpaid."run"
                AND b."id" <> unpaid."id" AND b."paidAt" IS NOT NULL AND ${STILL_BOUGHT}
                AND (b."mailboxKey" = :mailboxKey OR b."cardKey" = :cardKey)) others
  ), within AS (
    SELECT *, "isUnitCountFine" AND "isUseCountFine" AND "hasKeys" AS "isAllFine" FROM counted
  )`

/** Selects how many more units must be free for an order. The drop's row is locked, so the result stays correct. */
const MISSING_UNITS = `
  SELECT :quantity::int - ${lateUnitsSql.free(':valueId::int')} AS "missing"
    FROM "Drop" d LEFT JOIN "OptionValue" v ON v."dropId" = d."id" AND v."id" = :valueId::int WHERE d."id" = :dropId`

/** Selects an order that is paid after its hold was yielded, and locks the rows of the order and the drop. */
const LOCK_LATE_ORDER = `${UNPAID}
  SELECT d."id" AS "dropId", unpaid."valueId", unpaid."quantity"
    FROM unpaid, within, "Drop" d JOIN "User" u ON u."id" = d."userId"
   WHERE d."id" = unpaid."dropId" AND unpaid."reason" = 'yielded' AND within."isAllFine" AND within."isCodeFree"
     AND ${lateUnitsSql.isOnSale} AND ${lateUnitsSql.mayRetake}
     FOR UPDATE OF d`

/**
 * The reason why the payment `unpaid` of drop `d` got no unit. Its parameters are named like failedPurchaseReasons.
 */
const FAILED_PURCHASE_REASON = `
  CASE WHEN NOT within."isUnitCountFine" THEN :aboveLimit
       WHEN NOT within."isUseCountFine" THEN :aboveCodeLimit
       WHEN NOT within."hasKeys" THEN :noKey
       WHEN NOT within."isCodeFree" THEN :codeUsedUp
       WHEN ${lateUnitsSql.mayRetake} IS NOT TRUE THEN :editionClosed
       WHEN d."startedAt" > now() THEN :beforeStart
       WHEN ${lateUnitsSql.isOnSale} IS NOT TRUE THEN :offSale
       ELSE :soldOut END`

/**
 * Records any payment, also one above a limit or one whose hold has ended. Either the order gets its units (`unit`), or
 * it is refunded as a whole and the row of its refund is written.
 *
 * At most one of `sold`, `freed` and `retaken` may update the drop, because Postgres makes only one of two updates of
 * a row in one statement. Their conditions exclude each other: `kept` needs an open hold and kept limits, `above` needs
 * an exceeded limit, and `able` needs kept limits and no row in `kept`. The same applies to the hold, the value and the
 * code.
 */
const MARK_PAID = `${UNPAID}, kept AS (
    -- First case, the hold is open and every limit is kept. The held units become sold ones.
    UPDATE "Hold" h SET "state" = 'sold', "settledAt" = now() FROM unpaid, within
     WHERE h."id" = unpaid."holdId" AND h."state" = 'held' AND within."isAllFine"
    RETURNING h."dropId", h."valueId", h."codeId", h."quantity"
  ), sold AS (
    UPDATE "Drop" d SET ${stockSql.sellHeld('kept."quantity"')}
      FROM kept WHERE d."id" = kept."dropId" RETURNING d."id", kept."valueId", kept."codeId", kept."quantity"
  ), "soldValue" AS (
    UPDATE "OptionValue" v SET ${valueSql.sellHeld('sold."quantity"')} FROM sold WHERE v."id" = sold."valueId"
  ), "soldCode" AS (
    UPDATE "DiscountCode" c SET ${codeSql.sellHeld('unpaid."discountCents"')}
      FROM sold, unpaid WHERE c."id" = sold."codeId"
  ), above AS (
    -- Second case, the hold is open, but a limit is exceeded or keys are missing. The held units go back on sale.
    UPDATE "Hold" h SET "state" = 'released', "settledAt" = now(),
           "reason" = CASE WHEN within."hasKeys" THEN 'above-limit' ELSE 'no-key' END
      FROM unpaid, within
     WHERE h."id" = unpaid."holdId" AND h."state" = 'held' AND NOT within."isAllFine"
    RETURNING h."dropId", h."valueId", h."codeId", h."earlyLinkId", h."quantity"
  ), freed AS (
    UPDATE "Drop" d SET ${stockSql.release('above."quantity"')}, ${earlySql.release(earlyUnitsOf('above'))}
      FROM above WHERE d."id" = above."dropId"
    RETURNING above."valueId", above."codeId", above."quantity"
  ), "freedValue" AS (
    UPDATE "OptionValue" v SET ${valueSql.release('freed."quantity"')} FROM freed WHERE v."id" = freed."valueId"
  ), "freedCode" AS (
    UPDATE "DiscountCode" c SET ${codeSql.release} FROM freed WHERE c."id" = freed."codeId"
  ), able AS MATERIALIZED (
    -- Third case, the hold has ended. The order takes units again if enough are free and it would still be sold.
    SELECT d."id" FROM "Drop" d, unpaid, within, "User" u
     WHERE within."isAllFine" AND within."isCodeFree" AND NOT EXISTS (SELECT 1 FROM kept)
       AND d."id" = unpaid."dropId" AND u."id" = d."userId"
       AND ${lateUnitsSql.isOnSale} AND ${lateUnitsSql.mayRetakeEarly('unpaid', 'unpaid."holdId"')}
       AND (d."optionName" IS NULL) = (unpaid."valueId" IS NULL) AND ${stockSql.free} >= unpaid."quantity"
       AND ${lateUnitsSql.mayRetake}
       FOR NO KEY UPDATE OF d
  ), "retakenValue" AS (
    UPDATE "OptionValue" v SET ${valueSql.sellFree('unpaid."quantity"')} FROM unpaid, able
     WHERE v."id" = unpaid."valueId" AND v."dropId" = able."id" AND ${valueSql.free} >= unpaid."quantity"
    RETURNING v."id"
  ), retaken AS (
    UPDATE "Drop" d SET ${stockSql.sellFree('unpaid."quantity"')}, ${earlySql.takeBeforeStart('unpaid."quantity"')}
      FROM unpaid, able
     WHERE d."id" = able."id" AND (unpaid."valueId" IS NULL OR EXISTS (SELECT 1 FROM "retakenValue"))
    RETURNING d."id", d."startedAt" > now() AS "isEarly"
  ), "retakenCode" AS (
    UPDATE "DiscountCode" c SET ${codeSql.sellFree('unpaid."discountCents"')}
      FROM unpaid, retaken WHERE c."id" = unpaid."codeId"
  ), late AS (
    UPDATE "Hold" h SET "state" = 'sold', "settledAt" = now(),
           "earlyLinkId" = CASE WHEN retaken."isEarly" THEN h."earlyLinkId" END
      FROM unpaid, retaken WHERE h."id" = unpaid."holdId" RETURNING h."id"
  ), unit AS (
    -- What all cases do afterwards. In the second case, and in the third without free units, the order is refunded.
    SELECT EXISTS (SELECT 1 FROM sold UNION ALL SELECT 1 FROM late) AS "isThere"
  ), paid AS (
    UPDATE "Order" o SET ${PAID_ORDER},
           "status" = (CASE WHEN unit."isThere" THEN 'paid' ELSE 'refunded' END)::"OrderStatus",
           "refundedCents" = CASE WHEN unit."isThere" THEN 0 ELSE unpaid."amountCents" END,
           "isEarly" = o."isEarly" AND NOT EXISTS (
             SELECT FROM late, "Drop" d WHERE d."id" = unpaid."dropId" AND d."startedAt" <= now())
      FROM unpaid, unit WHERE o."id" = unpaid."id" RETURNING o."id"
  ), run AS (
    UPDATE "DropRun" r SET ${stockSql.addToRun('unpaid."quantity"')} FROM unpaid, unit, "Drop" d
     WHERE r."dropId" = unpaid."dropId" AND r."run" = unpaid."run" AND unit."isThere" AND d."id" = unpaid."dropId"
    RETURNING r."dropId", r."run", r."sold", d."isNumbered", unpaid."id" AS "orderId", unpaid."quantity"
  ), numbers AS (
    ${numberSql.give}
  ), keyed AS (
    SELECT unpaid."id" AS "orderId", unpaid."dropId", unpaid."quantity" FROM unpaid, unit, "Drop" d
     WHERE unit."isThere" AND d."id" = unpaid."dropId" AND d."keysGiven" IS NOT NULL
  ), keys AS (
    ${keySql.give('keyed')}
  ), transfer AS (
    ${addTransferSql('unpaid', 'unpaid, unit WHERE unit."isThere"')}
  ), refund AS (
    INSERT INTO "Refund" ("id", "orderId", "amountCents", "platformFeeCents", "reason", "requestedBy")
    SELECT :refundId, unpaid."id", unpaid."amountCents", unpaid."platformFeeCents" + :taxCents,
           ${FAILED_PURCHASE_REASON}, 'system'
      FROM unpaid, unit, within, "Drop" d JOIN "User" u ON u."id" = d."userId"
     WHERE NOT unit."isThere" AND d."id" = unpaid."dropId"
  ), mail AS (
    ${queueMailSql('CROSS JOIN unpaid CROSS JOIN unit WHERE unit."isThere"', numberSql.text)}
  )
  SELECT EXISTS (SELECT 1 FROM paid) AS "isPaid", (SELECT "isThere" FROM unit) AS "hasUnit"`

/** The statements of markPaid(), by their names. */
export const markPaidSql = {
  markHeldPaid: MARK_HELD_PAID,
  lockLateOrder: LOCK_LATE_ORDER,
  missingUnits: MISSING_UNITS,
  markPaid: MARK_PAID,
} as const
