import 'server-only'

/**
 * SQL: whether refund `r` is pending, or failed and still needs an administrator. A failed refund of a closed account
 * needs nothing once the order was refunded in another way, or while a bank decides about the payment.
 */
export const IS_OPEN_REFUND = `(r."state" = 'pending' OR (r."state" = 'failed' AND (r."requestedBy" <> 'closure'
  OR EXISTS (SELECT FROM "Order" p WHERE p."id" = r."orderId" AND p."status" = 'paid'))))`
