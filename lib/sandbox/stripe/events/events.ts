import 'server-only'
import Stripe from 'stripe'
import { z } from 'zod'
import type { Resource } from '../call'
import { noSuch } from '../stripe-fault'
import { stripeId, unixSeconds } from '../ids'
import { listObjects, pageParams } from '../list'
import type { Stored } from '../objects'
import { bool, expandable, readParams, text } from '../params'
import type { Tx } from '../store'

type EventType = Stripe.Event.Type

/**
 * Writes an event with a snapshot of the object and, if the application wants this type, its delivery. Both are written
 * in the caller's transaction, so that they are stored if and only if the change is stored. `previous` holds the old
 * values of the changed fields.
 */
export function emit(tx: Tx, type: EventType, object: Stored, previous?: Record<string, unknown>): Promise<void> {
  return write(tx, type, object, { ...(previous && { previous }) })
}

/**
 * Writes an event of a connected account. The event names the account and goes to the endpoint for connected accounts
 * (docs.stripe.com/connect/webhooks). The object of the event need not be stored.
 */
export function emitOfAccount(tx: Tx, type: EventType, account: string, object: object): Promise<void> {
  return write(tx, type, object, { account })
}

type Extras = { account?: string; previous?: Record<string, unknown> }

async function write(tx: Tx, type: EventType, object: object, { account, previous }: Extras): Promise<void> {
  const event: Stripe.EventBase = {
    id: stripeId('evt'),
    object: 'event',
    ...(account !== undefined && { account }),
    api_version: Stripe.API_VERSION,
    created: unixSeconds(tx.now()),
    data: {
      object: structuredClone(object) as Stripe.Event.Data.Object,
      ...(previous && { previous_attributes: previous }),
    },
    livemode: false,
    pending_webhooks: tx.wants(type) ? 1 : 0,
    request: tx.origin,
    type,
  }
  await tx.insert(event)
  if (tx.wants(type)) tx.deliver(event.id, JSON.stringify(event))
}

/**
 * Whether an event belongs to this account; null means the platform. A call finds only events of the account for which
 * it is made.
 */
function isOf(event: Stripe.EventBase, account: string | null): boolean {
  return (event.account ?? null) === account
}

/** Events can be read for 30 days (docs.stripe.com/api/events). */
const KEPT_SECONDS = 30 * 24 * 60 * 60

const listParams = z.strictObject({
  ...pageParams,
  type: text(100).optional(),
  types: z.array(text(100)).max(20).optional(),
  delivery_success: bool().optional(),
})

export const events: Resource = {
  routes: [
    {
      method: 'GET',
      path: '/v1/events',
      run: async ({ tx, account, params }) => {
        const { type, types, delivery_success, ...page } = readParams(listParams, params)
        const wanted = types ?? (type === undefined ? undefined : [type])
        const created = typeof page.created === 'object' ? page.created : {}
        const oldest = unixSeconds(tx.now()) - KEPT_SECONDS
        if (typeof page.created !== 'number') page.created = { ...created, gte: Math.max(created.gte ?? 0, oldest) }
        const pending = delivery_success === undefined ? {} : { pending_webhooks: delivery_success ? 0 : 1 }
        const ofAccount =
          account === null ? { contains: pending, lacks: 'account' } : { contains: { ...pending, account } }
        return { body: await listObjects(tx, 'event', '/v1/events', page, { types: wanted, ...ofAccount }) }
      },
    },
    {
      method: 'GET',
      path: '/v1/events/:id',
      run: async ({ tx, id, account, params }) => {
        readParams(z.strictObject({ expand: expandable() }), params)
        const event = await tx.find('event', id)
        if (!event || !isOf(event, account) || event.created < unixSeconds(tx.now()) - KEPT_SECONDS) {
          throw noSuch('event', id)
        }
        return { body: event }
      },
    },
  ],
}
