import { splitAmount } from '@/lib/kernel/money'
import { planRules } from '@/lib/plans/rules'
import { debtCents, expectedArrival, netCents, payoutsStateOf, refundDeduction, splitDebts, targetCents } from './rules'

test('fee and payout add up to the amount for a million random prices and both plans', () => {
  const fees = (['free', 'pro'] as const).map((plan) => planRules({ plan, isAdmin: false }).feeBps)
  let wrong = 0
  let seed = 20261121
  for (let index = 0; index < 1_000_000; index += 1) {
    // The generator has a fixed seed, so that a failure can be repeated.
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
    const amountCents = 50 + (seed % 99_999_950)
    for (const feeBps of fees) {
      const { platformFeeCents, sellerPayoutCents } = splitAmount(amountCents, feeBps)
      const isExact = Math.abs(platformFeeCents - (amountCents * feeBps) / 10_000) <= 0.5
      const isWhole = Number.isInteger(platformFeeCents) && sellerPayoutCents >= 0
      if (platformFeeCents + sellerPayoutCents !== amountCents || !isExact || !isWhole) wrong += 1
    }
  }
  expect({ wrong, fees }).toEqual({ wrong: 0, fees: [500, 300] })
})

test('the net payout is never below zero', () => {
  expect([netCents(2280, 100), netCents(20, 31)]).toEqual([2180, 0])
})

test.each([
  // The payment is $24.00 and the platform fee $1.20. The payout is $22.80, or $21.80 after a card fee of $1.00.
  ['the whole payment', 2400, 120, { amountCents: 2280, feeOwedCents: 100 }],
  ['a part of the payment', 1000, 50, { amountCents: 950, feeOwedCents: 0 }],
  ['so much that the card fee is no longer covered', 2360, 118, { amountCents: 2242, feeOwedCents: 62 }],
  ['nothing', 0, 0, { amountCents: 0, feeOwedCents: 0 }],
])(
  'a refund of %s deducts the right amount, and only the uncovered card fee becomes a debt',
  (_name, refundedCents, refundedFeeCents, expected) => {
    const payout = { sellerPayoutCents: 2280, netPayoutCents: 2180 }
    expect(refundDeduction({ refundedCents, refundedFeeCents, ...payout })).toEqual(expected)
  },
)

describe('a debt', () => {
  const payout = {
    amountCents: 2180,
    deductedCents: 2180,
    feeOwedCents: 100,
    withheldCents: 0,
    recoveredCents: 0,
    sentCents: 2180,
    sentAgainCents: 0,
    reversedAtStripeCents: 0,
    reversalRefusedAt: null as Date | null,
  }

  it('is only the card fee while the reversal may still return the rest', () => {
    expect([targetCents(payout), debtCents(payout)]).toEqual([-100, 100])
  })

  it('is the whole amount once Stripe has refused the reversal, less what other payouts have paid', () => {
    const refused = { ...payout, reversalRefusedAt: new Date() }
    expect(debtCents(refused)).toBe(2280)
    expect(debtCents({ ...refused, recoveredCents: 2000 })).toBe(280)
    expect(debtCents({ ...refused, recoveredCents: 2280 })).toBe(0)
  })
})

describe('splitDebts()', () => {
  const debts = [
    { id: 'old', cents: 100 },
    { id: 'new', cents: 500 },
  ]

  it('pays the oldest debt first, from as many payouts as needed', () => {
    const payables = [
      { id: 'first', cents: 150 },
      { id: 'second', cents: 1000 },
    ]
    expect(splitDebts(debts, payables)).toEqual([
      { fromId: 'first', forId: 'old', cents: 100 },
      { fromId: 'first', forId: 'new', cents: 50 },
      { fromId: 'second', forId: 'new', cents: 450 },
    ])
  })

  it('never pays a debt from the payout of the same order, and never takes more than a payout has', () => {
    expect(splitDebts(debts, [{ id: 'old', cents: 90 }])).toEqual([{ fromId: 'old', forId: 'new', cents: 90 }])
    expect(splitDebts([], [{ id: 'first', cents: 90 }])).toEqual([])
  })
})

test.each([
  ['no details submitted', { details_submitted: false, payouts_enabled: false }, 'incomplete'],
  [
    'all details submitted and no decision yet',
    {
      details_submitted: true,
      payouts_enabled: false,
      requirements: { currently_due: [], pending_verification: ['document'] },
    },
    'review',
  ],
  [
    'a document that Stripe still requires',
    {
      details_submitted: true,
      payouts_enabled: false,
      requirements: { currently_due: ['document'], pending_verification: [] },
    },
    'incomplete',
  ],
  ...(['requirements.past_due', 'rejected.fraud', 'platform_paused'] as const).map(
    (disabled_reason) =>
      [
        disabled_reason,
        {
          details_submitted: true,
          payouts_enabled: false,
          requirements: { currently_due: ['document'], pending_verification: [], disabled_reason },
        },
        'paused',
      ] as const,
  ),
  [
    'a restriction that lasts only while it is under review',
    {
      details_submitted: true,
      payouts_enabled: false,
      requirements: { currently_due: [], pending_verification: ['document'], disabled_reason: 'under_review' },
    },
    'review',
  ],
  [
    'no details submitted and a restriction for past-due details',
    {
      details_submitted: false,
      payouts_enabled: false,
      requirements: { currently_due: ['name'], pending_verification: [], disabled_reason: 'requirements.past_due' },
    },
    'incomplete',
  ],
  ['full approval', { details_submitted: true, payouts_enabled: true, capabilities: { transfers: 'active' } }, 'ready'],
] as const)('an account with %s has the state %s', (_name, account, state) => {
  expect(payoutsStateOf(structuredClone(account) as Parameters<typeof payoutsStateOf>[0])).toBe(state)
})

test('the expected arrival of a transfer skips weekends', () => {
  const { earliest, latest } = expectedArrival(new Date('2026-11-20T18:00:00Z'))
  expect([earliest.toISOString(), latest.toISOString()]).toEqual([
    '2026-11-24T18:00:00.000Z',
    '2026-12-01T18:00:00.000Z',
  ])
})
