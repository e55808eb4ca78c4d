import 'server-only'
import type Stripe from 'stripe'
import { renewedEnd } from './billing-dates'
import { emit } from '../events/events'
import { idOf, unixSeconds } from '../ids'
import { buildInvoice } from './invoice-object'
import { chargeInvoice } from './pay-invoice'
import type { Store, Tx } from '../store'
import { itemOf, setPrice } from './build-subscription'

const BATCH = 50
const DAY_SECONDS = 24 * 60 * 60
const DRAFT_SECONDS = 60 * 60
/** How long the first payment of a subscription may take. */
const INCOMPLETE_SECONDS = 23 * 60 * 60
/**
 * An unpaid invoice is charged again this many days after it was finalized. If the last retry fails, the subscription
 * ends.
 */
const RETRY_DAYS = [3, 5, 7]

/** Ends a locked subscription, which cannot be undone. Changes and saves `subscription`. */
export async function endSubscription(
  tx: Tx,
  subscription: Stripe.Subscription,
  reason: 'cancellation_requested' | 'payment_failed',
): Promise<void> {
  const now = unixSeconds(tx.now())
  subscription.status = 'canceled'
  subscription.canceled_at ??= now
  subscription.ended_at = now
  if (subscription.cancellation_details) subscription.cancellation_details.reason = reason
  await tx.save(subscription)
  await emit(tx, 'customer.subscription.deleted', subscription)
  // Stripe stops collecting an unpaid invoice but does not void it (docs.stripe.com/api/subscriptions/cancel).
  const invoice = await tx.lock('invoice', idOf(subscription.latest_invoice) ?? '')
  if (invoice?.status !== 'open' && invoice?.status !== 'draft') return
  invoice.auto_advance = false
  invoice.next_payment_attempt = null
  await tx.save(invoice)
  await emit(tx, 'invoice.updated', invoice, { auto_advance: true })
}

/**
 * Begins the next period and creates its invoice. The invoice stays a draft until one hour after the start of the
 * period, and is charged then. If the customer no longer exists, ends the subscription instead.
 */
async function renew(tx: Tx, subscription: Stripe.Subscription): Promise<void> {
  const item = itemOf(subscription)
  const customer = await tx.lock('customer', idOf(subscription.customer) ?? '')
  if (!customer) return endSubscription(tx, subscription, 'cancellation_requested')
  const { price, current_period_end: start } = item
  setPrice(item, price, start, renewedEnd(subscription.billing_cycle_anchor, start, price.recurring))
  const invoice = buildInvoice(tx, {
    customer,
    subscription,
    reason: 'subscription_cycle',
    lines: [
      {
        amountCents: (item.price.unit_amount ?? 0) * (item.quantity ?? 1),
        description: 'Renewal',
        isProration: false,
      },
    ],
    period: { start: item.current_period_start, end: item.current_period_end },
  })
  invoice.status = 'draft'
  invoice.status_transitions.finalized_at = null
  invoice.automatically_finalizes_at = item.current_period_start + DRAFT_SECONDS
  const previous = { items: { data: [{ id: item.id, current_period_end: item.current_period_start }] } }
  subscription.latest_invoice = invoice.id
  await tx.save(customer)
  await tx.insert(invoice)
  await emit(tx, 'invoice.created', invoice)
  await tx.save(subscription)
  await emit(tx, 'customer.subscription.updated', subscription, previous)
}

/** Finalizes a draft invoice and charges it. */
async function finalize(tx: Tx, subscription: Stripe.Subscription, invoice: Stripe.Invoice): Promise<void> {
  invoice.status = 'open'
  invoice.status_transitions.finalized_at = invoice.automatically_finalizes_at
  invoice.automatically_finalizes_at = null
  await tx.save(invoice)
  await emit(tx, 'invoice.finalized', invoice)
  await collect(tx, subscription, invoice)
}

/**
 * Charges the open invoice of a locked subscription. If the last retry fails, ends the subscription. Changes and saves
 * `subscription` and `invoice`.
 */
