import { disputeText, isAppealable, isOpenDispute } from './dispute-rules'

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
