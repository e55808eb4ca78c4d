import 'server-only'
import type { Context } from '@/lib/infra/context'
import { isStripeRefusal } from '@/lib/infra/stripe-errors'
import { SECOND_MS } from '@/lib/kernel/time'

/**
 * Cancels a customer's subscriptions that existed at this time. A later subscription is another purchase. May run any
 * number of times.
 */
export async function cancelUntil(ctx: Context, customerId: string, until: Date): Promise<void> {
  const all = await ctx.stripe().subscriptions.list({ customer: customerId, status: 'all', limit: 100 })
  for (const { id, status, created } of all.data) {
    if (created * SECOND_MS > until.getTime() || ['canceled', 'incomplete_expired'].includes(status)) continue
    try {
      await ctx.stripe().subscriptions.cancel(id)
    } catch (error) {
      if (!isStripeRefusal(error)) throw error
    }
  }
}
