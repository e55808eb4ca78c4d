import 'server-only'
import type { Order } from '@prisma/client'
import { dropPath } from '@/lib/drops/rules'
import { type DropImageView, toImageView } from '@/lib/drops/view'
import type { Context } from '@/lib/infra/context'
import { orderError } from './messages'
import { findOrderByPayment } from './queries'
import { sessionIdSchema } from './schema'
import { settleCheckout } from './settle-checkout'

/**
 * Returns the order of a payment once it is paid. A pending order is settled with Stripe first, so that a late webhook
 * does not delay the buyer (docs/product.md#after-paying).
 * @returns null while the order is not paid, and for an unknown session.
 */
async function findPaidOrder(ctx: Context, sessionId: string): Promise<Order | null> {
  if (!sessionIdSchema.safeParse(sessionId).success) return null
  const order = await findOrderByPayment(ctx.db, sessionId)
  if (!order || order.paidAt) return order
  if (ctx.payments === 'off') return null
  await settleCheckout(ctx, sessionId)
  const settled = await findOrderByPayment(ctx.db, sessionId)
  return settled?.paidAt ? settled : null
}

/**
 * Returns the paid order of a Stripe session or payment intent. An order that is still pending is settled first.
 * @throws NOT_FOUND for an unknown session and for one that is not paid.
 */
export async function getPaidOrder(ctx: Context, sessionId: string): Promise<Order> {
  const order = await findPaidOrder(ctx, sessionId)
  if (!order) throw orderError('NOT_FOUND')
  return order
}

/**
 * Returns what a success page needs: the order, paid or not yet, and the path and first picture of its drop.
 * @returns null for an unknown session.
 */
export async function findCheckout(
  ctx: Context,
  sessionId: string,
): Promise<{ order: Order; dropPath: string; image: DropImageView | null } | null> {
  const paid = await findPaidOrder(ctx, sessionId).catch((error: unknown) => {
    // A buyer who has just paid must not see an error page because Stripe is slow; the page says that the payment is
    // being confirmed.
    ctx.log.error({ cause: String(error) }, 'order not settled by its success page')
    return null
  })
  const order = paid ?? (await findKnownOrder(ctx, sessionId))
  if (!order) return null
  const drop = await ctx.db.drop.findUniqueOrThrow({
    where: { id: order.dropId },
    include: { images: { orderBy: { position: 'asc' }, take: 1 } },
  })
  const [image] = drop.images
  return { order, dropPath: dropPath(drop), image: image ? toImageView(image) : null }
}

function findKnownOrder(ctx: Context, sessionId: string): Promise<Order | null> {
  return sessionIdSchema.safeParse(sessionId).success ? findOrderByPayment(ctx.db, sessionId) : Promise.resolve(null)
}
