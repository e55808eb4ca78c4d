import 'server-only'
import type { Context } from '@/lib/infra/context'
import { isStripeMissing } from '@/lib/infra/stripe-errors'
import { onceKeyIsFree } from '@/lib/infra/stripe-keys'

/**
 * Returns the id of the user's Stripe customer, and creates one if there is none or Stripe no longer has it. Simultaneous
 * calls use the same idempotency key, so they create only one.
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

/**
 * Whether Stripe still has this customer. It does not when the customer was deleted, or when the API keys were replaced by
 * those of another account.
 */
async function isKnown(ctx: Context, customerId: string): Promise<boolean> {
  try {
    return !(await ctx.stripe().customers.retrieve(customerId)).deleted
  } catch (error) {
    if (isStripeMissing(error)) return false
    throw error
  }
}
