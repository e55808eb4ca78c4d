import 'server-only'
import type { Context } from '@/lib/infra/context'
import { isStripeRefusal } from '@/lib/infra/stripe-errors'
import { onceKeyIsFree } from '@/lib/infra/stripe-keys'
import { brand } from '@/lib/kernel/brand'
import { type BillingPeriod, proPriceCents } from '@/lib/plans/rules'

const PRODUCT_ID = 'lastcall_pro'

/** A price never changes at Stripe: another amount gets another key, and existing subscribers keep their price. */
function lookupKey(period: BillingPeriod): string {
  return `${PRODUCT_ID}_${period}_${proPriceCents[period]}`
}

/** The price of Pro at Stripe, created on first use, so that nothing has to be set up in the dashboard. */
export async function ensurePrice(ctx: Context, period: BillingPeriod): Promise<string> {
  const found = await findPrice(ctx, period)
  if (found) return found
  try {
    await ctx.stripe().products.create({ id: PRODUCT_ID, name: `${brand.name} Pro` })
  } catch (error) {
    if (!isStripeRefusal(error)) throw error
  }
  try {
    const price = await onceKeyIsFree(() =>
      ctx.stripe().prices.create(
        {
          product: PRODUCT_ID,
          currency: 'usd',
          unit_amount: proPriceCents[period],
          recurring: { interval: period === 'yearly' ? 'year' : 'month' },
          lookup_key: lookupKey(period),
        },
        { idempotencyKey: `price-${lookupKey(period)}` },
      ),
    )
    return price.id
  } catch (error) {
    // Another process created it a moment ago.
    const made = isStripeRefusal(error) ? await findPrice(ctx, period) : null
    if (made) return made
    throw error
  }
}

async function findPrice(ctx: Context, period: BillingPeriod): Promise<string | null> {
  const { data } = await ctx.stripe().prices.list({ lookup_keys: [lookupKey(period)], active: true, limit: 1 })
  return data[0]?.id ?? null
}
