import { refundedText } from './messages'

test('only a buyer with a code reads about codes when a payment was refunded at once', () => {
  expect(refundedText({ discountCode: null })).toMatch(
    /^The last unit went to someone else before your payment arrived/,
  )
  expect(refundedText({ discountCode: null })).not.toContain('code')
  expect(refundedText({ discountCode: 'FRIENDS' })).toContain('or the last use of your discount code, went to')
})
