import 'server-only'
import type { Context } from '@/lib/infra/context'
import { isStripeUnavailable } from '@/lib/infra/stripe-errors'

import { HOUR_MS, MINUTE_MS, SECOND_MS } from '@/lib/kernel/time'
import { closeCheckout } from './close-checkout'
import {
  listOverdueCheckouts,
  listPaymentsWithoutFee,
  listPendingRefunds,
  listUnsentRefunds,
  listUnsettledOrderIds,
  type OpenCheckout,
} from './queries'
import { refundClosedAccounts } from './refund-closed-accounts'
import { sendRefund } from './refund-order'
import { refundUnfulfillable } from './refund-unfulfillable'
import { releaseHold } from './release-hold'
import { settleCheckout } from './settle-checkout'

const BATCH = 100
const FEES_AT_ONCE = 10
/** A session is open for at most 31 minutes; the rest allows for an outage. */
const LOST_PAYMENT_MS = 2 * HOUR_MS
const MAX_COMPLETED = 2_000
/** The hold of the embedded checkout is shorter; older payments are found through their hold. */
const LOST_INTENT_MS = 15 * MINUTE_MS

/**
 * Does what webhooks should have done but did not: settles lost payments, releases expired holds, refunds orders that
 * got no unit, and reads missing card fees. It asks Stripe before it releases anything, and one failure does not stop
 * the rest.
 * @returns how many holds were released.
 */
export async function sweepCheckouts(ctx: Context): Promise<number> {
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
  await attempt(() => settleLostPayments(ctx))
  await attempt(() => settleLostIntents(ctx))
  let released = 0
  for (const checkout of await listOverdueCheckouts(ctx, BATCH)) {
    if ((await attempt(() => endCheckout(ctx, checkout))) === true) released += 1
  }
  for (const { orderId } of await listPendingRefunds(ctx.db, BATCH)) {
    await attempt(() => refundUnfulfillable(ctx, orderId))
  }
  const aMomentAgo = new Date(ctx.clock.now().getTime() - 30 * SECOND_MS)
  for (const { id } of await listUnsentRefunds(ctx.db, BATCH, aMomentAgo)) await attempt(() => sendRefund(ctx, id))
  await attempt(() => refundClosedAccounts(ctx))
  for (const { stripeId } of await listPaymentsWithoutFee(ctx, FEES_AT_ONCE)) {
    await attempt(() => settleCheckout(ctx, stripeId))
  }
  return released
}

async function endCheckout(ctx: Context, checkout: OpenCheckout): Promise<boolean> {
  const isReleased = await closeCheckout(ctx, checkout, 'expired')
  // Its units were back on sale, so closing may have had nothing to release: it must not be looked at again.
  if (checkout.isYielded) await releaseHold(ctx, checkout.holdId, 'expired')
  return isReleased
}

/**
 * Asks Stripe which sessions were completed recently and settles those that are not recorded as paid, which happens
 * after a lost webhook or a crash. Older ones are found through their hold.
 */
async function settleLostPayments(ctx: Context): Promise<void> {
  const since = secondsAgo(ctx, LOST_PAYMENT_MS)
  const completed = await ctx
    .stripe()
    .checkout.sessions.list({ status: 'complete', created: { gte: since }, limit: 100 })
    .autoPagingToArray({ limit: MAX_COMPLETED })
  const payments = completed.map(({ id, client_reference_id }) => ({ id, orderId: client_reference_id ?? '' }))
  await settleUnsettled(ctx, payments)
}

/** The same for the embedded checkout, whose payments have no session. */
async function settleLostIntents(ctx: Context): Promise<void> {
  const intents = await ctx
    .stripe()
    .paymentIntents.list({ created: { gte: secondsAgo(ctx, LOST_INTENT_MS) }, limit: 100 })
    .autoPagingToArray({ limit: MAX_COMPLETED })
  const paid = intents.filter(({ status, metadata }) => status === 'succeeded' && metadata.door === 'embedded')
  await settleUnsettled(
    ctx,
    paid.map(({ id, metadata }) => ({ id, orderId: metadata.orderId ?? '' })),
  )
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
