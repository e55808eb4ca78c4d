import 'server-only'
import type Stripe from 'stripe'
import type { Context } from '@/lib/infra/context'
import { eachUntilOutage } from '@/lib/infra/each-until-outage'
import { isStripeUnavailable } from '@/lib/infra/stripe-errors'
import { HOUR_MS, SECOND_MS } from '@/lib/kernel/time'
import { closeCheckout } from './close-checkout'
import { listOpenRefunds, type OpenRefund } from '@/lib/refunds/list-open-refunds'
import {
  listOutsoldCheckouts,
  listOverdueCheckouts,
  listPaymentsWithoutFee,
  listUnsettledOrderIds,
  type OpenCheckout,
} from './queries'
import { refundClosedAccounts } from '@/lib/refunds/refund-closed-accounts'
import { sendRefund } from '@/lib/refunds/refund-order'
import { refundUnfulfillable } from '@/lib/refunds/refund-unfulfillable'
import { releaseHold } from './hold/release-hold'
import { releaseUnopened } from './hold/release-unopened'
import { isForFailedPurchase, isRefundDue } from '@/lib/orders/refund-rules'
import { settleCheckout } from './settlement/settle-checkout'

const BATCH = 100
/**
 * How many checkouts are closed at Stripe at the same time. Each needs one call, and Stripe accepts 100 calls a second.
 */
const CLOSED_AT_ONCE = 10
/** How long one run of the sweep continues to close expired checkouts. The next run follows after 15 seconds. */
const CLOSING_MS = 40 * SECOND_MS
const FEES_AT_ONCE = 10
/**
 * How far back the sweep looks for lost payments. While nobody buys, Stripe's events are read only every two hours
 * (lib/jobs/plan-stripe-reads.ts). The rest of the time allows for an outage.
 */
const LOST_PAYMENT_MS = 6 * HOUR_MS
const MAX_EVENTS = 2_000
/** The events about refunds and disputes, which are read with the payments. */
const CHANGES = [
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.closed',
  'charge.refunded',
  'refund.failed',
] as const

type HandleChanges = (ctx: Context, events: readonly Stripe.Event[]) => Promise<void>

type SweepOptions = { looksForLost?: boolean; handleChanges?: HandleChanges }

const noChanges: HandleChanges = () => Promise.resolve()

/**
 * Does what webhooks and earlier calls should have done but did not: settles lost payments, releases expired holds,
 * closes checkouts whose units were sold to others, sends or checks pending refunds, refunds what closed accounts
 * cannot deliver, and reads missing card fees. A checkout that Stripe knows is closed at Stripe before its units are
 * released. A single failure stops nothing else, so a checkout on which Stripe always fails does not block the others.
 * Several failures of Stripe in a row end the work of that kind.
 * @param options.looksForLost whether to look at Stripe for payments that no webhook reported, which costs a read even
 *   if there are none.
 * @param options.handleChanges handles the events about refunds and disputes that were read on this occasion. The
 *   caller passes it, because webhooks use this domain and not the other way round.
 * @returns how many holds were released.
 * @throws the last error that showed Stripe to be unavailable, after every kind of work was tried.
 */
