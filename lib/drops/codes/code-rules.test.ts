import { codeInQuery, codeKey, discountOf, highestDiscount, isChargeable } from './code-rules'

test('a typed code is converted to its normal spelling, or to null when it is invalid', () => {
  expect([' friends ', 'Spring-20', 'FRIENDS'].map(codeKey)).toEqual(['FRIENDS', 'SPRING-20', 'FRIENDS'])
  expect(['ab', '-abc', 'abc-', 'a b c', 'ÄÖÜ', 'A\u0000BC', 'x'.repeat(21), ''].map(codeKey)).toEqual(
    Array.from({ length: 8 }, () => null),
  )
})

test('a percentage of the price of one unit is rounded half up to a cent', () => {
  const off = (priceCents: number, percent: number) => discountOf(priceCents, { percent, offCents: null })
  expect([off(2400, 20), off(333, 50), off(50, 1), off(149, 1), off(150, 1), off(99_999_999, 90)]).toEqual([
    480, 167, 1, 1, 2, 89_999_999,
  ])
})

test('an amount in cents is taken off the price of each unit', () =>
  expect(discountOf(2400, { percent: null, offCents: 350 })).toBe(350))

test('the highest discount leaves at least fifty cents, and any higher allowed discount leaves less', () => {
  for (const priceCents of [51, 52, 60, 99, 100, 333, 499, 500, 501, 2400]) {
    const { percent, offCents } = highestDiscount(priceCents)!
    expect(isChargeable(priceCents, { percent: null, offCents })).toBe(true)
    expect(isChargeable(priceCents, { percent: null, offCents: offCents + 1 })).toBe(false)
    if (percent === 0) continue
    expect(isChargeable(priceCents, { percent, offCents: null })).toBe(true)
    expect(percent === 90 || !isChargeable(priceCents, { percent: percent + 1, offCents: null })).toBe(true)
  }
  expect(highestDiscount(50)).toBeNull()
})

test('the code is read from the query of a link and cut to 40 characters', () => {
  expect(codeInQuery('?utm_source=x&code=%20friends ')).toBe('friends')
  expect([codeInQuery(''), codeInQuery('?code='), codeInQuery(`?code=${'x'.repeat(900)}`).length]).toEqual(['', '', 40])
})
