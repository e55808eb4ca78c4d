import 'server-only'
import type { CheckoutMode, Refund } from '@prisma/client'
import { canonicalIdentifier } from '@/lib/drops/rules'
import { imageSrc } from '@/lib/drops/view'
import { type Db } from '@/lib/infra/db'
import { referenceOf } from '@/lib/kernel/id'
import type { Database } from '@/lib/infra/db'
import { orderTimeline } from './order-timeline'
import {
  askAgainFrom,
  completionOf,
  DOWNLOADS_PER_ORDER,
  mayDownload,
  isPaymentIntent,
  isLostOrder,
  isOwedByPlatform,
  isRefundable,
  type OrderStatus,
} from './rules'
import { LASTING_SECONDS, type Pressure, RUSH_SECONDS } from '@/lib/stock/rules'
import { stockSql, valueSql } from '@/lib/stock/stock-sql'
import { type BuyerOrderView, discountOfOrder, toAddress } from './view'

export type OpenCheckout = {
  orderId: string
  token: string
  holdId: string
  quantity: number
  /** The title with the chosen value, and that value; see TakenHold. */
  title: string
  optionName: string | null
  optionValue: string | null
  valueId: number | null
  /** The discount code with what it takes off all units; see TakenHold. */
  codeId: number | null
  discountCode: string | null
  discountCents: number
  amountCents: number
  unitPriceCents: number
  mode: CheckoutMode
  /** The Stripe session or, for the embedded checkout, the payment intent; null until Stripe has answered. */
  stripeId: string | null
  checkoutUrl: string | null
  expiresAt: Date
  /** How long it has kept its units, as a fraction of ten minutes, at most 1. This is its weight if it ends unpaid now. */
  keptPart: number
  isContested: boolean
  isExpired: boolean
  isHeld: boolean
  /** Its units went back on sale, and it can still be paid while there are any. */
  isYielded: boolean
  /** How long this buyer still waits in line for a session; negative when it is their turn, null when they do not wait. */
  waitMs: number | null
  /**
   * Another call took the hold in the last 15 seconds and is waiting for Stripe. A call that takes longer counts as
   * dead.
   */
  isOpening: boolean
}

/** A hold whose units went back on sale because too many were unpaid; its checkout stays open until it expires. */
export const YIELDED = `(h."state" = 'released' AND h."reason" = 'yielded')`

/** For how long a hold `h` had kept its units at the time `until`, as a fraction of ten minutes, at most 1. */
const keptPart = (until: string) => `LEAST(1, extract(epoch FROM ${until} - h."createdAt") / 600)`

const OPEN_CHECKOUT = `
  SELECT o."id" AS "orderId", o."token", h."id" AS "holdId", h."quantity", o."dropTitle" AS "title",
         o."optionName", o."optionValue", h."valueId", h."codeId", o."discountCode", o."discountCents", o."amountCents", o."unitPriceCents", h."mode", o."checkoutUrl",
         COALESCE(o."stripeSessionId", o."stripePaymentIntentId") AS "stripeId",
         h."expiresAt", ${keptPart('now()')}::float8 AS "keptPart", h."isContested", h."expiresAt" <= now() AS "isExpired", h."state" = 'held' AS "isHeld",
         ${YIELDED} AS "isYielded",
         (extract(epoch FROM h."opensAt" - now()) * 1000)::float8 AS "waitMs",
         COALESCE(o."stripeSessionId", o."stripePaymentIntentId") IS NULL AND h."opensAt" IS NULL
           AND GREATEST(h."createdAt", h."openingSince") > now() - interval '15 seconds' AS "isOpening"
    FROM "Hold" h JOIN "Order" o ON o."holdId" = h."id"`

/** A hold released a moment ago because Stripe did not answer, with time left; its buyer may resume it. */
export const UNANSWERED = `h."state" = 'released' AND h."reason" = 'stripe-away'
  AND h."settledAt" > now() - interval '5 minutes' AND h."expiresAt" > now() + interval '1 minute'`

