import type { EditDropFields } from '@/lib/drops/schema'
import type { SellerDropView } from '@/lib/drops/view'
import { changesOf, earlyChangesOf, earlyValues } from './changes-of'

const images = (...names: string[]) => names.map((src) => ({ src }))

const opened = {
  ...{ title: 'Mug', price: '24.00', priceCents: 2400, productType: 'physical', duration: 24, quantity: 5, values: [] },
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
    ...earlyValues(opened, 'UTC'),
    price: 2400,
    duration: 24,
    description: 'A mug.',
    quantity: 5,
    ...fields,
  }) as EditDropFields

it('sends nothing that was not typed over, whatever changed elsewhere', () => {
  expect(earlyChangesOf({ opened, current }, typed(), 'UTC')).toEqual({})
  expect(changesOf(opened, typed())).toEqual({})
})

it('sends what was typed', () => {
  const fields = typed({ title: 'Vase', price: 1250, startsAt: '2026-11-28T20:00' })
  expect(earlyChangesOf({ opened, current }, fields, 'UTC')).toEqual({
    ...{ title: 'Vase', price: '12.50', startsAt: '2026-11-28T20:00' },
  })
})

it('removes the photo that was removed here, and keeps one that was added elsewhere', () => {
  expect(earlyChangesOf({ opened, current }, typed({ keepImages: ['b'] }), 'UTC')).toEqual({ keepImages: ['b', 'c'] })
})
