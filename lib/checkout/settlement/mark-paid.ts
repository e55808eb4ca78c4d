import 'server-only'
import { type Context, sqlTransaction } from '@/lib/infra/context'
import { keyedHash } from '@/lib/infra/crypto'
import { newId } from '@/lib/kernel/id'
import { mailboxOf } from '@/lib/kernel/mailbox-of'
import { mailsParameter } from '@/lib/notifications/queue-mail'
import type { QueuedMail } from '@/lib/notifications/compose-mail'
import { lockForPayment } from '../guards'
import { lateUnitsSql } from './late-units-sql'
import { markPaidSql } from './mark-paid-sql'
import { releaseHold } from '../hold/release-hold'
import { failedPurchaseReasons } from '@/lib/orders/failed-purchase-reasons'

export type Payment = {
  intentId: string | null
  chargeId: string | null
  cardFeeCents: number | null
  settlementCurrency: string | null
  /** Stripe's identifier of the card, which is the same for every payment with this card. */
  cardFingerprint: string | null
  /** The country of the billing address, or that of the card without one. */
  billingCountry: string | null
  /** The tax that Stripe Tax found in the amount; 0 without Stripe Tax. */
  taxCents: number
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
 * Marks an order as paid. A single statement updates the order, the hold and the stock and queues the emails, so that
 * all of it happens exactly once or not at all. This is enough for nearly every payment, because the hold is still
 * held, neither the drop nor the discount code has a limit per buyer, and the drop hands out no keys.
 *
 * If the hold was already released, units are taken again when the drop is live and has free units, or when unpaid
 * contested holds can be yielded. Otherwise the order is refunded right away, and a Refund row records that the refund
 * must still be sent to Stripe (docs/product.md#paid-too-late). The order is also refunded when other buyers have taken
 * the last use of its discount code, when it exceeds a limit per buyer (docs/product.md#limit-per-buyer,
 * docs/product.md#discount-codes), and when its drop has too few keys (docs/product.md#keys).
 *
 * For these cases, earlier statements lock the buyer, the hold's row and, where it matters, the drop's row. The main
 * statement then sees all other payments of the same mailbox or card, whether the hold was released, and which keys are
 * free.
 * @returns `no-unit` when this call refunded the order, and `already-paid` when an earlier call handled the payment.
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
  const [held] = await ctx.sql<{ isPaid: boolean }>('mark-held-paid', markPaidSql.markHeldPaid, parameters)
  if (held?.isPaid) return 'paid'
  return sqlTransaction(ctx, async (tx) => {
    await lockForPayment(tx, { orderId, holdId, mailboxKey, cardKey })
    await makeRoom(tx, { orderId, mailboxKey, cardKey })
    const [outcome] = await tx.sql<{ isPaid: boolean; hasUnit: boolean }>('mark-paid', markPaidSql.markPaid, {
      ...parameters,
      refundId: newId('ref'),
      ...failedPurchaseReasons,
    })
    if (!outcome?.isPaid) return 'already-paid'
    return outcome.hasUnit ? 'paid' : 'no-unit'
  })
}

/**
 * Frees units for a payment whose hold was yielded. A payment takes precedence over unpaid contested holds. If too few
 * units are free, contested holds are yielded, the oldest first, until there are enough. The checkouts of these holds
 * stay open.
 *
 * The drop's row stays locked until the payment is recorded, so that no other buyer takes the units in the meantime. It
 * is locked only for holds that were yielded. Contested holds that another payment, a cancellation or a sweep has
 * locked are skipped. Those transactions wait for the drop's row, so waiting for them would cause a deadlock.
 */
async function makeRoom(
  tx: Pick<Context, 'sql'>,
  buyer: { orderId: string; mailboxKey: string | null; cardKey: string | null },
): Promise<void> {
  const [late] = await tx.sql<{ dropId: number; valueId: number | null; quantity: number }>(
    'lock-late-order',
    markPaidSql.lockLateOrder,
    buyer,
  )
  if (!late) return
  const [units] = await tx.sql<{ missing: number }>('missing-units', markPaidSql.missingUnits, late)
  let missing = units?.missing ?? 0
  if (missing <= 0) return
  const contested = await tx.sql<{ id: string; quantity: number }>(
    'lock-contested',
    `SELECT c."id", c."quantity" FROM "Hold" c WHERE ${lateUnitsSql.isContested(':dropId', ':valueId::int')}
      ORDER BY c."createdAt", c."id" LIMIT :missing FOR UPDATE SKIP LOCKED`,
    { dropId: late.dropId, valueId: late.valueId, missing },
  )
  if (contested.reduce((sum, { quantity }) => sum + quantity, 0) < missing) return
  for (const { id, quantity } of contested) {
    if (missing <= 0) return
    if (await releaseHold(tx, id, 'yielded')) missing -= quantity
  }
}
