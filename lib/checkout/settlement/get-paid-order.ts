import 'server-only'
import type { Order } from '@prisma/client'
import { findEdition } from '@/lib/drops/editions/edition-queries'
import type { EditionView } from '@/lib/drops/editions/edition-view'
import { dropPath } from '@/lib/drops/rules'
import { type DropImageView, toImageView } from '@/lib/drops/view'
import type { Context } from '@/lib/infra/context'
import { consume, type RateLimit } from '@/lib/infra/rate-limit'
import { DAY_MS, SECOND_MS } from '@/lib/kernel/time'
import { orderError } from '@/lib/orders/messages'
import { findOrderByPayment } from '../queries'
import { sessionIdSchema } from '../field-schema'
import { settleCheckout, type Settlement } from './settle-checkout'
import { type BuyerOrderView, fileOfOrder } from '@/lib/orders/view'

/**
 * How often an unpaid order is read from Stripe for those who request it. Stripe limits our calls (ADR 0045), so nobody
 * may use them up by requesting one order again and again. The webhook and the sweep settle the order in any case.
 */
const READS: RateLimit = { name: 'order-read', points: 300, windowSeconds: DAY_MS / SECOND_MS }

/**
 * Finds the order of a payment. A pending order is settled with Stripe first, so that a late webhook does not delay the
 * buyer (docs/product.md#after-paying).
 * @returns the order, whether or not it is paid, and what Stripe said about it; null for an unknown session.
 */
async function findSettled(ctx: Context, sessionId: string): Promise<{ order: Order; settlement?: Settlement } | null> {
  const order = await findKnownOrder(ctx, sessionId)
  if (!order || order.paidAt || ctx.payments === 'off') return order && { order }
  if ((await consume(READS, order.id)) !== null) return { order }
  const settlement = await settleCheckout(ctx, sessionId)
  return { order: (await findOrderByPayment(ctx.db, sessionId)) ?? order, settlement }
}

/**
 * Returns the paid order of a Stripe session or payment intent. An order that is not paid yet is settled first.
 * @throws NOT_FOUND for an unknown session or payment intent, and for an order that is not paid.
 */
export async function getPaidOrder(ctx: Context, sessionId: string): Promise<Order> {
  const { order } = (await findSettled(ctx, sessionId)) ?? {}
  if (!order?.paidAt) throw orderError('NOT_FOUND')
  return order
}

type KnownCheckout = {
  order: Order
  /** Whether nothing was paid and no attempt to pay is under way, although the checkout is still open. */
  isUnpaid: boolean
  dropPath: string
  /** What the order page has for the buyer of a digital drop. */
  digital: 'key' | 'download' | null
  image: DropImageView | null
  /** The numbers of a paid order of a numbered drop; null for any other order. */
  edition: EditionView | null
} & Pick<BuyerOrderView, 'digitalUrl' | 'file'>

/**
 * Returns what a success page needs: the order, whether or not it is paid, the path and first picture of its drop,
 * and what the buyer got: numbers, or a file.
 * @returns null for an unknown session.
 */
export async function findCheckout(ctx: Context, sessionId: string): Promise<KnownCheckout | null> {
  const found = await findSettled(ctx, sessionId).catch(async (error: unknown) => {
    // A buyer who has just paid must not see an error page because Stripe is slow. The page then says that the payment
    // is being confirmed.
    ctx.log.error({ cause: String(error) }, 'order not settled by its success page')
    const order = await findKnownOrder(ctx, sessionId)
    return order && { order, settlement: undefined }
  })
  if (!found) return null
  const { order, settlement } = found
  const drop = await ctx.db.drop.findUniqueOrThrow({
    where: { id: order.dropId },
    include: {
      digitalFile: { select: { source: true, url: true, fileName: true } },
      images: { orderBy: { position: 'asc' }, take: 1 },
    },
  })
  const [image] = drop.images
  const isUnpaid = settlement === 'unpaid'
  const hasOnlyKeys = drop.keysGiven !== null && !drop.digitalFile
  const digital = order.productType === 'digital' ? (hasOnlyKeys ? 'key' : 'download') : null
  const downloads = drop.digitalFile ? await ctx.db.download.count({ where: { orderId: order.id } }) : 0
  return {
    order,
    isUnpaid,
    dropPath: dropPath(drop),
    digital,
    image: image ? toImageView(image) : null,
    edition: drop.isNumbered ? await findEdition(ctx.db, order.id) : null,
    ...fileOfOrder(order, drop.digitalFile, downloads),
  }
}

function findKnownOrder(ctx: Context, sessionId: string): Promise<Order | null> {
  return sessionIdSchema.safeParse(sessionId).success ? findOrderByPayment(ctx.db, sessionId) : Promise.resolve(null)
}
