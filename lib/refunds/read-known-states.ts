import 'server-only'
import type { Context } from '@/lib/infra/context'

/** The payment intent of an order, and what is recorded of its refunds and disputes at Stripe, as one text. */
type KnownStates = { intentId: string | null; states: string }

/**
 * Reads what is recorded of an order's refunds and disputes at Stripe. If `states` differs between two reads, another
 * call has recorded a newer response of Stripe in between (syncRefunds()).
 */
export async function readKnownStates({ sql }: Pick<Context, 'sql'>, orderId: string): Promise<KnownStates> {
  const [known] = await sql<KnownStates>(
    'known-refund-states',
    `SELECT o."stripePaymentIntentId" AS "intentId", concat_ws(' ', (
              SELECT string_agg(concat_ws(':', r."stripeRefundId", r."state", r."amountCents"), ' ' ORDER BY r."id")
                FROM "Refund" r WHERE r."orderId" = o."id" AND r."stripeRefundId" IS NOT NULL), (
              SELECT string_agg(concat_ws(':', x."stripeDisputeId", x."status", x."amountCents", x."feeCents", x."dueAt"),
                                ' ' ORDER BY x."id")
                FROM "Dispute" x WHERE x."orderId" = o."id")) AS "states"
       FROM "Order" o WHERE o."id" = :orderId`,
    { orderId },
  )
  if (!known) throw new Error(`there is no order ${orderId}`)
  return known
}
