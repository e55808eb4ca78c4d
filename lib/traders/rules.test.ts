import { readEnvironment } from '@/lib/infra/env-rules.mjs'
import { periodLabel } from './messages'
import { formatRate, limitStage, offeredPeriods, parseRateBps, readTaxPeriod, taxCents, USUAL_CAP_CENTS } from './rules'

describe('the monthly limit', () => {
  it.each([
    [0, 'free'],
    [79_999, 'free'],
    [80_000, 'near'],
    [99_999, 'near'],
    [100_000, 'full'],
    [120_000, 'full'],
  ] as const)('with %s cents used is in the stage %s', (usedCents, stage) =>
    expect(limitStage({ capCents: 100_000, usedCents })).toBe(stage),
  )
})

it('the terms and the help chat name the limit that applies with live keys', () => {
  const keys = { STRIPE_SECRET_KEY: 'sk_live_1', NEXT_PUBLIC_STRIPE_PUBLISHABLE_KEY: 'pk_live_1' }
  expect(readEnvironment(keys).values.sellerLimit?.capCents).toBe(USUAL_CAP_CENTS)
})

describe('a VAT rate', () => {
  it.each([
    ['19', 1900],
    ['5,5', 550],
    ['8.1 %', 810],
    ['2.75', 275],
    ['0', 0],
    ['50', 5000],
  ])('%s is %s basis points', (typed, bps) => expect(parseRateBps(typed)).toBe(bps))

  it.each(['', '50.01', '-1', '19.999', '1e1', 'nineteen', '٣'])('%j is refused', (typed) =>
    expect(parseRateBps(typed)).toBeNull(),
  )

  it('is written as people write it', () =>
    expect([1900, 810, 275, 0].map(formatRate)).toEqual(['19', '8.1', '2.75', '0']))
})

describe('the tax in a gross sum', () => {
  it.each([
    [11_900, 1900, 1900],
    [2_400, 1900, 383],
    // 3 × 20 ÷ 120 is exactly half a cent, which is rounded away from zero.
    [3, 2000, 1],
    [-3, 2000, -1],
    [-11_900, 1900, -1900],
    [0, 1900, 0],
    [2_400, 0, 0],
    [99_999_999_999, 5000, 33_333_333_333],
  ])('of %s cents at %s basis points is %s', (gross, bps, tax) => expect(taxCents(gross, bps)).toBe(tax))
})

describe('a tax period', () => {
  it.each([
    ['2026-11', '2026-11-01', '2026-12-01', 'November 2026'],
    ['2026-12', '2026-12-01', '2027-01-01', 'December 2026'],
    ['2026-Q1', '2026-01-01', '2026-04-01', 'January to March 2026'],
    ['2026-Q4', '2026-10-01', '2027-01-01', 'October to December 2026'],
  ])('%s begins on %s and ends before %s', (name, from, to, label) => {
    expect(readTaxPeriod(name)).toEqual({ name, from, to })
    expect(periodLabel(name)).toBe(label)
  })

  it.each(['', '2026', '2026-13', '2026-Q5', '2026-1', '1999-11', '2026-11-01', '2026-11\n'])('%j is refused', (name) =>
    expect(readTaxPeriod(name)).toBeNull(),
  )

  it('is offered for the last twelve months and four quarters', () => {
    const { months, quarters } = offeredPeriods(new Date('2026-02-15T12:00:00Z'))
    expect(months).toHaveLength(12)
    expect([months[0], months[2], months[11]]).toEqual(['2026-02', '2025-12', '2025-03'])
    expect(quarters).toEqual(['2026-Q1', '2025-Q4', '2025-Q3', '2025-Q2'])
  })
})
