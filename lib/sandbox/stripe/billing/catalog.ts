import 'server-only'
import type Stripe from 'stripe'
import { z } from 'zod'
import type { Call, Reply, Resource } from '../call'
import { invalidRequest, noSuch } from '../stripe-fault'
import { stripeId, unixSeconds } from '../ids'
import { listObjects, pageParams } from '../list'
import { bool, currency, expandable, integer, mergeMetadata, metadata, readParams, text } from '../params'
import type { Tx } from '../store'

export const recurringParams = z.strictObject({
  interval: z.enum(['month', 'year']),
  interval_count: integer().optional(),
})

type RecurringInput = z.output<typeof recurringParams>

type PriceData = {
  unitAmountCents: number
  productName: string
  productDescription?: string | undefined
  productImages: string[]
  productMetadata: Stripe.Metadata
  taxCode?: string | undefined
  taxBehavior?: Stripe.Price.TaxBehavior | undefined
  recurring?: RecurringInput | undefined
}

type NewProduct = {
  id?: string | undefined
  name: string
  description?: string | undefined
  images: string[]
  metadata: Stripe.Metadata
  taxCode?: string | undefined
  isActive: boolean
}

async function createProduct(tx: Tx, input: NewProduct): Promise<Stripe.Product> {
  const created = unixSeconds(tx.now())
  const product: Stripe.Product = {
    id: input.id ?? stripeId('prod'),
    object: 'product',
    active: input.isActive,
    created,
    default_price: null,
    description: input.description ?? null,
    images: input.images,
    livemode: false,
    marketing_features: [],
    metadata: input.metadata,
    name: input.name,
    package_dimensions: null,
    shippable: null,
    statement_descriptor: null,
    tax_code: input.taxCode ?? null,
    tax_details: null,
    type: 'service',
    unit_label: null,
    updated: created,
    url: null,
  }
  await tx.insert(product)
  return product
}

type NewPrice = {
  productId: string
  unitAmountCents: number
  recurring?: RecurringInput | undefined
  lookupKey?: string | undefined
  taxBehavior?: Stripe.Price.TaxBehavior | undefined
  metadata: Stripe.Metadata
  isActive: boolean
}

async function insertPrice(tx: Tx, input: NewPrice): Promise<Stripe.Price> {
  const { recurring } = input
  const price: Stripe.Price = {
    id: stripeId('price'),
    object: 'price',
    active: input.isActive,
    billing_scheme: 'per_unit',
    created: unixSeconds(tx.now()),
    currency: 'usd',
    custom_unit_amount: null,
    livemode: false,
    lookup_key: input.lookupKey ?? null,
    metadata: input.metadata,
    nickname: null,
    product: input.productId,
    recurring: recurring
      ? {
          interval: recurring.interval,
          interval_count: recurring.interval_count ?? 1,
          meter: null,
          trial_period_days: null,
          usage_type: 'licensed',
        }
      : null,
    tax_behavior: input.taxBehavior ?? 'unspecified',
    tiers_mode: null,
    transform_quantity: null,
    type: recurring ? 'recurring' : 'one_time',
    unit_amount: input.unitAmountCents,
    // The API sends this amount as a string, and the SDK turns the string into its Decimal.
    unit_amount_decimal: String(input.unitAmountCents) as unknown as Stripe.Decimal,
  }
  await tx.insert(price)
  return price
}

/** Stores the product and the price that a line item defines inline, as Stripe does with `price_data`. */
export async function createPrice(tx: Tx, data: PriceData): Promise<Stripe.Price> {
  const product = await createProduct(tx, {
    name: data.productName,
    description: data.productDescription,
    images: data.productImages,
    metadata: data.productMetadata,
    taxCode: data.taxCode,
    isActive: false,
  })
  return insertPrice(tx, {
    productId: product.id,
    unitAmountCents: data.unitAmountCents,
    recurring: data.recurring,
    taxBehavior: data.taxBehavior,
    metadata: {},
    isActive: false,
  })
}

const productParams = z.strictObject({
  id: text(255).optional(),
  name: text(250),
  description: text(5_000).optional(),
  metadata: metadata(),
  expand: expandable(),
})

const priceParams = z.strictObject({
  currency: currency(),
  product: text(255),
  unit_amount: integer(),
  recurring: recurringParams.optional(),
  lookup_key: text(200).optional(),
  transfer_lookup_key: bool().optional(),
  metadata: metadata(),
  expand: expandable(),
})

async function createPriceOfProduct({ tx, params }: Call): Promise<Reply> {
  const input = readParams(priceParams, params)
  if (!(await tx.find('product', input.product))) throw noSuch('product', input.product, 'product')
  if (input.lookup_key !== undefined) {
    const taken = await listObjects(tx, 'price', '', {}, { contains: { lookup_key: input.lookup_key } })
    if (taken.data.length > 0 && input.transfer_lookup_key) {
      for (const price of taken.data) await tx.save({ ...price, lookup_key: null })
    } else if (taken.data.length > 0) {
      throw invalidRequest(`A price (\`${taken.data[0]?.id}\`) already uses that lookup key.`, { param: 'lookup_key' })
    }
  }
  const price = await insertPrice(tx, {
    productId: input.product,
    unitAmountCents: input.unit_amount,
    recurring: input.recurring,
    lookupKey: input.lookup_key,
    metadata: mergeMetadata({}, input.metadata),
    isActive: true,
  })
  return { body: price }
}

const listPriceParams = z.strictObject({
  ...pageParams,
  active: bool().optional(),
  product: text(255).optional(),
  lookup_keys: z.array(text(200)).max(10).optional(),
})

/** The stand-in's calls for products and prices. */
export const catalog: Resource = {
  routes: [
    {
      method: 'POST',
      path: '/v1/products',
      run: async ({ tx, params }) => {
        const input = readParams(productParams, params)
        if (input.id !== undefined && (await tx.findAny(input.id))) {
          throw invalidRequest('Product already exists.', { code: 'resource_already_exists', param: 'id' })
        }
        const rest = { images: [], metadata: mergeMetadata({}, input.metadata), isActive: true }
        return { body: await createProduct(tx, { ...input, ...rest }) }
      },
    },
    {
      method: 'GET',
      path: '/v1/products/:id',
      run: async ({ tx, id, params }) => {
        readParams(z.strictObject({ expand: expandable() }), params)
        const product = await tx.find('product', id)
        if (!product) throw noSuch('product', id)
        return { body: product }
      },
    },
    { method: 'POST', path: '/v1/prices', run: createPriceOfProduct },
    {
      method: 'GET',
      path: '/v1/prices',
      run: async ({ tx, params }) => {
        const { active, product, lookup_keys: keys, ...page } = readParams(listPriceParams, params)
        const contains = { ...(active !== undefined && { active }), ...(product && { product }) }
        const list = await listObjects(tx, 'price', '/v1/prices', page, { contains, lookupKeys: keys })
        return { body: list }
      },
    },
    {
      method: 'GET',
      path: '/v1/prices/:id',
      run: async ({ tx, id, params }) => {
        readParams(z.strictObject({ expand: expandable() }), params)
        const price = await tx.find('price', id)
        if (!price) throw noSuch('price', id)
        return { body: price }
      },
    },
  ],
}
