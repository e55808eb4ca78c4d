import 'server-only'
import type { Context } from '@/lib/infra/context'
import { isStripeUnavailable } from '@/lib/infra/stripe-errors'

import { HOUR_MS, SECOND_MS } from '@/lib/kernel/time'
import { closeCheckout } from './close-checkout'
import {
  listOpenRefunds,
  listOverdueCheckouts,
  listPaymentsWithoutFee,
  listUnsettledOrderIds,
  type OpenCheckout,
  type OpenRefund,
} from './queries'
import { refundClosedAccounts } from './refund-closed-accounts'
import { sendRefund } from './refund-order'
import { refundUnfulfillable } from './refund-unfulfillable'
import { releaseHold } from './release-hold'
import { isPaidInVain, isRefundDue } from './rules'
import { settleCheckout } from './settle-checkout'

const BATCH = 100
const FEES_AT_ONCE = 10
/** While nobody buys, Stripe is asked every two hours (lib/jobs/plan-stripe-reads.ts); the rest allows for an outage. */
const LOST_PAYMENT_MS = 6 * HOUR_MS
const MOST_EVENTS = 2_000

/** Stripe may always fail on one checkout. This many failures in a row mean that Stripe is not available. */
const MANY_FAILURES = 3

/**
 * Does what webhooks should have done but did not: settles lost payments, releases expired holds, refunds orders that
 * got no unit, and reads missing card fees. It asks Stripe before it releases anything. One failure stops neither the rest
 * of its kind nor the other kinds, so that one checkout on which Stripe always fails holds up nothing else.
 * @param looksForLost whether to ask Stripe for payments that nobody reported, which costs a read even if there are none.
 * @returns how many holds were released.
 * @throws the last error of Stripe, after every kind was tried, when Stripe was not available.
 */
export async function sweepCheckouts(ctx: Context, { looksForLost = true } = {}): Promise<number> {
  if (ctx.payments === 'off') return 0
  let outage: unknown
  const each = async <Item>(items: Item[], work: (item: Item) => Promise<unknown>) => {
    let failures = 0
    for (const item of items) {
      try {
        await work(item)
        failures = 0
      } catch (error) {
        ctx.log.error({ cause: String(error) }, 'sweep step failed')
        failures = isStripeUnavailable(error) ? failures + 1 : 0
        if (failures > 0) outage = error
        if (failures >= MANY_FAILURES) return
      }
    }
  }
  if (looksForLost) await each([settleLostPayments], (settle) => settle(ctx))
  let released = 0
  await each(await listOverdueCheckouts(ctx, BATCH), async (checkout) => {
    if (await endCheckout(ctx, checkout)) released += 1
  })
  const due = (await listOpenRefunds(ctx.db, BATCH)).filter((refund) => isRefundDue(refund, ctx.clock.now()))
  await each(due, (refund) => pursueRefund(ctx, refund))
  await each([refundClosedAccounts], (refund) => refund(ctx))
  await each(await listPaymentsWithoutFee(ctx, FEES_AT_ONCE), ({ stripeId }) => settleCheckout(ctx, stripeId))
  if (outage) throw outage
  return released
}

async function endCheckout(ctx: Context, checkout: OpenCheckout): Promise<boolean> {
  const isReleased = await closeCheckout(ctx, checkout, 'expired')
  // Its units were back on sale, so closing may have changed nothing. With the new reason later sweeps leave it out.
  if (checkout.isYielded) await releaseHold(ctx, checkout.holdId, 'expired')
  return isReleased
}

function pursueRefund(ctx: Context, refund: OpenRefund): Promise<string> {
  return isPaidInVain(refund) ? refundUnfulfillable(ctx, refund.orderId) : sendRefund(ctx, refund.id)
}

/**
 * Reads from Stripe's own record of events which checkouts were paid lately, in both checkout modes at once, and settles
 * those that are not recorded as paid, which happens after a lost webhook or a crash. Older ones are found through their
 * hold. The state of the payment itself is read again before anything is recorded.
 */
async function settleLostPayments(ctx: Context): Promise<void> {
  const events = await ctx
    .stripe()
    .events.list({
      types: ['checkout.session.completed', 'payment_intent.succeeded'],
      created: { gte: secondsAgo(ctx, LOST_PAYMENT_MS) },
      limit: 100,
    })
    .autoPagingToArray({ limit: MOST_EVENTS })
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

function secondsAgo(ctx: Context, ms: number): number {
  return Math.floor((ctx.clock.now().getTime() - ms) / SECOND_MS)
}
