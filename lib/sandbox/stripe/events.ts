import 'server-only'
import Stripe from 'stripe'
import { z } from 'zod'
import type { Resource } from './call'
import { noSuch } from './errors'
import { stripeId, unixSeconds } from './ids'
import { listObjects, pageParams } from './list'
import type { Stored } from './objects'
import { bool, expandable, readParams, text } from './params'
import type { Tx } from './store'

type EventType = Stripe.Event.Type

/**
 * Writes an event with a snapshot of the object, and its delivery, in the caller's transaction, so that they are stored
 * exactly when the change is. `previous` holds the old values of the changed members.
 */
export async function emit(tx: Tx, type: EventType, object: Stored, previous?: Record<string, unknown>): Promise<void> {
  const event: Stripe.EventBase = {
    id: stripeId('evt'),
    object: 'event',
    api_version: Stripe.API_VERSION,
    created: unixSeconds(tx.now()),
    data: { object: structuredClone(object), ...(previous && { previous_attributes: previous }) },
    livemode: false,
    pending_webhooks: 1,
    request: tx.origin,
    type,
  }
  await tx.insert(event)
  tx.deliver(event.id, JSON.stringify(event))
}

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
      run: async ({ tx, params }) => {
        const { type, types, delivery_success, ...page } = readParams(listParams, params)
        const wanted = types ?? (type === undefined ? undefined : [type])
        const pending = delivery_success === undefined ? {} : { pending_webhooks: delivery_success ? 0 : 1 }
        return { body: await listObjects(tx, 'event', '/v1/events', page, { types: wanted, contains: pending }) }
      },
    },
    {
      method: 'GET',
      path: '/v1/events/:id',
      run: async ({ tx, id, params }) => {
        readParams(z.strictObject({ expand: expandable() }), params)
        const event = await tx.find('event', id)
        if (!event) throw noSuch('event', id)
        return { body: event }
      },
    },
  ],
}