export async function sweepCheckouts(
  ctx: Context,
  { looksForLost = true, handleChanges = noChanges }: SweepOptions = {},
): Promise<number> {
  if (ctx.payments === 'off') return 0
  let outage: unknown
  const each = <Item>(items: readonly Item[], work: (item: Item) => Promise<unknown>, atOnce = 1) => {
    const attempt = async (item: Item) => {
      try {
        await work(item)
      } catch (error) {
        ctx.log.error({ cause: String(error) }, 'sweep step failed')
        if (isStripeUnavailable(error)) throw error
      }
    }
    return eachUntilOutage(items, attempt, atOnce).catch((error: unknown) => {
      outage = error
    })
  }
  let changes: Stripe.Event[] = []
  if (looksForLost) {
    await each([settleLostPayments], async (settle) => {
      changes = await settle(ctx)
    })
  }
  let released = 0
  await each([releaseUnopened], async (release) => {
    released += await release(ctx)
  })
  // If more than half of a full batch ended, more checkouts may be due. Otherwise few are due or most of them fail.
  const until = performance.now() + CLOSING_MS
  let ended: number
  do {
    ended = 0
    const overdue = [...(await listOverdueCheckouts(ctx, BATCH)), ...(await listOutsoldCheckouts(ctx, BATCH))]
    const end = async (checkout: OpenCheckout) => {
      if (await endCheckout(ctx, checkout)) released += 1
      ended += 1
    }
    await each(overdue, end, CLOSED_AT_ONCE)
  } while (ended * 2 > BATCH && performance.now() < until)
  const due = (await listOpenRefunds(ctx, BATCH)).filter((refund) => isRefundDue(refund, ctx.clock.now()))
  await each(due, (refund) => pursueRefund(ctx, refund))
  await each([refundClosedAccounts], (refund) => refund(ctx))
  await each(await listPaymentsWithoutFee(ctx, FEES_AT_ONCE), ({ stripeId }) => settleCheckout(ctx, stripeId))
  // These come last, because a long outage of webhooks leaves many of them, and money that is already due goes first.
  await each([handleChanges], (handle) => handle(ctx, changes))
  if (outage) throw outage
  return released
}

async function endCheckout(ctx: Context, checkout: OpenCheckout): Promise<boolean> {
  const closed = await closeCheckout(ctx, checkout, 'expired')
  // The units of this checkout were back on sale already, so closing may have changed nothing. The new reason makes
  // later sweeps skip the hold. A payment that is being processed keeps its right to units that are free when it ends.
  if (checkout.isYielded && closed !== 'processing') await releaseHold(ctx, checkout.holdId, 'expired')
  return closed === 'released'
}

async function pursueRefund(ctx: Context, refund: OpenRefund): Promise<void> {
  if (isForFailedPurchase(refund)) await refundUnfulfillable(ctx, refund.orderId)
  else await sendRefund(ctx, refund.id)
}

/**
 * Reads from Stripe's list of events which checkouts of either mode were paid recently. Those that are not recorded as
 * paid here, because a webhook was lost or a process crashed, are settled. Older payments are found through their
 * holds. The state of the payment itself is read again before anything is recorded.
 * @returns the events about refunds and disputes that were read on this occasion, the newest first
 */
async function settleLostPayments(ctx: Context): Promise<Stripe.Event[]> {
  const events = await ctx
    .stripe()
    .events.list({
      types: ['checkout.session.completed', 'payment_intent.succeeded', ...CHANGES],
      created: { gte: unixSecondsBefore(ctx, LOST_PAYMENT_MS) },
      limit: 100,
    })
    .autoPagingToArray({ limit: MAX_EVENTS })
  const payments = events.flatMap((event) => {
    if (event.type === 'checkout.session.completed') {
      const { id, client_reference_id } = event.data.object
      return [{ id, orderId: client_reference_id ?? '' }]
    }
    if (event.type !== 'payment_intent.succeeded') return []
    // The payment intent of a hosted session is settled through its session.
    const { id, metadata } = event.data.object
    return metadata.mode === 'embedded' ? [{ id, orderId: metadata.orderId ?? '' }] : []
  })
  await settleUnsettled(ctx, payments)
  return events.filter(({ type }) => (CHANGES as readonly string[]).includes(type))
}

async function settleUnsettled(ctx: Context, payments: { id: string; orderId: string }[]): Promise<void> {
  const unsettled = await listUnsettledOrderIds(
    ctx,
    payments.map(({ orderId }) => orderId),
  )
  for (const { id, orderId } of payments) {
    if (!unsettled.has(orderId)) continue
    await settleCheckout(ctx, id).catch((error: unknown) => {
      ctx.log.error({ stripeId: id, cause: String(error) }, 'lost payment not settled')
    })
  }
}

function unixSecondsBefore(ctx: Context, ms: number): number {
  return Math.floor((ctx.clock.now().getTime() - ms) / SECOND_MS)
}