export async function collect(tx: Tx, subscription: Stripe.Subscription, invoice: Stripe.Invoice): Promise<void> {
  const previous = { status: subscription.status }
  const failure = await chargeInvoice(tx, invoice, subscription)
  subscription.status = failure ? 'past_due' : 'active'
  if (failure) {
    const days = RETRY_DAYS[invoice.attempt_count - 1]
    invoice.next_payment_attempt =
      days === undefined ? null : (invoice.status_transitions.finalized_at ?? 0) + days * DAY_SECONDS
    await tx.save(invoice)
    if (days === undefined) return endSubscription(tx, subscription, 'payment_failed')
  }
  await tx.save(subscription)
  await emit(tx, 'customer.subscription.updated', subscription, previous)
}

/**
 * Carries out the due steps of one subscription in order: charges, renewals and its end. After a long break, several
 * renewals can be due. One call carries out at most 24 steps, and the next run continues.
 */
export async function catchUp(tx: Tx, subscription: Stripe.Subscription): Promise<void> {
  const now = unixSeconds(tx.now())
  if (subscription.status === 'incomplete') return expireIncomplete(tx, subscription)
  for (let step = 0; step < 24 && ['active', 'past_due'].includes(subscription.status); step += 1) {
    const latest = await tx.lock('invoice', idOf(subscription.latest_invoice) ?? '')
    const invoice = subscription.status === 'past_due' && latest?.status === 'open' ? latest : null
    const periodEnd = itemOf(subscription).current_period_end
    const cancelAt = subscription.cancel_at
    if (latest?.status === 'draft' && (latest.automatically_finalizes_at ?? now) <= now) {
      await finalize(tx, subscription, latest)
    } else if (cancelAt !== null && cancelAt <= Math.min(now, periodEnd)) {
      return endSubscription(tx, subscription, 'cancellation_requested')
    } else if (invoice && (invoice.next_payment_attempt ?? Number.POSITIVE_INFINITY) <= now) {
      await collect(tx, subscription, invoice)
    } else if (periodEnd <= now) {
      await renew(tx, subscription)
    } else return
  }
}

/** Ends a subscription whose first payment has not succeeded within 23 hours, and voids its invoice. */
async function expireIncomplete(tx: Tx, subscription: Stripe.Subscription): Promise<void> {
  const now = unixSeconds(tx.now())
  if (subscription.created + INCOMPLETE_SECONDS > now) return
  subscription.status = 'incomplete_expired'
  subscription.ended_at = now
  await tx.save(subscription)
  await emit(tx, 'customer.subscription.updated', subscription, { status: 'incomplete' })
  const invoice = await tx.lock('invoice', idOf(subscription.latest_invoice) ?? '')
  if (invoice?.status !== 'open') return
  invoice.status = 'void'
  invoice.next_payment_attempt = null
  invoice.status_transitions.voided_at = now
  await tx.save(invoice)
  await emit(tx, 'invoice.voided', invoice)
}

async function renewSome(tx: Tx): Promise<number> {
  const rows = await tx.query<{ json: Stripe.Subscription }>(
    `SELECT s."json" FROM "SandboxObject" s
      WHERE s."kind" = 'subscription' AND s."json"->>'status' IN ('active', 'past_due', 'incomplete')
        AND s."json"->>'test_clock' IS NULL
        AND (CASE WHEN s."json"->>'status' = 'incomplete' THEN (s."json"->>'created')::bigint + ${INCOMPLETE_SECONDS} <= $1
             ELSE ((s."json"#>>'{items,data,0,current_period_end}')::bigint <= $1 OR (s."json"->>'cancel_at')::bigint <= $1 OR EXISTS (
          SELECT 1 FROM "SandboxObject" i WHERE i."id" = s."json"->>'latest_invoice'
             AND ((i."json"->>'status' = 'open' AND (i."json"->>'next_payment_attempt')::bigint <= $1)
               OR (i."json"->>'status' = 'draft' AND (i."json"->>'automatically_finalizes_at')::bigint <= $1)))) END)
      ORDER BY s."seq" LIMIT ${BATCH} FOR UPDATE OF s SKIP LOCKED`,
    [unixSeconds(tx.now())],
  )
  for (const { json } of rows) await catchUp(tx, json)
  return rows.length
}

/**
 * Carries out the due steps of all subscriptions without a test clock. Each transaction handles a limited number of
 * subscriptions.
 */
export async function renewDue(store: Store): Promise<void> {
  while ((await store.transaction({ id: null, idempotency_key: null }, renewSome)) === BATCH);
}
