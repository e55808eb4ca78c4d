import 'server-only'
import type { Context } from '@/lib/infra/context'
import { isStripeMissing } from '@/lib/infra/stripe-errors'
import { onceKeyIsFree } from '@/lib/infra/stripe-keys'

/**
 * The Stripe customer of a user, created once: the idempotency key belongs to the user, and Stripe repeats the first
 * answer.
 */
export async function ensureCustomer(ctx: Context, userId: number): Promise<string> {
  const user = await ctx.db.user.findUniqueOrThrow({ where: { id: userId } })
  if (user.stripeCustomerId) {
    if (await isKnown(ctx, user.stripeCustomerId)) return user.stripeCustomerId
    const where = { id: userId, stripeCustomerId: user.stripeCustomerId }
    await ctx.db.user.updateMany({ where, data: { stripeCustomerId: null } })
  }
  const replaced = user.stripeCustomerId ? `-after-${user.stripeCustomerId}` : ''
  const customer = await onceKeyIsFree(() =>
    ctx
      .stripe()
      .customers.create(
        { email: user.email, name: `${user.firstName} ${user.lastName}`.trim(), metadata: { userId: String(userId) } },
        { idempotencyKey: `customer-${userId}-${user.createdAt.getTime()}${replaced}` },
      ),
  )
  await ctx.db.user.updateMany({
    where: { id: userId, stripeCustomerId: null },
    data: { stripeCustomerId: customer.id },
  })
  const { stripeCustomerId } = await ctx.db.user.findUniqueOrThrow({ where: { id: userId } })
  return stripeCustomerId ?? customer.id
}

/** After a change of API keys Stripe no longer knows our customers. */
async function isKnown(ctx: Context, customerId: string): Promise<boolean> {
  try {
    return !(await ctx.stripe().customers.retrieve(customerId)).deleted
  } catch (error) {
    if (isStripeMissing(error)) return false
    throw error
  }
}
