import 'server-only'
import Stripe from 'stripe'
import { z } from 'zod'
import type { Call, Reply, Resource, Settings } from '../call'
import { invalidRequest, noSuch } from '../stripe-fault'
import { bool, clearableText, expandable, readParams, text } from '../params'
import { pageParams } from '../list'
import type { Tx } from '../store'

/**
 * The sandbox always has two webhook endpoints, which both lead to the application: one for events of the platform and
 * one for events of connected accounts. The types of events that they receive can be changed, as in Stripe's Dashboard.
 */
const PLATFORM = 'we_sandboxplatform'
const CONNECT = 'we_sandboxconnect'

const idFor = (event: Stripe.EventBase) => (event.account === undefined ? PLATFORM : CONNECT)

function firstState({ appUrl, isLive }: Settings, id: string): Stripe.WebhookEndpoint {
  return {
    id,
    object: 'webhook_endpoint',
    api_version: Stripe.API_VERSION,
    // Stripe names the platform's Connect application only on an endpoint for connected accounts.
    application: id === CONNECT ? 'ca_sandbox' : null,
    created: 0,
    description: null,
    enabled_events: ['*'],
    livemode: isLive,
    metadata: {},
    status: 'enabled',
    url: `${appUrl}/api/webhooks/stripe`,
  }
}

async function find(tx: Tx, settings: Settings, id: string): Promise<Stripe.WebhookEndpoint> {
  if (id !== PLATFORM && id !== CONNECT) throw noSuch('webhook endpoint', id)
  return (await tx.find('webhook_endpoint', id)) ?? firstState(settings, id)
}

/** The ids of both endpoints. An endpoint is stored only after its first change. */
export const ENDPOINT_IDS = [PLATFORM, CONNECT]

/** The stored endpoints by id. */
export type StoredEndpoints = Record<string, Stripe.WebhookEndpoint>

/** Whether the endpoint for this event is enabled and receives events of this type. */
export function wantsEvent(stored: StoredEndpoints, event: Stripe.EventBase): boolean {
  const endpoint = stored[idFor(event)]
  if (!endpoint) return true
  const { enabled_events: wanted, status } = endpoint
  return status === 'enabled' && (wanted.includes('*') || wanted.includes(event.type))
}

const updateParams = z.strictObject({
  enabled_events: z.array(text(100)).min(1).max(300).optional(),
  disabled: bool().optional(),
  description: clearableText().optional(),
  expand: expandable(),
})

async function update({ tx, settings, id, params }: Call): Promise<Reply> {
  const input = readParams(updateParams, params)
  const endpoint = await find(tx, settings, id)
  if (input.enabled_events) endpoint.enabled_events = input.enabled_events
  if (input.disabled !== undefined) endpoint.status = input.disabled ? 'disabled' : 'enabled'
  if (input.description !== undefined) endpoint.description = input.description
  if (await tx.lock('webhook_endpoint', id)) await tx.save(endpoint)
  else await tx.insert(endpoint)
  return { body: endpoint }
}

async function list({ tx, settings, params }: Call): Promise<Reply> {
  readParams(z.strictObject(pageParams), params)
  const data = [await find(tx, settings, CONNECT), await find(tx, settings, PLATFORM)]
  return { body: { object: 'list', data, has_more: false, url: '/v1/webhook_endpoints' } }
}

export const webhookEndpoints: Resource = {
  routes: [
    { method: 'GET', path: '/v1/webhook_endpoints', run: list },
    {
      method: 'POST',
      path: '/v1/webhook_endpoints',
      run: async () => {
        throw invalidRequest('The sandbox delivers to its two endpoints only: update those.')
      },
    },
    {
      method: 'GET',
      path: '/v1/webhook_endpoints/:id',
      run: async ({ tx, settings, id, params }) => {
        readParams(z.strictObject({ expand: expandable() }), params)
        return { body: await find(tx, settings, id) }
      },
    },
    { method: 'POST', path: '/v1/webhook_endpoints/:id', run: update },
  ],
}
