import { choicesOf } from './choices-of'

const drop = {
  productType: 'physical',
  condition: 'used',
  duration: 48,
  shippingNote: 'In a box',
  maxPerBuyer: 2,
  shipsFrom: 'DE',
  shipsWithin: 7,
} as const

it('the next form begins with the condition, the promise, the limit and the zones of the last drop', () => {
  const shippingZones = [{ cents: 600, countries: ['DE', 'FR'] }]
  expect(choicesOf({ ...drop, shippingZones }, ['physical'])).toEqual({
    ...{ productType: 'physical', condition: 'used', duration: 48, shippingNote: 'In a box', maxPerBuyer: '2' },
    ...{ shipsFrom: 'DE', shipsWithin: '7' },
    shippingZones: '[{"surcharge":"6.00","countries":["DE","FR"]}]',
  })
})

it('the next form takes over nothing that the last drop did not have, and no type that the plan does not allow', () => {
  const none = { shipsFrom: null, shipsWithin: null, maxPerBuyer: null, shippingZones: null, shippingNote: '' }
  expect(choicesOf({ ...none, productType: 'digital', condition: 'new', duration: 24 }, ['physical'])).toEqual({
    ...{
      condition: 'new',
      duration: 24,
      shippingNote: '',
      shipsFrom: '',
      shipsWithin: '',
      maxPerBuyer: '',
      shippingZones: '',
    },
  })
})
