import fc from 'fast-check'
import {
  estimateCardFeeCents,
  formatUsd,
  MAX_PRICE_CENTS,
  MIN_PRICE_CENTS,
  parsePriceCents,
  splitAmount,
  toDecimal,
} from './money'

describe('parsePriceCents', () => {
  test.each([
    ['24', 2400],
    ['24.5', 2450],
    ['24.50', 2450],
    ['24,50', 2450],
    ['24,5', 2450],
    ['1.234,50', 123450],
    ['$1.234.567,8', 123456780],
    ['1,234', 123400],
    ['$1,234.56', 123456],
    ['0.50', 50],
    ['999999.99', 99_999_999],
    [' 19.99 ', 1999],
  ])('%s is %i cents', (text, cents) => expect(parsePriceCents(text)).toBe(cents))

  test.each([
    '',
    '1e3',
    '0x10',
    'NaN',
    '-1',
    '0.001',
    '1,234,50',
    '1.234,5000',
    '12.34,50',
    '1.234',
    '1.2.3',
    '٢٤',
    '1 000',
    '--',
    '$',
    '.5',
    '5.',
  ])('%p is not a price', (text) => expect(parsePriceCents(text)).toBeNull())

  it('reads every formatted price back to the same cents', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: MAX_PRICE_CENTS }), (cents) => {
        expect(parsePriceCents(toDecimal(cents))).toBe(cents)
        expect(parsePriceCents(formatUsd(cents))).toBe(cents)
      }),
    )
  })
})

test('an amount is written in the American format', () => {
  const reference = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
  fc.assert(
    fc.property(fc.integer({ min: -MAX_PRICE_CENTS * 1_000, max: MAX_PRICE_CENTS * 1_000 }), (cents) => {
      expect(formatUsd(cents)).toBe(reference.format(cents / 100))
    }),
  )
})

describe('splitAmount', () => {
  it('rounds half a cent of the fee up', () => {
    expect(splitAmount(10, 500)).toEqual({ platformFeeCents: 1, sellerPayoutCents: 9 })
    expect(splitAmount(9, 500)).toEqual({ platformFeeCents: 0, sellerPayoutCents: 9 })
    expect(splitAmount(2400, 500)).toEqual({ platformFeeCents: 120, sellerPayoutCents: 2280 })
    expect(splitAmount(50, 300)).toEqual({ platformFeeCents: 2, sellerPayoutCents: 48 })
  })

  it('returns parts that add up to the amount, for every amount and both fees', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 999_999_990 }), fc.constantFrom(300, 500), (amount, feeBps) => {
        const { platformFeeCents, sellerPayoutCents } = splitAmount(amount, feeBps)
        expect(platformFeeCents + sellerPayoutCents).toBe(amount)
        expect(Number.isInteger(platformFeeCents)).toBe(true)
        expect(Math.abs(platformFeeCents - (amount * feeBps) / 10_000)).toBeLessThanOrEqual(0.5)
      }),
      { numRuns: 2_000 },
    )
  })
})

/** Says whether fee and payout are right: the fee is rounded half up, and the two add up to the amount. */
function isExactSplit(amount: number, feeBps: number): boolean {
  const { platformFeeCents, sellerPayoutCents } = splitAmount(amount, feeBps)
  // This rounds half up with integers, as the database does (lib/checkout/settlement/fee-cents-sql.ts).
  const exact = Number((BigInt(amount) * BigInt(feeBps) + 5_000n) / 10_000n)
  return platformFeeCents === exact && platformFeeCents + sellerPayoutCents === amount
}

test('for every cent up to $10,000 and both fees, the fee is exact, fee and payout add up, and the price has two decimals', () => {
  const wrong: number[] = []
  for (let amount = 0; amount <= 1_000_000; amount += 1) {
    const isRight = isExactSplit(amount, 300) && isExactSplit(amount, 500) && /^\d+\.\d\d$/.test(toDecimal(amount))
    if (!isRight) wrong.push(amount)
  }
  expect(wrong).toEqual([])
})

test('for 200,000 random prices and both fees, the fee is exact and fee and payout add up to the amount', () => {
  const wrong: number[] = []
  for (let at = 0; at < 200_000; at += 1) {
    const amount = MIN_PRICE_CENTS + Math.floor(Math.random() * (MAX_PRICE_CENTS - MIN_PRICE_CENTS + 1))
    if (!isExactSplit(amount, 300) || !isExactSplit(amount, 500)) wrong.push(amount)
  }
  expect(wrong).toEqual([])
})

test('the estimated card fee is 2.9 % and 30 cents', () => expect(estimateCardFeeCents(10_000)).toBe(320))
