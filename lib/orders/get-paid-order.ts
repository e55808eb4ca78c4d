import 'server-only'
import type { Order } from '@prisma/client'
import { dropPath } from '@/lib/drops/rules'
import type { Context } from '@/lib/infra/context'
import { orderError } from './messages'
import { findOrderByPayment } from './queries'
import { sessionIdSchema } from './schema'
import { settleCheckout } from './settle-checkout'

/**
 * The order of a payment, once it is paid. A pending one is settled first, so that a late webhook goes unnoticed
 * (docs/product.md#after-paying).
 * @returns null while it is not paid; unknown sessions too.
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

/** @throws NOT_FOUND for an unknown session and for one that is not paid. */
export async function getPaidOrder(ctx: Context, sessionId: string): Promise<Order> {
  const order = await findPaidOrder(ctx, sessionId)
  if (!order) throw orderError('NOT_FOUND')
  return order
}

/** What a success page needs: the order, paid or not yet, and its drop's page; null for an unknown session. */
export async function findCheckout(
  ctx: Context,
  sessionId: string,
): Promise<{ order: Order; dropPath: string } | null> {
  const paid = await findPaidOrder(ctx, sessionId).catch((error: unknown) => {
    // Whoever has just paid must not meet an error page because Stripe is slow: it is being confirmed.
    ctx.log.error({ cause: String(error) }, 'order not settled by its success page')
    return null
  })
  const order = paid ?? (await findKnownOrder(ctx, sessionId))
  if (!order) return null
  const drop = await ctx.db.drop.findUniqueOrThrow({ where: { id: order.dropId } })
  return { order, dropPath: dropPath(drop) }
}

function findKnownOrder(ctx: Context, sessionId: string): Promise<Order | null> {
  return sessionIdSchema.safeParse(sessionId).success ? findOrderByPayment(ctx.db, sessionId) : Promise.resolve(null)
}
