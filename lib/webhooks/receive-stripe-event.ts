import 'server-only'
import type Stripe from 'stripe'
import type { Context } from '@/lib/infra/context'
import { isStripeMissing } from '@/lib/infra/stripe-errors'
import { refreshPayoutAccount } from '@/lib/payouts/refresh-payouts'
import { settleCheckout } from '@/lib/orders/settle-checkout'
import { syncPayment } from '@/lib/orders/sync-payment'
import { followPlanRefund } from '@/lib/subscriptions/follow-plan-refund'
import { syncSubscription } from '@/lib/subscriptions/sync-subscription'
import { finishMoneyBack } from '@/lib/subscriptions/take-money-back'

/**
 * Handles an event from Stripe: stores it once, acts on the current state at Stripe (not on the content of the event),
 * and marks it as processed. Only an error leaves it unprocessed, so that Stripe sends it again. Even without events,
 * the sweep finds what was paid.
 * @returns the outcome, for Stripe's own log.
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

/**
 * Reads an object's id from an event, expanded or not. The SDK's types are not trusted here: anything that is not a
 * short word gives null.
 */
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
      // The payment intent of a hosted session is settled through its session.
      return isEmbedded(event.data.object) ? settleKnown(ctx, objectId) : 'ignored'
    // For some payments Stripe reports the card fee only a while later, with this event.
    case 'charge.updated':
    case 'refund.created':
    case 'refund.updated':
    case 'refund.failed': {
      const outcome = await syncOrderOf(ctx, idOf(event.data.object.payment_intent))
      return outcome === 'unknown' ? syncPlanRefund(ctx, objectId) : outcome
    }
    case 'charge.refunded':
    case 'charge.dispute.created':
    case 'charge.dispute.updated':
    case 'charge.dispute.closed':
    case 'charge.dispute.funds_withdrawn':
    case 'charge.dispute.funds_reinstated':
      return syncOrderOf(ctx, idOf(event.data.object.payment_intent))
    default:
      return 'ignored'
  }
}

const isEmbedded = (intent: { metadata?: Stripe.Metadata | null }) => intent.metadata?.door === 'embedded'

async function syncPlan(ctx: Context, customerId: string | null): Promise<string> {
  return customerId ? syncSubscription(ctx, customerId) : 'ignored'
}

/** A refund that belongs to no order may be one of a payment for Pro. */
async function syncPlanRefund(ctx: Context, refundId: string): Promise<string> {
  const customerId = await followPlanRefund(ctx, refundId)
  if (customerId) await finishMoneyBack(ctx, customerId)
  return 'unknown'
}

/**
 * Settles the payment before it records a refund or dispute, because that event may arrive before the event of the
 * payment.
 */
async function syncOrderOf(ctx: Context, intentId: string | null): Promise<string> {
  return intentId ? syncPayment(ctx, intentId) : 'ignored'
}

/** Settles a session. An event about a session that Stripe does not know is not tried again. */
async function settleKnown(ctx: Context, sessionId: string): Promise<string> {
  if (sessionId === '') return 'ignored'
  try {
    return await settleCheckout(ctx, sessionId)
  } catch (error) {
    if (isStripeMissing(error)) return 'unknown'
    throw error
  }
}
