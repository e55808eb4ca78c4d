import 'server-only'
import type Stripe from 'stripe'
import type { Context } from '@/lib/infra/context'
import { isStripeUnavailable } from '@/lib/infra/stripe-errors'
import { MINUTE_MS, SECOND_MS } from '@/lib/kernel/time'
import { receiveStripeEvent } from './receive-stripe-event'

/** A younger event is usually still on its way as a webhook. */
const IS_LOST_AFTER_MS = MINUTE_MS
/** How many events one call handles, so that a long outage of webhooks does not block the sweep. */
const MOST_EVENTS = 50

/**
 * Handles those of the events that did not arrive or were not handled, as if they arrived now. An event that was
 * handled is left alone. Without this, a lost event about a dispute would mean that the payout is sent although the
 * bank has taken the money. Events of the last minute are left to the webhook, and events above MOST_EVENTS to the next
 * call.
 * @param events events that were read from Stripe's list, the newest first
 * @throws Stripe's error when Stripe is not available
 */
export async function receiveLostEvents(ctx: Context, events: readonly Stripe.Event[]): Promise<void> {
  const until = (ctx.clock.now().getTime() - IS_LOST_AFTER_MS) / SECOND_MS
  const old = events.filter(({ created }) => created <= until)
  if (old.length === 0) return
  const known = await ctx.db.webhookEvent.findMany({
    where: { id: { in: old.map(({ id }) => id) } },
    select: { id: true, handledAt: true, attempts: true },
  })
  const attempts = new Map(known.map((event) => [event.id, event.handledAt ? null : event.attempts]))
  // The oldest event comes first, as it would have arrived, but after those that were tried less often. Otherwise
  // events that fail every time would keep the others from being handled.
  const lost = old
    .filter(({ id }) => attempts.get(id) !== null)
    .toReversed()
    .sort((a, b) => (attempts.get(a.id) ?? 0) - (attempts.get(b.id) ?? 0))
  for (const event of lost.slice(0, MOST_EVENTS)) {
    await receiveStripeEvent(ctx, event).catch((error: unknown) => {
      // Each further event would wait as long, and meanwhile no other work of the sweep is done.
      // Any other error is in the log, and the event is tried again.
      if (isStripeUnavailable(error)) throw error
    })
  }
}
