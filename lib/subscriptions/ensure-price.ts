import 'server-only'
import type { Context } from '@/lib/infra/context'
import { isStripeRefusal } from '@/lib/infra/stripe-errors'
import { createDespiteFailure } from '@/lib/infra/create-despite-failure'
import { brand } from '@/lib/kernel/brand'
import { type BillingPeriod, proPriceCents } from '@/lib/plans/rules'

const PRODUCT_ID = 'lastcall_pro'

/**
 * A price at Stripe cannot change its amount. Another amount gets another key, and existing subscribers keep their
 * price.
 */
function lookupKey(period: BillingPeriod): string {
  return `${PRODUCT_ID}_${period}_${proPriceCents[period]}`
}

/**
 * Returns the id of the price at Stripe for a billing period of Pro. Creates the price on first use, so nobody has to
 * set it up in the Dashboard.
 */
export async function ensurePrice(ctx: Context, period: BillingPeriod): Promise<string> {
  const found = await findPrice(ctx, period)
  if (found) return found
  try {
    await ctx.stripe().products.create({ id: PRODUCT_ID, name: `${brand.name} Pro` })
  } catch (error) {
    // Stripe refuses the product when it exists already, and the price is then added to it.
    if (!isStripeRefusal(error)) throw error
  }
  try {
    return await createDespiteFailure(
      { key: `price-${lookupKey(period)}`, now: ctx.clock.now() },
      {
        find: () => findPrice(ctx, period),
        create: async (idempotencyKey) => {
          const price = await ctx.stripe().prices.create(
            {
              product: PRODUCT_ID,
              currency: 'usd',
              unit_amount: proPriceCents[period],
              recurring: { interval: period === 'yearly' ? 'year' : 'month' },
              lookup_key: lookupKey(period),
              // An archived price keeps its key, and Stripe refuses a key that is in use.
              transfer_lookup_key: true,
            },
            { idempotencyKey },
          )
          return price.id
        },
      },
    )
  } catch (error) {
    // Another process may just have created the price.
    const made = isStripeRefusal(error) ? await findPrice(ctx, period) : null
    if (made) return made
    throw error
  }
}

async function findPrice(ctx: Context, period: BillingPeriod): Promise<string | null> {
  const { data } = await ctx.stripe().prices.list({ lookup_keys: [lookupKey(period)], active: true, limit: 1 })
  return data[0]?.id ?? null
}
