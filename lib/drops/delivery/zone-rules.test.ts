import { createDropFields, createDropFormSchema, createDropTexts, emptyCreateDropForm } from '../schema'
import { priceOf, zonesText, zoneTexts } from './zone-messages'
import { onlyCountry, readZones, servedCountries, writeZones, zoneOf } from './zone-rules'

const typed = [
  { surcharge: '', countries: ['US'] },
  { surcharge: '6,50', countries: ['FR', 'DE'] },
]
const zones = [
  { cents: 0, countries: ['US'] },
  { cents: 650, countries: ['FR', 'DE'] },
]

it('reads zones as a list and as JSON, with prices as people type them', () => {
  expect(readZones(JSON.stringify(typed))).toEqual({ zones })
  expect(readZones([{ surcharge: '1,234.5', countries: ['JP'] }])).toEqual({
    zones: [{ cents: 123_450, countries: ['JP'] }],
  })
  expect(readZones(writeZones(zones))).toEqual({ zones })
  expect(readZones([{ surcharge: 6.5, countries: ['fr', ' De '] }])).toEqual({ zones: [zones[1]] })
  expect([readZones(''), readZones([]), writeZones([])]).toEqual([{ zones: [] }, { zones: [] }, ''])
})

it.each([
  ['{', zoneTexts.unreadable],
  ['{}', zoneTexts.unreadable],
  [[{ surcharge: null, countries: ['DE'] }], zoneTexts.unreadable],
  [[{ surcharge: '6', countries: ['DE'], more: 1 }], zoneTexts.unreadable],
  [[{ surcharge: '6', countries: 'DE' }], zoneTexts.unreadable],
  [['US', 'DE', 'FR', 'JP'].map((code) => ({ surcharge: '1', countries: [code] })), zoneTexts.tooMany],
  [[{ surcharge: '1', countries: [] }], zoneTexts.noCountries],
  [[{ surcharge: '-1', countries: ['DE'] }], zoneTexts.badSurcharge],
  [[{ surcharge: '1000000', countries: ['DE'] }], zoneTexts.badSurcharge],
  [[{ surcharge: '1.005', countries: ['DE'] }], zoneTexts.badSurcharge],
  [[{ surcharge: '1', countries: ['BR'] }], "We can't ship to “BR”. Please use a country from our list."],
  [[{ surcharge: '1', countries: ['br'] }], "We can't ship to “br”. Please use a country from our list."],
  [[{ surcharge: 1.005, countries: ['DE'] }], zoneTexts.badSurcharge],
  [
    [
      { surcharge: '1', countries: ['DE'] },
      { surcharge: '2', countries: ['DE'] },
    ],
    'Germany is listed twice. A country can be in one zone only.',
  ],
])('refuses %j', (given, problem) => {
  expect(readZones(given)).toEqual({ problem })
})

it('finds the zone of a country, and the only country', () => {
  expect([zoneOf(zones, 'DE')?.cents, zoneOf(zones, 'JP'), zoneOf(zones, null)]).toEqual([650, null, null])
  expect(servedCountries(zones)).toEqual(['US', 'DE', 'FR'])
  expect([onlyCountry(zones), onlyCountry([{ countries: ['DE'] }]), onlyCountry([])]).toEqual([null, 'DE', null])
  expect(zonesText(zones.map(({ cents, countries }) => ({ surchargeCents: cents, countries })))).toBe(
    'Ships to the United States at no extra cost. Ships to France and Germany for $6.50.',
  )
})

it('the form sends zones of physical goods only, and refuses a surcharge that makes the payment too large', () => {
  const form = {
    ...emptyCreateDropForm,
    idempotencyKey: 'key-1',
    title: 'Mug',
    price: '999999.99',
    shippingZones: writeZones(zones),
  }
  expect(createDropTexts(form)).toMatchObject({ shippingZones: writeZones(zones) })
  expect(createDropTexts({ ...form, productType: 'service' })).not.toHaveProperty('shippingZones')
  expect(createDropTexts(emptyCreateDropForm)).not.toHaveProperty('shippingZones')
  const issues = createDropFormSchema.safeParse({ ...form, description: 'A mug.' }).error?.issues ?? []
  expect(issues.map(({ path }) => path[0])).not.toContain('shippingZones')
  expect(createDropFields.shape.shippingZones.parse('[]')).toBeNull()
  const whole = createDropFormSchema.safeParse({
    ...{ ...form, description: 'A mug.', images: [{ id: '1', file: new File([], 'a.png'), url: '' }] },
  })
  expect(whole.error?.issues).toMatchObject([{ path: ['shippingZones'], message: zoneTexts.tooMuch }])
})

test('a price says that shipping is added when a country has a surcharge, for rows and for views', () => {
  expect(priceOf({ priceCents: 2400 })).toBe('$24.00')
  expect(priceOf({ priceCents: 2400, shippingZones: null })).toBe('$24.00')
  expect(priceOf({ priceCents: 2400, shippingZones: [{ cents: 0 }] })).toBe('$24.00')
  expect(priceOf({ priceCents: 2400, shippingZones: [{ cents: 0 }, { cents: 600 }] })).toBe('$24.00 plus shipping')
  expect(priceOf({ priceCents: 2400, shippingZones: [{ surchargeCents: 600 }] })).toBe('$24.00 plus shipping')
})
