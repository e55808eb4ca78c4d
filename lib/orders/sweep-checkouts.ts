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

/** Stripe may fail on one checkout for as long as it likes; this many failures in a row mean that it is not available. */
const MANY_FAILURES = 3

/**
 * Does what webhooks should have done but did not: settles lost payments, releases expired holds, refunds orders that
 * got no unit, and reads missing card fees. It asks Stripe before it releases anything. A failure stops neither the rest
 * of its kind nor the other kinds, so that one checkout on which Stripe always fails holds up nothing else.
 * @returns how many holds were released.
 * @throws the last error of Stripe, after everything was tried, when Stripe was not available.
 */
export async function sweepCheckouts(ctx: Context): Promise<number> {
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
  await each([settleLostPayments, settleLostIntents], (settle) => settle(ctx))
  let released = 0
  await each(await listOverdueCheckouts(ctx, BATCH), async (checkout) => {
    if (await endCheckout(ctx, checkout)) released += 1
  })
  await each(await listPendingRefunds(ctx.db, BATCH), ({ orderId }) => refundUnfulfillable(ctx, orderId))
  const aMomentAgo = new Date(ctx.clock.now().getTime() - 30 * SECOND_MS)
  await each(await listUnsentRefunds(ctx.db, BATCH, aMomentAgo), ({ id }) => sendRefund(ctx, id))
  await each([refundClosedAccounts], (refund) => refund(ctx))
  await each(await listPaymentsWithoutFee(ctx, FEES_AT_ONCE), ({ stripeId }) => settleCheckout(ctx, stripeId))
  if (outage) throw outage
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
