import 'server-only'
import type Stripe from 'stripe'
import { z } from 'zod'
import type { Call, Reply, Resource } from '../call'
import { invalidRequest, noSuch } from '../stripe-fault'
import { stripeId, unixSeconds } from '../ids'
import { listObjects, pageParams } from '../list'
import { expandable, integer, readParams, text } from '../params'
import { catchUp, endSubscription } from './renew-subscriptions'
import type { Tx } from '../store'
import { isSubscriptionOver, itemOf } from './build-subscription'

const CLOCKS = '/v1/test_helpers/test_clocks'
const LIFETIME_SECONDS = 30 * 24 * 60 * 60
const MAX_YEARS = 2
const YEAR_SECONDS = 365 * 24 * 60 * 60

/** Returns the transaction with the time of the customer's test clock. Without a test clock, returns it unchanged. */
export async function atClockOf(tx: Tx, customer: Stripe.Customer): Promise<Tx> {
  const clock = await tx.find('test_helpers.test_clock', String(customer.test_clock ?? ''))
  return clock ? atTime(tx, clock.frozen_time) : tx
}

const atTime = (tx: Tx, seconds: number): Tx => ({ ...tx, now: () => new Date(seconds * 1000) })

async function create({ tx, settings, params }: Call): Promise<Reply> {
  const input = readParams(
    z.strictObject({ frozen_time: integer(), name: text(300).optional(), expand: expandable() }),
    params,
  )
  if (settings.isLive) throw invalidRequest('Test clocks exist in test mode only.')
  const created = unixSeconds(tx.now())
  const clock: Stripe.TestHelpers.TestClock = {
    id: stripeId('clock'),
    object: 'test_helpers.test_clock',
    created,
    deletes_after: created + LIFETIME_SECONDS,
    frozen_time: input.frozen_time,
    livemode: false,
    name: input.name ?? null,
    status: 'ready',
    status_details: {},
  }
  await tx.insert(clock)
  return { body: clock }
}

/** Locks and returns the subscriptions of all customers of a clock. */
async function subscriptionsOf(tx: Tx, clockId: string): Promise<Stripe.Subscription[]> {
  const rows = await tx.query<{ json: Stripe.Subscription }>(
    `SELECT "json" FROM "SandboxObject" WHERE "kind" = 'subscription' AND "json"->>'test_clock' = $1
      ORDER BY "seq" FOR UPDATE`,
    [clockId],
  )
  return rows.map(({ json }) => json)
}

/**
 * Returns the latest time to which a clock may be moved, in Unix seconds. As at Stripe, this is two periods of its
 * shortest subscription ahead, or two years ahead if no subscription is running.
 */
function furthest(clock: Stripe.TestHelpers.TestClock, subscriptions: Stripe.Subscription[]): number {
  const periods = subscriptions
    .filter((subscription) => !isSubscriptionOver(subscription))
    .map(itemOf)
    .map((item) => item.current_period_end - item.current_period_start)
  return clock.frozen_time + (periods.length > 0 ? 2 * Math.min(...periods) : MAX_YEARS * YEAR_SECONDS)
}

/**
 * Moves a clock ahead and carries out the steps that are then due. At Stripe the clock is "advancing" for some seconds.
 * Here the work is done before the response is sent, but the response says "advancing", too.
 */
async function advance({ tx, id, params }: Call): Promise<Reply> {
  const { frozen_time: time } = readParams(z.strictObject({ frozen_time: integer(), expand: expandable() }), params)
  const clock = await tx.lock('test_helpers.test_clock', id)
  if (!clock) throw noSuch('test clock', id, 'test_clock')
  const subscriptions = await subscriptionsOf(tx, id)
  if (time <= clock.frozen_time || time > furthest(clock, subscriptions)) {
    throw invalidRequest(
      'The new time must be after the frozen time, and at most two intervals of the shortest subscription ahead.',
      {
        param: 'frozen_time',
      },
    )
  }
  clock.frozen_time = time
  await tx.save(clock)
  for (const subscription of subscriptions) await catchUp(atTime(tx, time), subscription)
  return { body: { ...clock, status: 'advancing', status_details: { advancing: { target_frozen_time: time } } } }
}

/** Deletes a clock with its customers and ends their subscriptions. */
async function remove({ tx, id }: Call): Promise<Reply> {
  const clock = await tx.lock('test_helpers.test_clock', id)
  if (!clock) throw noSuch('test clock', id, 'test_clock')
  for (const subscription of await subscriptionsOf(tx, id)) {
    if (!isSubscriptionOver(subscription)) await endSubscription(tx, subscription, 'cancellation_requested')
  }
  await tx.query(
    `DELETE FROM "SandboxObject" WHERE "id" = $1 OR ("kind" = 'customer' AND "json"->>'test_clock' = $1)`,
    [id],
  )
  return { body: { id, object: 'test_helpers.test_clock', deleted: true } }
}

export const testClocks: Resource = {
  routes: [
    { method: 'POST', path: CLOCKS, run: create },
    {
      method: 'GET',
      path: CLOCKS,
      run: async ({ tx, params }) => {
        const page = readParams(z.strictObject(pageParams), params)
        return { body: await listObjects(tx, 'test_helpers.test_clock', CLOCKS, page) }
      },
    },
    {
      method: 'GET',
      path: `${CLOCKS}/:id`,
      run: async ({ tx, id, params }) => {
        readParams(z.strictObject({ expand: expandable() }), params)
        const clock = await tx.find('test_helpers.test_clock', id)
        if (!clock) throw noSuch('test clock', id, 'test_clock')
        return { body: clock }
      },
    },
    { method: 'POST', path: `${CLOCKS}/:id/advance`, run: advance },
    { method: 'DELETE', path: `${CLOCKS}/:id`, run: remove },
  ],
}
