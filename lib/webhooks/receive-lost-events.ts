import 'server-only'
import type Stripe from 'stripe'
import type { Context } from '@/lib/infra/context'
import { receiveStripeEvent } from './receive-stripe-event'

/**
 * Handles those of the events that did not arrive or were not handled, as if they arrived now. An event that was handled is
 * left alone. If the event of a dispute is lost, a payout leaves although the bank has the money.
 * @param events events that were read from Stripe's list, the newest first
 */
export async function receiveLostEvents(ctx: Context, events: readonly Stripe.Event[]): Promise<void> {
  if (events.length === 0) return
  const known = await ctx.db.webhookEvent.findMany({
    where: { id: { in: events.map(({ id }) => id) }, handledAt: { not: null } },
    select: { id: true },
  })
  const handled = new Set(known.map(({ id }) => id))
  // The oldest event comes first, as it would have arrived.
  for (const event of events.filter(({ id }) => !handled.has(id)).toReversed()) {
    await receiveStripeEvent(ctx, event).catch((error: unknown) => {
      ctx.log.error({ eventId: event.id, type: event.type, cause: String(error) }, 'a lost event was not handled')
    })
  }
}