/** The checkout a buyer has open for a drop, and the newest one that Stripe just left unanswered. */
export async function findBuyersCheckout(
  { sql }: Database,
  dropId: number,
  buyerKey: string,
): Promise<{ open: OpenCheckout | null; unanswered: OpenCheckout | null }> {
  const rows = await sql<OpenCheckout>(
    'buyers-checkouts',
    `${OPEN_CHECKOUT} WHERE h."dropId" = :dropId AND h."buyerKey" = :buyerKey AND (h."state" = 'held' OR ${UNANSWERED} OR ${YIELDED})
      ORDER BY h."createdAt" DESC`,
    { dropId, buyerKey },
  )
  return {
    open:
      rows.find(({ isHeld }) => isHeld) ??
      rows.find(({ isYielded, stripeId }) => isYielded && stripeId !== null) ??
      null,
    unanswered: rows.find(({ isHeld, isYielded }) => !isHeld && !isYielded) ?? null,
  }
}

/** The checkout a buyer has open for a drop. */
export async function findOpenCheckout(
  { sql }: Database,
  dropId: number,
  buyerKey: string,
): Promise<OpenCheckout | null> {
  const [row] = await sql<OpenCheckout>(
    'open-checkout',
    `${OPEN_CHECKOUT} WHERE h."dropId" = :dropId AND h."buyerKey" = :buyerKey AND h."state" = 'held'`,
    { dropId, buyerKey },
  )
  return row ?? null
}

/** How many units one network has in checkout at this drop. */
const UNPAID = `COALESCE(sum(h."quantity") FILTER (WHERE h."state" = 'held' AND h."dropId" = :dropId), 0)::int`

/** How many of them have the wanted value of the drop's option. */
const VALUE_UNPAID = `COALESCE(sum(h."quantity") FILTER (WHERE h."state" = 'held' AND h."valueId" = :valueId::int), 0)::int`

/**
 * The same count after every other call of this network for this drop has committed. The database function takes a lock
 * until the transaction ends and then counts; the statement itself would see only what was committed before it began.
 */
export const LOCKED_UNPAID = 'lock_units_in_checkout(:originKey, :dropId)'
export const LOCKED_VALUE_UNPAID = 'lock_units_in_checkout(:originKey, :dropId, :valueId::int)'

/**
 * The columns that count one network's holds of the last two hours: units in checkout at this drop and, of all drops,
 * checkouts that ended unpaid and checkouts that were paid. A checkout that ended unpaid counts in proportion to how long
 * it kept its units, up to ten minutes, and half as much after every fifteen minutes.
 * @param unpaid how the units in checkout are counted
 * @param valueUnpaid how those of one value of the drop's option are counted
 */
export const ownHoldsSql = (unpaid: string, valueUnpaid = '0') => `
  SELECT ${unpaid} AS "unpaid", ${valueUnpaid} AS "valueUnpaid",
         COALESCE(sum(${keptPart('h."settledAt"')}
                      * power(0.5, extract(epoch FROM now() - h."settledAt") / 900))
                  FILTER (WHERE ${stockSql.endedUnpaid('h')}), 0)::float8 AS "expired",
         (count(*) FILTER (WHERE h."state" = 'sold'))::int AS "paid"
    FROM "Hold" h WHERE h."originKey" = :originKey`

/**
 * Whether there is an unpaid checkout `w`, open or ended, that began longer ago than a rush lasts and within the last half hour
 * (docs/product.md#when-many-buy-at-once).
 */
const isLastingSql = (where: string) => `EXISTS (
  SELECT 1 FROM "Hold" w WHERE ${where} AND w."run" = d."run" AND w."state" <> 'sold' AND w."originKey" IS NOT NULL
     AND (w."state" = 'held' OR ${stockSql.endedUnpaid('w')})
     AND w."createdAt" <= now() - interval '${RUSH_SECONDS} seconds'
     AND w."createdAt" > now() - interval '${LASTING_SECONDS} seconds')`

