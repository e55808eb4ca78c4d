import 'server-only'
import type Stripe from 'stripe'
import { z } from 'zod'
import type { Call, Reply, Resource } from '../call'
import { stripeId, unixSeconds } from '../ids'
import { listObjects, pageParams } from '../list'
import { clearableText, expandable, integer, mergeMetadata, metadata, readParams, text } from '../params'
import { invalidRequest, noSuch } from '../stripe-fault'

const newParams = z.strictObject({
  amount: integer(),
  currency: text(3),
  description: clearableText().optional(),
  metadata: metadata(),
  expand: expandable(),
})

/**
 * Changes a customer's balance (docs.stripe.com/api/customer_balance_transactions). A negative amount is a credit,
 * which reduces the next invoices.
 */
async function create({ tx, id, params }: Call): Promise<Reply> {
  const input = readParams(newParams, params)
  const customer = await tx.lock('customer', id)
  if (!customer) throw noSuch('customer', id)
  if (input.currency !== 'usd')
    throw invalidRequest('The currency must be that of the customer.', { param: 'currency' })
  customer.balance += input.amount
  await tx.save(customer)
  const change: Stripe.CustomerBalanceTransaction = {
    id: stripeId('cbtxn'),
    object: 'customer_balance_transaction',
    amount: input.amount,
    checkout_session: null,
    created: unixSeconds(tx.now()),
    credit_note: null,
    currency: input.currency,
    customer: id,
    customer_account: null,
    description: input.description ?? null,
    ending_balance: customer.balance,
    invoice: null,
    livemode: false,
    metadata: mergeMetadata({}, input.metadata),
    type: 'adjustment',
  }
  await tx.insert(change)
  return { body: change }
}

export const customerBalance: Resource = {
  routes: [
    { method: 'POST', path: '/v1/customers/:id/balance_transactions', run: create },
    {
      method: 'GET',
      path: '/v1/customers/:id/balance_transactions',
      run: async ({ tx, id, params }) => {
        if (!(await tx.find('customer', id))) throw noSuch('customer', id)
        const page = readParams(z.strictObject(pageParams), params)
        const url = `/v1/customers/${id}/balance_transactions`
        return {
          body: await listObjects(tx, 'customer_balance_transaction', url, page, { contains: { customer: id } }),
        }
      },
    },
  ],
}
