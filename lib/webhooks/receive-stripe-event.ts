import 'server-only'
import type Stripe from 'stripe'
import type { Context } from '@/lib/infra/context'
import { isStripeMissing } from '@/lib/infra/stripe-errors'
import { refreshPayoutAccount } from '@/lib/payouts/refresh-payouts'
import { settleCheckout } from '@/lib/orders/settle-checkout'
import { syncPayment } from '@/lib/orders/sync-payment'
import { syncSubscription } from '@/lib/subscriptions/sync-subscription'

/**
 * Stripe's inbox: an event is written once, acted on from what Stripe says now and not from what the event held, and
 * stamped. Only an error leaves it open, and Stripe tries again; the sweep finds by itself what was paid.
 * @returns what was done, for Stripe's own log.
 */
export async function receiveStripeEvent(ctx: Context, event: Stripe.Event): Promise<string> {
  const objectId = idOf(event.data.object) ?? ''
  const [row] = await ctx.sql<{ handledAt: Date | null; outcome: string | null }>(
    'inbox-insert',
    `INSERT INTO "WebhookEvent" ("id", "type", "objectId", "attempts") VALUES (:id, :type, :objectId, 1)
     ON CONFLICT ("id") DO UPDATE SET "attempts" = "WebhookEvent"."attempts" + 1
     RETURNING "handledAt", "outcome"`,
    { id: event.id, type: event.type, objectId },
  )
  if (row?.handledAt) return `duplicate: ${row.outcome ?? 'handled'}`
  const outcome = await actOn(ctx, event, objectId)
  await ctx.sql(
    'inbox-handled',
    'UPDATE "WebhookEvent" SET "handledAt" = now(), "outcome" = :outcome WHERE "id" = :id AND "handledAt" IS NULL',
    { id: event.id, outcome },
  )
  return outcome
}

/** Whatever its type says of an object, an event is read as what came: an id is a string of its letters, or there is none. */
function idOf(value: unknown): string | null {
  const id = typeof value === 'object' && value !== null && 'id' in value ? value.id : value
  return typeof id === 'string' && /^\w{1,255}$/.test(id) ? id : null
}

async function actOn(ctx: Context, event: Stripe.Event, objectId: string): Promise<string> {
  switch (event.type) {
    case 'customer.subscription.created':
    case 'customer.subscription.updated':
    case 'customer.subscription.deleted':
    case 'invoice.paid':
    case 'invoice.payment_failed':
      return syncPlan(ctx, idOf(event.data.object.customer))
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
    case 'checkout.session.async_payment_failed':
    case 'checkout.session.expired':
      return settleKnown(ctx, objectId)
    case 'account.updated':
      return refreshPayoutAccount(ctx, objectId)
    case 'payment_intent.succeeded':
    case 'payment_intent.canceled':
      // The intent of a hosted session is settled by its session.
      return isEmbedded(event.data.object) ? settleKnown(ctx, objectId) : 'ignored'
    // What the card cost is known a while after some payments.
    case 'charge.updated':
    case 'charge.refunded':
    case 'refund.created':
    case 'refund.updated':
    case 'refund.failed':
    case 'charge.dispute.created':
    case 'charge.dispute.updated':
    case 'charge.dispute.closed':
      return syncOrderOf(ctx, idOf(event.data.object.payment_intent))
    default:
      return 'ignored'
  }
}

const isEmbedded = (intent: { metadata?: Stripe.Metadata | null }) => intent.metadata?.door === 'embedded'

async function syncPlan(ctx: Context, customerId: string | null): Promise<string> {
  return customerId ? syncSubscription(ctx, customerId) : 'ignored'
}

/** Money that went back, perhaps before we heard that it came: the payment is settled first. */
async function syncOrderOf(ctx: Context, intentId: string | null): Promise<string> {
  return intentId ? syncPayment(ctx, intentId) : 'ignored'
}

/** An event of a session that Stripe itself does not know is nothing to try again. */
async function settleKnown(ctx: Context, sessionId: string): Promise<string> {
  if (sessionId === '') return 'ignored'
  try {
    return await settleCheckout(ctx, sessionId)
  } catch (error) {
    if (isStripeMissing(error)) return 'unknown'
    throw error
  }
}
