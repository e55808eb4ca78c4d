import 'server-only'
import type { Context } from '@/lib/infra/context'
import { isStripeMissing } from '@/lib/infra/stripe-errors'
import { createDespiteFailure } from '@/lib/infra/create-despite-failure'

/**
 * Returns the id of the user's Stripe customer. Creates a customer if none is stored, or if Stripe no longer has the
 * stored one. Simultaneous calls use the same idempotency key, so they create only one customer.
 */
export async function ensureCustomer(ctx: Context, userId: number): Promise<string> {
  const user = await ctx.db.user.findUniqueOrThrow({ where: { id: userId } })
  const { stripeCustomerId: known } = user
  if (known && (await isKnown(ctx, known))) return known
  const replaced = known ? `-after-${known}` : ''
  const key = `customer-${userId}-${user.createdAt.getTime()}${replaced}`
  const details = {
    email: user.email,
    name: `${user.firstName} ${user.lastName}`.trim(),
    metadata: { userId: String(userId) },
  }
  const customer = await createDespiteFailure(
    { key, now: ctx.clock.now() },
    {
      find: async () => {
        const { data } = await ctx.stripe().customers.list({ email: user.email, limit: 100 })
        return data.find(({ id, metadata }) => id !== known && metadata.userId === details.metadata.userId) ?? null
      },
      create: (idempotencyKey) => ctx.stripe().customers.create(details, { idempotencyKey }),
    },
  )
  await ctx.db.user.updateMany({
    where: { id: userId, stripeCustomerId: known },
    data: { stripeCustomerId: customer.id },
  })
  const { stripeCustomerId } = await ctx.db.user.findUniqueOrThrow({ where: { id: userId } })
  return stripeCustomerId ?? customer.id
}

/**
 * Whether Stripe still has this customer. A customer is missing if it was deleted, or if the API keys were replaced by
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
