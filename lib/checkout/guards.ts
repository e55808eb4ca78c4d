import 'server-only'
import type { Context } from '@/lib/infra/context'
import { lockHoldAndOrder } from '@/lib/orders/guards'

/** SQL: whether the discount code of hold `h` has a limit per buyer. */
export const IS_CODE_LIMITED = `EXISTS (SELECT 1 FROM "DiscountCode" c WHERE c."id" = h."codeId" AND c."perBuyer" IS NOT NULL)`

/** SQL: whether the drop of hold `h` hands out keys. */
export const HAS_KEYS = `EXISTS (SELECT 1 FROM "Drop" d WHERE d."id" = h."dropId" AND d."keysGiven" IS NOT NULL)`

/**
 * Locks the mailbox and the card of a buyer if the drop or the code has a limit per buyer, so that payments of one
 * mailbox or card run one after the other. The locks are taken in a fixed order to avoid deadlocks.
 */
const LOCK_BUYER = `
  SELECT pg_advisory_xact_lock(hashtextextended(k."key", o."dropId")) FROM "Order" o JOIN "Hold" h ON h."id" = o."holdId"
    JOIN "Drop" d ON d."id" = o."dropId" AND (d."maxPerBuyer" IS NOT NULL OR ${IS_CODE_LIMITED}),
    LATERAL (SELECT DISTINCT "key" FROM unnest(ARRAY[:mailboxKey::text, :cardKey::text]) AS u("key")
              WHERE "key" IS NOT NULL ORDER BY "key") k
   WHERE o."id" = :orderId`

/**
 * Locks the drop of a hold in two cases. In the first, the drop hands out keys. Every statement that gives keys locks
 * the drop first, so the main statement sees which keys are free. In the second, the hold was released together with
 * the use of its discount code. Every statement that changes a code locks the drop first, so the uses of the code
 * cannot change after this lock.
 */
const LOCK_DROP_OF_HOLD = `
  SELECT 1 FROM "Hold" h JOIN "Drop" d ON d."id" = h."dropId"
   WHERE h."id" = :holdId AND (d."keysGiven" IS NOT NULL OR (h."state" = 'released' AND h."codeId" IS NOT NULL))
     FOR NO KEY UPDATE OF d`

/**
 * Locks what a payment has to see in its latest state: the buyer, the hold, the order and, where it matters, the drop.
 * The locks are always taken in this order.
 */
export async function lockForPayment(
  tx: Pick<Context, 'sql'>,
  payment: { orderId: string; holdId: string; mailboxKey: string | null; cardKey: string | null },
): Promise<void> {
  await tx.sql('lock-buyer', LOCK_BUYER, payment)
  await lockHoldAndOrder(tx, payment.orderId)
  await tx.sql('lock-drop-of-hold', LOCK_DROP_OF_HOLD, payment)
}
