import 'server-only'
import type Stripe from 'stripe'
import { z } from 'zod'
import type { Call, Reply, Resource } from '../call'
import { lineItemPageParams, listSessionParams, updateSessionParams } from './checkout-session-params'
import { createCheckoutSession } from './create-checkout-session'
import { invalidRequest, noSuch } from '../stripe-fault'
import { expireOverdue, expireSession, findSession, lockSession } from './expire-session'
import { listObjects, type List } from '../list'
import { expandable, mergeMetadata, readParams } from '../params'
import type { Tx } from '../store'

const PATH = '/v1/checkout/sessions'

async function listSessions({ tx, params }: Call): Promise<Reply> {
  const { customer, customer_details, payment_intent, subscription, status, ...page } = readParams(
    listSessionParams,
    params,
  )
  await expireOverdue(tx)
  const contains = {
    ...(customer && { customer }),
    ...(customer_details && { customer_details }),
    ...(payment_intent && { payment_intent }),
    ...(subscription && { subscription }),
    ...(status && { status }),
  }
  return { body: await listObjects(tx, 'checkout.session', PATH, page, { contains }) }
}

async function getLocked(tx: Tx, id: string): Promise<Stripe.Checkout.Session> {
  const session = await lockSession(tx, id)
  if (!session) throw noSuch('checkout.session', id, 'session')
  return session
}

async function listLineItems(tx: Tx, id: string, limit = 10, after?: string | null): Promise<List<Stripe.LineItem>> {
  const plan = await tx.find('~checkout_plan', `${id}~plan`)
  if (!plan) throw noSuch('checkout.session', id, 'session')
  const start = after ? plan.lineItems.findIndex((item) => item.id === after) + 1 : 0
  const data = plan.lineItems.slice(start, start + limit)
  return { object: 'list', data, has_more: start + limit < plan.lineItems.length, url: `${PATH}/${id}/line_items` }
}

export const checkoutSessions: Resource = {
  routes: [
    { method: 'POST', path: PATH, run: createCheckoutSession },
    { method: 'GET', path: PATH, run: listSessions },
    {
      method: 'GET',
      path: `${PATH}/:id`,
      run: async ({ tx, id, params }) => {
        readParams(z.strictObject({ expand: expandable() }), params)
        const session = await findSession(tx, id)
        if (!session) throw noSuch('checkout.session', id, 'session')
        return { body: session }
      },
    },
    {
      method: 'POST',
      path: `${PATH}/:id`,
      run: async ({ tx, id, params }) => {
        const input = readParams(updateSessionParams, params)
        const session = await getLocked(tx, id)
        session.metadata = mergeMetadata(session.metadata, input.metadata)
        await tx.save(session)
        return { body: session }
      },
    },
    {
      method: 'POST',
      path: `${PATH}/:id/expire`,
      run: async ({ tx, id, params }) => {
        readParams(z.strictObject({ expand: expandable() }), params)
        const session = await getLocked(tx, id)
        if (session.status !== 'open') {
          throw invalidRequest(
            `Only Checkout Sessions with a status in ["open"] can be expired. This Session has a status of ${session.status}.`,
          )
        }
        await expireSession(tx, session)
        return { body: session }
      },
    },
    {
      method: 'GET',
      path: `${PATH}/:id/line_items`,
      run: async ({ tx, id, params }) => {
        const { limit, starting_after } = readParams(lineItemPageParams, params)
        return { body: await listLineItems(tx, id, limit, starting_after) }
      },
    },
  ],
  includables: { 'checkout.session': { line_items: (tx, id) => listLineItems(tx, id) } },
}
