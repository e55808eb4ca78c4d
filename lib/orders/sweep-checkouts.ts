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
  type OpenRefund,
} from './queries'
import { refundClosedAccounts } from './refund-closed-accounts'
import { sendRefund } from './refund-order'
import { refundUnfulfillable } from './refund-unfulfillable'
import { isPaidInVain, isRefundDue } from './rules'
import { settleCheckout } from './settle-checkout'

const BATCH = 100
const FEES_AT_ONCE = 10
/** A quiet shop looks every two hours (lib/jobs/plan-stripe-reads.ts); the rest allows for an outage. */
const LOST_PAYMENT_MS = 6 * HOUR_MS
const MOST_EVENTS = 2_000

/**
 * Does what webhooks should have done but did not: settles lost payments, releases expired holds, refunds orders that
 * got no unit, and reads missing card fees. It asks Stripe before it releases anything, and one failure does not stop
 * the rest.
 * @param looksForLost whether to ask Stripe for payments that nobody reported, which is a read whatever there is to do.
 * @returns how many holds were released.
 */
export async function sweepCheckouts(ctx: Context, { looksForLost = true } = {}): Promise<number> {
  if (ctx.payments === 'off') return 0
  const attempt = async (work: () => Promise<unknown>) => {
    try {
      return await work()
    } catch (error) {
      // Stripe is not available, so the remaining checkouts would fail as well.
      if (isStripeUnavailable(error)) throw error
      ctx.log.error({ cause: String(error) }, 'sweep step failed')
      return undefined
    }
  }
  if (looksForLost) await attempt(() => settleLostPayments(ctx))
  let released = 0
  for (const checkout of await listOverdueCheckouts(ctx, BATCH)) {
    if ((await attempt(() => closeCheckout(ctx, checkout, 'expired'))) === true) released += 1
  }
  for (const refund of await listOpenRefunds(ctx.db, BATCH)) {
    if (isRefundDue(refund, ctx.clock.now())) await attempt(() => pursueRefund(ctx, refund))
  }
  await attempt(() => refundClosedAccounts(ctx))
  for (const { stripeId } of await listPaymentsWithoutFee(ctx, FEES_AT_ONCE)) {
    await attempt(() => settleCheckout(ctx, stripeId))
  }
  return released
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
    return metadata.door === 'embedded' ? [{ id, orderId: metadata.orderId ?? '' }] : []
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
