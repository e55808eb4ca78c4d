import 'server-only'
import type Stripe from 'stripe'
import { collector } from '@/lib/infra/collector'
import type { Context } from '@/lib/infra/context'
import type { Database } from '@/lib/infra/db'
import { isStripeMissing } from '@/lib/infra/stripe-errors'
import { UNFLUSHED } from '@/lib/infra/unflushed'
import { refreshPayoutAccount } from '@/lib/payouts/refresh-payouts'
import type { PayoutsState } from '@/lib/payouts/rules'
import { settleCheckout, type Settlement } from '@/lib/checkout/settlement/settle-checkout'
import { type SyncedPayment, syncPayment } from '@/lib/checkout/settlement/sync-payment'
import { endDisputedPlan } from '@/lib/subscriptions/end-disputed-plan'
import { followPlanRefund } from '@/lib/subscriptions/follow-plan-refund'
import { type SyncOutcome, syncSubscription } from '@/lib/subscriptions/sync-subscription'
import { finishMoneyBack } from '@/lib/subscriptions/take-money-back'

/**
 * Handles an event from Stripe. The event only says which object has changed. The action reads the current state of the
 * object at Stripe, and the event is then recorded as processed. After an error, the event counts as unprocessed and
 * Stripe sends it again. Even without events, the sweep finds payments.
 * @returns the outcome, for Stripe's own log.
 */
export async function receiveStripeEvent(ctx: Context, event: Stripe.Event): Promise<string> {
  const objectId = idOf(event.data.object) ?? ''
  const action = actionFor(event, objectId)
  if (!action) {
    ignored.add(event.id, { id: event.id, type: event.type, objectId, account: event.account ?? null })
    return 'ignored'
  }
  const [handled] = await ctx.sql<{ outcome: string | null }>(
    'inbox-again',
    `UPDATE "WebhookEvent" SET "attempts" = "attempts" + 1 WHERE "id" = :id AND "handledAt" IS NOT NULL RETURNING "outcome"`,
    { id: event.id },
  )
  if (handled) return `duplicate: ${handled.outcome ?? 'handled'}`
  let outcome: string | null = null
  try {
    outcome = await action(ctx)
    return outcome
  } catch (error) {
    ctx.log.error({ eventId: event.id, type: event.type, cause: String(error) }, 'an event was not handled')
    throw error
  } finally {
    await ctx.sql('inbox-write', INBOX_WRITE, {
      id: event.id,
      type: event.type,
      objectId,
      account: event.account ?? null,
      outcome,
    })
  }
}

/** Records a delivery after its action. A delivery without an outcome has failed. */
const INBOX_WRITE = `
  WITH ${UNFLUSHED}
  INSERT INTO "WebhookEvent" AS e ("id", "type", "objectId", "account", "attempts", "handledAt", "outcome")
  SELECT :id, :type, :objectId, :account, 1, CASE WHEN :outcome::text IS NULL THEN NULL ELSE now() END, :outcome::text
    FROM unflushed
  ON CONFLICT ("id") DO UPDATE SET "attempts" = e."attempts" + 1,
    "handledAt" = COALESCE(e."handledAt", EXCLUDED."handledAt"), "outcome" = COALESCE(e."outcome", EXCLUDED."outcome")`

type IgnoredEvent = { id: string; type: string; objectId: string; account: string | null }

/** Events that need no action are acknowledged right away, and stored together a second later. */
const ignored = collector<IgnoredEvent>('ignored-events', writeIgnored)

async function writeIgnored({ sql }: Database, events: IgnoredEvent[]): Promise<void> {
  await sql(
    'inbox-ignored',
    `WITH ${UNFLUSHED}
     INSERT INTO "WebhookEvent" AS e ("id", "type", "objectId", "account", "attempts", "handledAt", "outcome")
     SELECT t."id", t."type", t."objectId", t."account", 1, now(), 'ignored'
       FROM unflushed, unnest(:ids::text[], :types::text[], :objectIds::text[], :accounts::text[])
            AS t("id", "type", "objectId", "account") ORDER BY t."id"
     ON CONFLICT ("id") DO UPDATE SET "attempts" = e."attempts" + 1,
       "handledAt" = COALESCE(e."handledAt", EXCLUDED."handledAt"), "outcome" = COALESCE(e."outcome", EXCLUDED."outcome")`,
    {
      ids: events.map(({ id }) => id),
      types: events.map(({ type }) => type),
      objectIds: events.map(({ objectId }) => objectId),
      accounts: events.map(({ account }) => account),
    },
  )
}

/**
 * Reads an object's id from an event, expanded or not. The SDK's types are not trusted here, so the result is null for
 * any value that cannot be an id.
 */
