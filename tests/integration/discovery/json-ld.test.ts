import type { Drop } from '@prisma/client'
import { findPublicDrop } from '@/lib/drops/queries'
import { toDropView } from '@/lib/drops/view'
import { closeDatabase, database } from '@/lib/infra/db'
import { SHIPPING_COUNTRIES } from '@/lib/kernel/country'
import { dropJsonLd } from '@/lib/previews/drop-json-ld'
import { makeDrop } from '../../support/factories'

// These tests check what search engines read about a drop. The compiler checks the names against schema.org
// (schema-dts).
afterAll(closeDatabase)

type Offer = Record<string, unknown>

async function offerOf(productType: Drop['productType'], condition: Drop['condition'] = 'new'): Promise<Offer> {
  const { uniqueId } = await makeDrop({ productType, condition })
  const row = await findPublicDrop(database(), uniqueId)
  if (!row) throw new Error('the drop was not found')
  return (JSON.parse(dropJsonLd(toDropView(row))) as { offers: Offer }).offers
}

const returns = {
  '@type': 'MerchantReturnPolicy',
  returnPolicyCategory: 'https://schema.org/MerchantReturnUnspecified',
  merchantReturnLink: 'http://localhost:3000/terms-of-service#refunds',
}

it('for a physical product, states the countries, the free shipping and the condition of the goods', async () => {
  const offer = await offerOf('physical')
  const countries = [...SHIPPING_COUNTRIES]
  expect(countries).toHaveLength(24)
  expect(offer.shippingDetails).toEqual({
    '@type': 'OfferShippingDetails',
    shippingRate: { '@type': 'MonetaryAmount', value: 0, currency: 'USD' },
    shippingDestination: { '@type': 'DefinedRegion', addressCountry: countries },
  })
  expect(offer.hasMerchantReturnPolicy).toEqual({ ...returns, applicableCountry: countries })
  expect(offer.itemCondition).toBe('https://schema.org/NewCondition')
  expect((await offerOf('physical', 'used')).itemCondition).toBe('https://schema.org/UsedCondition')
  expect((await offerOf('physical', 'refurbished')).itemCondition).toBe('https://schema.org/RefurbishedCondition')
})

it('states that a download is new, and states no shipping details for downloads and services', async () => {
  const offer = await offerOf('digital')
  expect(offer.itemCondition).toBe('https://schema.org/NewCondition')
  expect(offer.hasMerchantReturnPolicy).toEqual(returns)
  expect(offer).not.toHaveProperty('shippingDetails')
  const service = await offerOf('service')
  for (const property of ['itemCondition', 'shippingDetails']) expect(service).not.toHaveProperty(property)
})

it('states when a scheduled drop becomes available', async () => {
  const startedAt = new Date(Date.now() + 3_600_000)
  const { uniqueId } = await makeDrop({ startedAt, endTime: new Date(startedAt.getTime() + 86_400_000) })
  const row = await findPublicDrop(database(), uniqueId)
  const { offers } = JSON.parse(dropJsonLd(toDropView(row!))) as { offers: Offer }
  expect(offers).toMatchObject({
    availability: 'https://schema.org/OutOfStock',
    availabilityStarts: startedAt.toISOString(),
  })
})

it.each([
  ['live', {}, 'InStock'],
  ['sold out', { quantity: 3, sold: 3 }, 'SoldOut'],
  ['paused', { isActive: false }, 'OutOfStock'],
  ['ended', { endTime: new Date(Date.now() - 60_000) }, 'Discontinued'],
])(
  'states the price until the end, and the availability of a drop that is %s',
  async (_state, overrides, availability) => {
    const { uniqueId, endTime } = await makeDrop({ ...overrides, priceCents: 123450 })
    const row = await findPublicDrop(database(), uniqueId)
    const { offers } = JSON.parse(dropJsonLd(toDropView(row!))) as { offers: Offer }
    expect(offers).toMatchObject({
      availability: `https://schema.org/${availability}`,
      price: '1234.50',
      priceCurrency: 'USD',
      priceValidUntil: endTime.toISOString(),
    })
  },
)
