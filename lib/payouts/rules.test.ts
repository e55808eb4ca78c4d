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
  // A payment of $24.00: the fee is $1.20, the payout $22.80, and $21.80 after a card fee of $1.00.
  ['in full', 2400, 120, { amountCents: 2280, feeOwedCents: 100 }],
  ['in part', 1000, 50, { amountCents: 950, feeOwedCents: 0 }],
  ['so far that the card fee is no longer covered', 2360, 118, { amountCents: 2242, feeOwedCents: 62 }],
  ['not at all', 0, 0, { amountCents: 0, feeOwedCents: 0 }],
])(
  'a payment refunded %s: what is taken from the payout, and what the seller owes',
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

  it('is the card fee alone while the reversal may still bring the rest back', () => {
    expect([targetCents(payout), debtCents(payout)]).toEqual([-100, 100])
  })

  it('is everything once Stripe has refused the reversal, less what other payouts have paid', () => {
    const refused = { ...payout, reversalRefusedAt: new Date() }
    expect(debtCents(refused)).toBe(2280)
    expect(debtCents({ ...refused, recoveredCents: 2000 })).toBe(280)
    expect(debtCents({ ...refused, recoveredCents: 2280 })).toBe(0)
  })
})

describe('debts are paid from payouts', () => {
  const debts = [
    { id: 'old', cents: 100 },
    { id: 'new', cents: 500 },
  ]

  it('oldest first, over as many payouts as needed', () => {
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

  it('never from the payout of their own order, and never more than a payout holds', () => {
    expect(splitDebts(debts, [{ id: 'old', cents: 90 }])).toEqual([{ fromId: 'old', forId: 'new', cents: 90 }])
    expect(splitDebts([], [{ id: 'first', cents: 90 }])).toEqual([])
  })
})

test.each([
  ['nothing given yet', { details_submitted: false, payouts_enabled: false }, 'incomplete'],
  [
    'everything given, nothing decided',
    {
      details_submitted: true,
      payouts_enabled: false,
      requirements: { currently_due: [], pending_verification: ['document'] },
    },
    'review',
  ],
  [
    'a document asked for',
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
    'a review that Stripe gives as the reason',
    {
      details_submitted: true,
      payouts_enabled: false,
      requirements: { currently_due: [], pending_verification: ['document'], disabled_reason: 'under_review' },
    },
    'review',
  ],
  [
    'nothing given, and that as the reason',
    {
      details_submitted: false,
      payouts_enabled: false,
      requirements: { currently_due: ['name'], pending_verification: [], disabled_reason: 'requirements.past_due' },
    },
    'incomplete',
  ],
  ['all well', { details_submitted: true, payouts_enabled: true, capabilities: { transfers: 'active' } }, 'ready'],
] as const)('an account with %s is %s', (_name, account, state) => {
  expect(payoutsStateOf(structuredClone(account) as Parameters<typeof payoutsStateOf>[0])).toBe(state)
})

test('weekends are not business days', () => {
  const { earliest, latest } = expectedArrival(new Date('2026-11-20T18:00:00Z'))
  expect([earliest.toISOString(), latest.toISOString()]).toEqual([
    '2026-11-24T18:00:00.000Z',
    '2026-12-01T18:00:00.000Z',
  ])
})