export const IS_LASTING = isLastingSql('w."dropId" = d."id"')
/** The same for one value `v` of the drop's option. */
export const VALUE_IS_LASTING = isLastingSql('w."valueId" = v."id"')

/** The pressure on a drop, or on the value of its option whose id is given. */
export type PressureOn = Pressure & { valueId: number | null }

/**
 * The current pressure on a drop and, for a drop with options, on the wanted value, with what one network has in checkout
 * there.
 */
export function readPressure(
  { sql }: Database,
  wanted: { dropId: number; valueId: number | null; originKey: string },
): Promise<PressureOn[]> {
  return sql<PressureOn>(
    'read-pressure',
    `WITH origin AS MATERIALIZED (${ownHoldsSql(UNPAID, VALUE_UNPAID)})
     SELECT NULL::int AS "valueId", ${stockSql.unsold} AS "unsold", d."held" AS "unpaid", ${IS_LASTING} AS "isLasting",
            o."unpaid" AS "ownUnpaid", o."expired" AS "ownExpired", o."paid" AS "ownPaid"
       FROM "Drop" d, origin o WHERE d."id" = :dropId
     UNION ALL
     SELECT v."id", ${valueSql.unsold}, v."held", ${VALUE_IS_LASTING}, o."valueUnpaid", o."expired", o."paid"
       FROM "OptionValue" v JOIN "Drop" d ON d."id" = v."dropId", origin o WHERE d."id" = :dropId AND v."id" = :valueId::int`,
    wanted,
  )
}

/**
 * Some of the open checkouts that have expired. They are not sorted, so that ones that keep failing do not block the
 * rest.
 */
export function listOverdueCheckouts({ sql }: Database, limit: number): Promise<OpenCheckout[]> {
  return sql<OpenCheckout>(
    'overdue-checkouts',
    `${OPEN_CHECKOUT} WHERE (h."state" = 'held' OR ${YIELDED}) AND h."expiresAt" <= now() ORDER BY random() LIMIT :limit`,
    { limit },
  )
}

/** The given orders that are not paid as far as we know, or whose card fee is not known yet. */
export async function listUnsettledOrderIds({ sql }: Database, orderIds: readonly string[]): Promise<Set<string>> {
  const rows = await sql<{ id: string }>(
    'unsettled-orders',
    'SELECT "id" FROM "Order" WHERE "id" = ANY(:orderIds) AND ("paidAt" IS NULL OR "cardFeeCents" IS NULL)',
    { orderIds },
  )
  return new Set(rows.map((row) => row.id))
}

/** Payments whose card fee Stripe had not reported when they were settled. After a week they are no longer checked. */
export function listPaymentsWithoutFee({ sql }: Database, limit: number): Promise<{ stripeId: string }[]> {
  return sql<{ stripeId: string }>(
    'payments-without-fee',
    `SELECT coalesce("stripeSessionId", "stripePaymentIntentId") AS "stripeId" FROM "Order"
      WHERE "paidAt" IS NOT NULL AND "cardFeeCents" IS NULL AND "paidAt" > now() - interval '7 days'
        AND coalesce("stripeSessionId", "stripePaymentIntentId") IS NOT NULL
      ORDER BY random() LIMIT :limit`,
    { limit },
  )
}

/** A refund that Stripe has not settled yet, or has not received. */
export type OpenRefund = {
  id: string
  orderId: string
  requestedBy: string
  stripeRefundId: string | null
  createdAt: Date
}

/**
 * Refunds that may not have reached Stripe because it was not available at the time, and those that it keeps pending, whose
 * event may have been lost. The oldest come first.
 */
export async function listOpenRefunds(db: Db, limit: number): Promise<OpenRefund[]> {
  const select = { id: true, orderId: true, requestedBy: true, stripeRefundId: true, createdAt: true } as const
  const orderBy = { createdAt: 'asc' } as const
  const unsent = { state: 'pending', stripeRefundId: null } as const
  const sent = { state: 'pending', stripeRefundId: { not: null } } as const
  // Many can be pending for days while the platform's balance is too small. They must not keep unsent ones from their turn.
  return [
    ...(await db.refund.findMany({ where: unsent, orderBy, select, take: limit })),
    ...(await db.refund.findMany({ where: sent, orderBy, select, take: limit })),
  ]
}

