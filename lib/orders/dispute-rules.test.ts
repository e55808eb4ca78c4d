import { disputeText, isAppealable, isDisputedOrder, isOpenDispute, lostCents } from './dispute-rules'

test.each([
  ['needs_response', 'The bank is waiting for a response'],
  ['under_review', 'The bank is reviewing the evidence'],
  ['appeal_needs_response', 'The bank decided for the buyer, and its decision can be appealed'],
  ['appeal_under_review', 'The bank is reviewing the appeal'],
  ['warning_needs_response', 'The bank asked about this payment'],
  ['won', 'You won the dispute'],
  ['lost', 'The bank returned the money to the buyer'],
])('a dispute with the status %s reads "%s"', (status, text) => {
  expect(disputeText(status, 'seller')).toBe(text)
})

test('a dispute under appeal is still open, and we can appeal only while the bank waits for it', () => {
  expect(['appeal_needs_response', 'appeal_under_review'].map(isOpenDispute)).toEqual([true, true])
  expect(['needs_response', 'appeal_needs_response', 'appeal_under_review'].map(isAppealable)).toEqual([
    false,
    true,
    false,
  ])
})

const disputes = (...all: [status: string, amountCents: number][]) =>
  all.map(([status, amountCents]) => ({ status, amountCents }))

// docs.stripe.com/disputes/how-disputes-work (docs/stripe-rules.md, B4)
test.each([
  ['an inquiry', disputes(['warning_needs_response', 2400]), 0, false],
  ['an open dispute about a part', disputes(['needs_response', 100]), 0, true],
  ['an appeal', disputes(['appeal_under_review', 2400]), 0, true],
  ['a lost dispute', disputes(['lost', 2400]), 0, true],
  ['a lost dispute about more than the payment', disputes(['lost', 2500]), 0, true],
  ['a lost dispute about a part', disputes(['lost', 1200]), 0, false],
  ['a lost part after the rest was refunded', disputes(['lost', 1200]), 1200, true],
  [
    'a won, a closed and a prevented dispute',
    disputes(['won', 2400], ['warning_closed', 2400], ['prevented', 2400]),
    0,
    false,
  ],
] as const)('isDisputedOrder() is right about an order with %s', (_name, found, refundedCents, isDisputed) => {
  const order = { amountCents: 2400, refundedCents, disputes: found }
  expect(isDisputedOrder(order)).toBe(isDisputed)
  expect(lostCents(order)).toBeLessThanOrEqual(2400)
})
