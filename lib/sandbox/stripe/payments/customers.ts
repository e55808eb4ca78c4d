import 'server-only'
import type Stripe from 'stripe'
import { z } from 'zod'
import type { Resource } from '../call'
import { listObjects, pageParams } from '../list'
import { noSuch } from '../stripe-fault'
import { stripeId, unixSeconds } from '../ids'
import { resolvePaymentMethod } from './payment-methods'
import { clearableEmail, clearableText, expandable, mergeMetadata, metadata, readParams, text } from '../params'
import { addressParams, toStripeAddress } from '../address'
import type { Tx } from '../store'

type NewCustomer = {
  email?: string | null | undefined
  name?: string | null | undefined
  phone?: string | null | undefined
  description?: string | null | undefined
  address?: Stripe.Address | null
  metadata?: Stripe.Metadata
}

/** Creates and stores Stripe's customer object. Fields that are left out are null, as at Stripe. */
export async function createCustomer(tx: Tx, input: NewCustomer): Promise<Stripe.Customer> {
  const customer: Stripe.Customer = {
    id: stripeId('cus'),
    object: 'customer',
    address: input.address ?? null,
    balance: 0,
    created: unixSeconds(tx.now()),
    currency: null,
    default_source: null,
    delinquent: false,
    description: input.description ?? null,
    discount: null,
    email: input.email ?? null,
    invoice_settings: { custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
    livemode: false,
    metadata: input.metadata ?? {},
    name: input.name ?? null,
    phone: input.phone ?? null,
    preferred_locales: [],
    shipping: null,
    tax_exempt: 'none',
    test_clock: null,
  }
  await tx.insert(customer)
  return customer
}

const customerParams = z.strictObject({
  email: clearableEmail().optional(),
  name: clearableText(256).optional(),
  phone: clearableText(50).optional(),
  description: clearableText().optional(),
  address: addressParams.optional(),
  metadata: metadata(),
  expand: expandable(),
})

const newCustomerParams = z.strictObject({
  ...customerParams.shape,
  payment_method: text(255).optional(),
  invoice_settings: z.strictObject({ default_payment_method: text(255).optional() }).optional(),
  test_clock: text(255).optional(),
})

/** Adds the card and the test clock that the call names to a new customer. */
async function addCardAndClock(
  tx: Tx,
  customer: Stripe.Customer,
  input: z.output<typeof newCustomerParams>,
): Promise<Stripe.Customer> {
  const { payment_method: methodId, test_clock: clockId, invoice_settings: settings } = input
  if (clockId !== undefined) {
    if (!(await tx.find('test_helpers.test_clock', clockId))) throw noSuch('test clock', clockId, 'test_clock')
    customer.test_clock = clockId
  }
  if (methodId !== undefined) {
    const method = await resolvePaymentMethod(tx, methodId)
    method.customer = customer.id
    await tx.save(method)
    if (settings?.default_payment_method === methodId) customer.invoice_settings.default_payment_method = method.id
  }
  await tx.save(customer)
  return customer
}

export const customers: Resource = {
  routes: [
    {
      method: 'POST',
      path: '/v1/customers',
      run: async ({ tx, params }) => {
        const input = readParams(newCustomerParams, params)
        const address = input.address ? toStripeAddress(input.address) : null
        const customer = await createCustomer(tx, { ...input, address, metadata: mergeMetadata({}, input.metadata) })
        return { body: await addCardAndClock(tx, customer, input) }
      },
    },
    {
      method: 'GET',
      path: '/v1/customers',
      run: async ({ tx, params }) => {
        const { email, ...page } = readParams(z.strictObject({ ...pageParams, email: text(512).optional() }), params)
        const contains = email === undefined ? {} : { email }
        return { body: await listObjects(tx, 'customer', '/v1/customers', page, { contains }) }
      },
    },
    {
      method: 'GET',
      path: '/v1/customers/:id',
      run: async ({ tx, id, params }) => {
        readParams(z.strictObject({ expand: expandable() }), params)
        const customer = await tx.find('customer', id)
        if (!customer) throw noSuch('customer', id)
        return { body: customer }
      },
    },
    {
      method: 'POST',
      path: '/v1/customers/:id',
      run: async ({ tx, id, params }) => {
        const input = readParams(customerParams, params)
        const customer = await tx.lock('customer', id)
        if (!customer) throw noSuch('customer', id)
        if (input.email !== undefined) customer.email = input.email
        if (input.name !== undefined) customer.name = input.name
        if (input.phone !== undefined) customer.phone = input.phone
        if (input.description !== undefined) customer.description = input.description
        if (input.address !== undefined) customer.address = toStripeAddress(input.address)
        customer.metadata = mergeMetadata(customer.metadata, input.metadata)
        await tx.save(customer)
        return { body: customer }
      },
    },
  ],
}