/**
 * Finds an order by the id in the success page's address: a session or, for the embedded checkout, a payment intent.
 */
export function findOrderByPayment(db: Db, stripeId: string) {
  const where = isPaymentIntent(stripeId) ? { stripePaymentIntentId: stripeId } : { stripeSessionId: stripeId }
  return db.order.findUnique({ where })
}

/** The state of a buyer's refund request. */
function requestOf({ refunds, status }: { refunds: Refund[]; status: OrderStatus }): BuyerOrderView['request'] {
  const declined = refunds.filter(({ state }) => state === 'declined')
  const from = askAgainFrom(declined.map(({ settledAt, createdAt }) => settledAt ?? createdAt))
  const isOpen = refunds.some(({ state }) => state === 'requested')
  const last = isRefundable(status) && !isOpen ? declined.at(-1) : undefined
  return {
    isOpen,
    declined: last ? { answer: last.answer } : null,
    askAgainFrom: isRefundable(status) && !isOpen ? (from?.toISOString() ?? null) : null,
  }
}

/** The progress of a refund that the platform owes the buyer. */
function owedRefundOf({ refunds }: { refunds: Refund[] }): BuyerOrderView['owedRefund'] {
  const owed = refunds.find(isOwedByPlatform)
  if (!owed) return null
  if (owed.state === 'failed') return 'failed'
  return owed.state === 'succeeded' ? 'sent' : 'pending'
}

/** The order that a buyer's link leads to, with its drop. */
export async function findBuyerOrder(db: Db, token: string): Promise<BuyerOrderView | null> {
  const order = await db.order.findUnique({
    where: { token },
    include: {
      seller: { select: { username: true, firstName: true, deletedAt: true } },
      refunds: { orderBy: { createdAt: 'asc' } },
      disputes: { orderBy: { createdAt: 'asc' } },
      downloads: { orderBy: { createdAt: 'asc' }, select: { createdAt: true } },
      drop: {
        select: {
          uniqueId: true,
          customSlug: true,
          shippingNote: true,
          images: { orderBy: { position: 'asc' }, take: 1 },
          digitalFile: { select: { source: true, url: true, fileName: true } },
        },
      },
    },
  })
  if (!order) return null
  const [image] = order.drop.images
  const file = mayDownload(order.status) ? order.drop.digitalFile : null
  return {
    token: order.token,
    status: order.status,
    title: order.dropTitle,
    productType: order.productType,
    quantity: order.quantity,
    amountCents: order.amountCents,
    discount: discountOfOrder(order),
    refundedCents: order.refundedCents,
    paidAt: order.paidAt?.toISOString() ?? null,
    createdAt: order.createdAt.toISOString(),
    reference: referenceOf(order.id),
    unitPriceCents: order.unitPriceCents,
    buyerName: order.buyerName,
    email: order.buyerEmail,
    address: toAddress(order),
    carrier: order.carrier,
    trackingNumber: order.trackingNumber,
    shippingNote: order.drop.shippingNote,
    seller: { username: order.seller.username, firstName: order.seller.firstName },
    isSellerGone: order.seller.deletedAt !== null,
    drop: {
      identifier: canonicalIdentifier(order.drop),
      imageSrc: image ? imageSrc(image.key, image.widths[0] ?? image.width) : null,
    },
    digitalUrl: file?.url ?? null,
    file:
      file?.source === 'upload'
        ? { name: file.fileName, downloadsLeft: Math.max(0, DOWNLOADS_PER_ORDER - order.downloads.length) }
        : null,
    timeline: orderTimeline({ ...order, transfer: null }, 'buyer'),
    request: requestOf(order),
    owedRefund: owedRefundOf(order),
    isSent: order.shippedAt !== null,
    isLost: isLostOrder(order),
    completion: completionOf(order),
  }
}