function idOf(value: unknown): string | null {
  const id = typeof value === 'object' && value !== null && 'id' in value ? value.id : value
  return typeof id === 'string' && /^\w{1,255}$/.test(id) ? id : null
}

/** What an action did, for the inbox and for Stripe's log. */
type EventOutcome = SyncedPayment | Settlement | SyncOutcome | PayoutsState | 'plan ended' | 'unknown'
type Action = (ctx: Context) => Promise<EventOutcome>

/** Returns the action for an event, or null if the event needs none. */
function actionFor(event: Stripe.Event, objectId: string): Action | null {
  const { account } = event
  if (account) return actionForAccount(event.type, account)
  switch (event.type) {
    case 'customer.subscription.created':
    case 'customer.subscription.updated':
    case 'customer.subscription.deleted':
    case 'invoice.paid':
    case 'invoice.payment_failed':
      return syncPlan(idOf(event.data.object.customer))
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
    case 'checkout.session.async_payment_failed':
    case 'checkout.session.expired':
      return settleKnown(objectId)
    case 'account.updated':
      return (ctx) => refreshPayoutAccount(ctx, objectId)
    case 'payment_intent.succeeded':
    case 'payment_intent.canceled':
      // The payment intent of a hosted session is settled through its session.
      return isEmbedded(event.data.object) ? settleKnown(objectId) : null
    // For some payments Stripe reports the card fee only a while later, with this event.
    case 'charge.updated':
    case 'charge.refunded':
      return syncOrderOf(idOf(event.data.object.payment_intent))
    case 'refund.created':
    case 'refund.updated':
    case 'refund.failed': {
      const syncOrder = syncOrderOf(idOf(event.data.object.payment_intent))
      return async (ctx) => {
        const outcome = syncOrder ? await syncOrder(ctx) : 'unknown'
        return outcome === 'unknown' ? syncPlanRefund(ctx, objectId) : outcome
      }
    }
    case 'charge.dispute.created':
    case 'charge.dispute.updated':
    case 'charge.dispute.closed':
    case 'charge.dispute.funds_withdrawn':
    case 'charge.dispute.funds_reinstated':
      return syncDispute(idOf(event.data.object.payment_intent), objectId)
    default:
      return null
  }
}

/**
 * Returns the action for an event of a connected account. The objects of such an account belong to the seller, so only
 * the events about the account itself matter.
 */
function actionForAccount(type: Stripe.Event.Type, accountId: string): Action | null {
  switch (type) {
    case 'account.updated':
    case 'capability.updated':
    case 'account.application.deauthorized':
    // A refused payout to the seller's bank stops further payouts until the seller has corrected the bank details.
    case 'payout.failed':
      return (ctx) => refreshPayoutAccount(ctx, accountId)
    default:
      return null
  }
}

const isEmbedded = (intent: { metadata?: Stripe.Metadata | null }) => intent.metadata?.mode === 'embedded'

function syncPlan(customerId: string | null): Action | null {
  return customerId ? (ctx) => syncSubscription(ctx, customerId) : null
}

/** Follows a refund that belongs to no order, if it is the refund of a payment for Pro. */
async function syncPlanRefund(ctx: Context, refundId: string): Promise<'unknown'> {
  const customerId = await followPlanRefund(ctx, refundId)
  if (customerId) await finishMoneyBack(ctx, customerId)
  return 'unknown'
}

/**
 * Returns an action that settles the payment before it records a refund or dispute, because such an event may arrive
 * before the event of the payment.
 */
function syncOrderOf(intentId: string | null): Action | null {
  return intentId ? (ctx) => syncPayment(ctx, intentId) : null
}

/**
 * Returns an action that records a dispute with its order, or ends Pro if the disputed payment was for it. An inquiry
 * becomes a dispute without a new event about its creation, so every event about a dispute leads here.
 */
function syncDispute(intentId: string | null, disputeId: string): Action | null {
  const syncOrder = syncOrderOf(intentId)
  if (!intentId || !syncOrder) return null
  return async (ctx) => {
    const outcome = await syncOrder(ctx)
    return outcome === 'unknown' ? endDisputedPlan(ctx, intentId, disputeId) : outcome
  }
}

/**
 * Returns an action that settles a checkout session or payment intent. An event about an object that Stripe does not
 * know is not tried again.
 */
function settleKnown(sessionId: string): Action | null {
  if (sessionId === '') return null
  return async (ctx) => {
    try {
      return await settleCheckout(ctx, sessionId)
    } catch (error) {
      if (isStripeMissing(error)) return 'unknown'
      throw error
    }
  }
}
