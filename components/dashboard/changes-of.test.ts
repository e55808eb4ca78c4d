import type { EditDropFields } from '@/lib/drops/schema'
import type { SellerDropView } from '@/lib/drops/view'
import { changesOf, beforeStartChangesOf, beforeStartValues, stockValues } from './changes-of'

const images = (...names: string[]) => names.map((src) => ({ src }))

const opened = {
  ...{
    title: 'Mug',
    price: '24.00',
    priceCents: 2400,
    productType: 'physical',
    shipsFrom: null,
    shipsWithin: null,
    duration: 24,
    quantity: 5,
    values: [],
  },
  ...{ description: 'A mug.', maxPerBuyer: null, startedAt: '2026-11-27T20:00:00.000Z', images: images('a', 'b') },
} as unknown as SellerDropView

/** The drop after another tab has changed it and added a photo. */
const current = {
  ...opened,
  title: 'Cup',
  priceCents: 900,
  quantity: 9,
  images: images('a', 'b', 'c'),
} as SellerDropView

const typed = (fields: Partial<EditDropFields> = {}) =>
  ({
    ...beforeStartValues(opened, 'UTC'),
    price: 2400,
    duration: 24,
    description: 'A mug.',
    quantity: 5,
    ...fields,
  }) as EditDropFields

it('sends the shipping note of goods when it was changed, and none for other types', () => {
  expect(beforeStartChangesOf({ opened, current }, typed({ shippingNote: 'By bike.' }), 'UTC')).toEqual({
    shippingNote: 'By bike.',
  })
  const service = typed({ shippingNote: 'By bike.', productType: 'service' })
  expect(beforeStartChangesOf({ opened, current }, service, 'UTC')).toEqual({ productType: 'service' })
})

it('sends no field that the seller left unchanged, even if another tab has changed it', () => {
  expect(beforeStartChangesOf({ opened, current }, typed(), 'UTC')).toEqual({})
  expect(changesOf(opened, typed())).toEqual({})
})

it('sends the fields that the seller changed', () => {
  const fields = typed({ title: 'Vase', price: 1250, startsAt: '2026-11-28T20:00' })
  expect(beforeStartChangesOf({ opened, current }, fields, 'UTC')).toEqual({
    ...{ title: 'Vase', price: '12.50', startsAt: '2026-11-28T20:00' },
  })
})

it('removes the photo that the seller removed, and keeps a photo that another tab added', () => {
  expect(beforeStartChangesOf({ opened, current }, typed({ keepImages: ['b'] }), 'UTC')).toEqual({
    keepImages: ['b', 'c'],
  })
})

it('sends the new order of the photos, and nothing when it is the old one', () => {
  const moved = typed({ keepImages: ['b', 'a'] })
  expect(beforeStartChangesOf({ opened, current }, moved, 'UTC')).toEqual({ keepImages: ['b', 'a', 'c'] })
  expect(beforeStartChangesOf({ opened, current }, typed({ keepImages: ['a', 'b'] }), 'UTC')).toEqual({})
})

it('sends a new promise to ship, and null when the seller removes it', () => {
  expect(beforeStartChangesOf({ opened, current }, typed({ shipsFrom: 'PT', shipsWithin: 7 }), 'UTC')).toEqual({
    ...{ shipsFrom: 'PT', shipsWithin: 7 },
  })
  const promised = { ...opened, shipsFrom: 'PT', shipsWithin: 7 }
  expect(
    beforeStartChangesOf({ opened: promised, current }, typed({ shipsFrom: null, shipsWithin: null }), 'UTC'),
  ).toEqual({
    ...{ shipsFrom: null, shipsWithin: null },
  })
})

describe('the choices of a scheduled drop', () => {
  const values = [{ value: 'S', quantity: 2 }]
  const sized = { ...opened, option: { name: 'Size' }, values, quantity: 2 } as SellerDropView

  it('the form proposes a name, and sends it only together with choices', () => {
    expect(stockValues(opened, true)).toEqual({ quantity: '5', optionName: 'Size', options: '' })
    expect(changesOf(opened, typed({ optionName: 'Size' }))).toEqual({})
    expect(changesOf(opened, typed({ optionName: 'Size', options: values }))).toEqual({
      optionName: 'Size',
      options: values,
    })
  })

  it('sends a new name alone, and an empty name with the quantity when the choices were removed', () => {
    expect(stockValues(sized, true)).toEqual({ quantity: '2', optionName: 'Size', options: 'S 2' })
    expect(changesOf(sized, typed({ optionName: 'Fit', options: values }))).toEqual({ optionName: 'Fit' })
    expect(changesOf(sized, typed({ optionName: 'Size', quantity: 7 }))).toEqual({ optionName: '', quantity: 7 })
  })
})

describe('the choices of an open edition', () => {
  const values = ['S', 'M'].map((value) => ({ value, quantity: 50, sold: 0, held: 0 }))
  const fields = { isOpenEdition: true, option: { name: 'Size' }, values, quantity: 50 }
  const edition = { ...opened, ...fields } as SellerDropView

  it('are shown without units beside the cap, and sent only when they were changed', () => {
    expect(stockValues(edition, true)).toEqual({ quantity: '50', optionName: 'Size', options: 'S, M' })
    expect(stockValues(edition, false)).toEqual({ quantity: '50', options: 'S, M' })
    expect(stockValues({ ...edition, option: undefined, values: [] }, false)).toEqual({ quantity: '50' })
    const same = [{ value: 'S' }, { value: 'M' }]
    expect(changesOf(edition, typed({ options: same, quantity: 50 }))).toEqual({})
    expect(changesOf(edition, typed({ options: same, quantity: 60 }))).toEqual({ quantity: 60 })
    const more = [...same, { value: 'XL' }]
    expect(changesOf(edition, typed({ options: more, quantity: 60 }))).toEqual({ quantity: 60, options: more })
  })
})
