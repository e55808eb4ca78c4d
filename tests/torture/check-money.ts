import { checkInvariants } from '@/lib/operations/check-invariants.mjs'
import { mismatchReasons } from '@/lib/orders/failed-purchase-reasons'
import { payoutSums } from '@/lib/payouts/payout-sums'
import { groupBy } from './group-by'
import type { World } from './start-world'
import type { Violation } from './violation'

type StripeBooks = {
  payments: {
    id: string
    orderId: string
    amount: number
    /** The cents that were refunded, or whose refund is pending. */
    refunded: number
    /**
     * All cents whose refund was requested and not canceled. They include refunds that a bank rejected, because the
     * platform still owes them (docs/product.md#refunds).
     */
    asked: number
    refunds: number
    /**
     * True if the payment is or was disputed. The bank decides about the money then, and a refund may not be possible.
     */
    isDisputed: boolean
  }[]
  transfers: { id: string; orderId: string; amount: number; reversed: number }[]
}

type OrderRow = {
  id: string
  dropId: number
  run: number
  quantity: number
  status: string
  amountCents: number
  refundedCents: number
  unitPriceCents: number
  sellerPayoutCents: number
  cardFeeCents: number | null
  isPaid: boolean
  intent: string | null
  buyerEmail: string | null
  cardKey: string | null
  holdState: string
  holdQuantity: number
  holdReason: string | null
  /**
   * The seller's debt for this order (lib/payouts/payout-sums.ts), including the part that later payouts have covered.
   */
  debtCents: number
  requestedBy: string | null
  /** Why the application refused the payment; null for an order whose payment it accepted. */
  refusal: string | null
}

async function readStripe({ stripePool }: World): Promise<StripeBooks> {
  const payments = await stripePool.query<StripeBooks['payments'][number]>(
    `SELECT p."id", p."json"->'metadata'->>'orderId' AS "orderId", (p."json"->>'amount_received')::int AS "amount",
            coalesce(sum((r."json"->>'amount')::int) FILTER (WHERE r."json"->>'status' <> 'failed'), 0)::int AS "refunded",
            coalesce(sum((r."json"->>'amount')::int), 0)::int AS "asked", count(r."id")::int AS "refunds",
            EXISTS (SELECT 1 FROM "SandboxObject" d WHERE d."kind" = 'dispute' AND d."json"->>'payment_intent' = p."id") AS "isDisputed"
       FROM "SandboxObject" p LEFT JOIN "SandboxObject" r
         ON r."kind" = 'refund' AND r."json"->>'payment_intent' = p."id" AND r."json"->>'status' <> 'canceled'
      WHERE p."kind" = 'payment_intent' AND p."json"->>'status' = 'succeeded' AND p."json"->'metadata' ? 'orderId'
      GROUP BY p."id", p."json"`,
  )
  const transfers = await stripePool.query<StripeBooks['transfers'][number]>(
    `SELECT "id", "json"->'metadata'->>'orderId' AS "orderId", ("json"->>'amount')::int AS "amount",
            ("json"->>'amount_reversed')::int AS "reversed" FROM "SandboxObject" WHERE "kind" = 'transfer'`,
  )
  return { payments: payments.rows, transfers: transfers.rows }
}

async function readOrders({ postgres }: World): Promise<OrderRow[]> {
  const { rows } = await postgres.pool.query<OrderRow>(
    `SELECT o."id", o."dropId", h."run", o."quantity", o."status"::text, o."amountCents", o."refundedCents", o."unitPriceCents", o."sellerPayoutCents", o."cardFeeCents",
            o."paidAt" IS NOT NULL AS "isPaid", o."stripePaymentIntentId" AS "intent", o."buyerEmail", o."cardKey",
            h."state"::text AS "holdState", h."quantity" AS "holdQuantity", h."reason" AS "holdReason",
            (SELECT min(r."requestedBy") FROM "Refund" r WHERE r."orderId" = o."id" AND r."requestedBy" IN ('system', 'mismatch')) AS "requestedBy",
            (SELECT min(r."reason") FROM "Refund" r WHERE r."orderId" = o."id" AND r."requestedBy" = 'mismatch') AS "refusal",
            coalesce((SELECT ${payoutSums.debt} + t."recoveredCents" FROM "Transfer" t WHERE t."orderId" = o."id"), 0)::int AS "debtCents"
       FROM "Order" o JOIN "Hold" h ON h."id" = o."holdId"`,
  )
  return rows
}

/**
 * Checks that every payment has exactly one paid order or a request for its full refund, that refunds never exceed it,
 * and that every paid order has its payment. A payment that got no unit is refunded exactly once, unless it is
 * disputed.
 */
