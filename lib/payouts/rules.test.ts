import { splitAmount } from '@/lib/kernel/money'
import { planRules } from '@/lib/plans/rules'
import { expectedArrival, netCents, payoutsStateOf, shareOutCents, shareToTakeBack } from './rules'

test('fee and payout add up to the amount for a million random prices and both plans', () => {
  const fees = (['free', 'pro'] as const).map((plan) => planRules({ plan, isAdmin: false }).feeBps)
  let wrong = 0
  let seed = 20261121
  for (let index = 0; index < 1_000_000; index += 1) {
    // A small generator of our own, so that a failure can be repeated.
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

test('the net is never below nothing', () => {
  expect([netCents(2280, 100), netCents(20, 31)]).toEqual([2180, 0])
})

test.each([
  // Refunded in full: the share was 2180 of 2400 with a fee of 120, and the card fee is not asked for twice.
  [2400, 120, 2180, 2180],
  [1000, 50, 2180, 950],
  [0, 0, 2180, 0],
])('a refund of %i with %i of the fee takes back of %i: %i', (refunded, fee, share, expected) => {
  expect(shareToTakeBack(refunded, fee, share)).toBe(expected)
})

test('what is out is all that was sent less all that came back', () => {
  expect(shareOutCents({ sentCents: 2180, sentAgainCents: 700, takenBackCents: 700 })).toBe(2180)
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