function checkPayments(books: StripeBooks, orders: readonly OrderRow[]): Violation[] {
  const found: Violation[] = []
  for (const payment of books.payments) {
    const own = orders.filter(({ intent, isPaid }) => isPaid && intent === payment.id)
    // A payment from a country other than the chosen one buys nothing. Stripe and the buyers of the storm make no other
    // wrong payments, so the application has no other reason to refuse one.
    const refused = orders.find(({ intent, isPaid, refusal }) => !isPaid && intent === payment.id && refusal !== null)
    if (refused && refused.refusal !== mismatchReasons.otherCountry)
      found.push({ check: 'right-payment-refused', evidence: { payment, order: refused } })
    const inVain = refused !== undefined || own.some(({ requestedBy }) => requestedBy !== null)
    const isKept = own.length === 1 && !inVain
    const isReturned = payment.asked === payment.amount || (inVain && payment.isDisputed)
    if (!isKept && !isReturned)
      found.push({ check: 'payment-without-order-or-refund', evidence: { payment, orders: own } })
    if (own.length > 1) found.push({ check: 'payment-with-two-orders', evidence: { payment, orders: own } })
    if (payment.refunded > payment.amount) found.push({ check: 'refunded-more-than-paid', evidence: { payment } })
    if (inVain && !payment.isDisputed && payment.refunds !== 1)
      found.push({ check: 'paid-in-vain-not-refunded-once', evidence: { payment, orders: own } })
  }
  const known = new Map(books.payments.map((payment) => [payment.id, payment]))
  for (const order of orders.filter(({ isPaid }) => isPaid)) {
    const payment = known.get(order.intent ?? '')
    if (payment?.amount !== order.amountCents)
      found.push({ check: 'order-without-payment', evidence: { order, payment: payment ?? null } })
  }
  return found
}

/**
 * Checks that the transfers of an order, less reversals, do not exceed its earnings plus the seller's recorded debt.
 */
function checkPayouts(books: StripeBooks, orders: readonly OrderRow[]): Violation[] {
  const byId = new Map(orders.map((order) => [order.id, order]))
  const sent = groupBy(books.transfers, ({ orderId }) => orderId)
  return [...sent].flatMap(([orderId, transfers]): Violation[] => {
    const order = byId.get(orderId)
    const cents = transfers.reduce((sum, { amount, reversed }) => sum + amount - reversed, 0)
    const earned = order?.isPaid ? Math.max(0, order.sellerPayoutCents - (order.cardFeeCents ?? 0)) : 0
    const most = earned + (order?.debtCents ?? 0)
    return cents > most ? [{ check: 'payout-above-order', evidence: { orderId, cents, most, transfers } }] : []
  })
}

/**
 * The mailbox of an address of the storm, whose addresses have tags but no dots. It is written anew, so that a mistake
 * in lib/kernel/mailbox-of.ts is found.
 */
const mailboxOf = (email: string) => email.toLowerCase().replace(/\+[^@]*@/, '@')

/**
 * Checks that no order has more than ten units, and that no mailbox or card keeps more units of a run than the
 * seller allows.
 */
function checkLimits({ drops }: World, orders: readonly OrderRow[]): Violation[] {
  const found: Violation[] = orders
    .filter(({ quantity }) => quantity < 1 || quantity > 10)
    .map((order) => ({ check: 'order-above-ten-units', evidence: { order } }))
  for (const { id, maxPerBuyer } of drops) {
    if (maxPerBuyer === null) continue
    const kept = orders.filter(
      (order) => order.dropId === id && order.isPaid && order.refundedCents < order.amountCents,
    )
    const mailboxes = groupBy(kept, ({ run, buyerEmail }) => `${run} mailbox ${mailboxOf(buyerEmail ?? '')}`)
    const cards = groupBy(kept, ({ run, cardKey }) => `${run} card ${cardKey ?? ''}`)
    for (const [buyer, own] of [...mailboxes, ...cards]) {
      const units = own.reduce(
        (sum, order) => sum + order.quantity - Math.floor(order.refundedCents / order.unitPriceCents),
        0,
      )
      if (units > maxPerBuyer)
        found.push({
          check: 'limit-per-buyer',
          evidence: { drop: id, buyer, units, maxPerBuyer, orders: own.map((order) => order.id) },
        })
    }
  }
  return found
}

/**
 * Checks for each drop's current run that the sold units equal those of paid orders and do not exceed the quantity, and
 * that no unit is held.
 */
async function checkUnits({ postgres }: World, orders: readonly OrderRow[]): Promise<Violation[]> {
  const { rows } = await postgres.pool.query<{ id: number; run: number; quantity: number; sold: number; held: number }>(
    'SELECT "id", "run", "quantity", "sold", "held" FROM "Drop"',
  )
  return rows.flatMap((drop): Violation[] => {
    const own = orders.filter(({ dropId, run }) => dropId === drop.id && run === drop.run)
    const sold = own
      .filter(({ isPaid, holdState }) => isPaid && holdState === 'sold')
      .reduce((sum, { holdQuantity }) => sum + holdQuantity, 0)
    const evidence = { drop, unitsOfPaidOrders: sold, orders: own.filter(({ isPaid }) => isPaid) }
    const found: Violation[] = []
    if (sold > drop.quantity || drop.sold + drop.held > drop.quantity)
      found.push({ check: 'units-sold-twice', evidence })
    if (sold !== drop.sold || drop.held !== 0) found.push({ check: 'stock-is-not-the-orders', evidence })
    return found
  })
}

/** Compares the database with the stand-in's books after everything has come to rest, and checks the invariants. */
export async function checkMoney(
  world: World,
): Promise<{ violations: Violation[]; orders: number; payments: number; transfers: number }> {
  const [books, orders] = [await readStripe(world), await readOrders(world)]
  const breaches = (await checkInvariants(world.postgres.pool)).filter((finding) => finding.breaches.length > 0)
  const violations = [
    ...checkPayments(books, orders),
    ...checkPayouts(books, orders),
    ...checkLimits(world, orders),
    ...(await checkUnits(world, orders)),
    ...breaches.map(({ name, holds, breaches: rows }) => ({ check: `invariant-${name}`, evidence: { holds, rows } })),
  ]
  const paid = orders.filter(({ isPaid }) => isPaid).length
  return { violations, orders: paid, payments: books.payments.length, transfers: books.transfers.length }
}
