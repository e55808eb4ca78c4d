import fc from 'fast-check'
import { isRefundDue, refundedFeeCents } from './refund-rules'

test('a partial refund returns a part of the fee, and a full refund returns all of it', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 99_999_999 }), fc.constantFrom(300, 500), fc.nat(), (amount, bps, cut) => {
      const fee = Math.floor((amount * bps + 5_000) / 10_000)
      const part = cut % (amount + 1)
      const first = refundedFeeCents(fee, amount, part)
      expect(first).toBeGreaterThanOrEqual(0)
      expect(first).toBeLessThanOrEqual(Math.min(part + 1, fee))
      expect(refundedFeeCents(fee, amount, amount)).toBe(fee)
    }),
  )
})

test('the sweep sends an unsent seller refund after 30 seconds, and reads a pending refund at most twice an hour', () => {
  const now = new Date('2026-11-22T12:00:00Z')
  const refund = (secondsAgo: number, stripeRefundId: string | null, requestedBy = 'seller:1') => ({
    createdAt: new Date(now.getTime() - secondsAgo * 1000),
    stripeRefundId,
    requestedBy,
  })
  expect(isRefundDue(refund(10, null), now)).toBe(false)
  expect(isRefundDue(refund(31, null), now)).toBe(true)
  expect(isRefundDue(refund(1, null, 'system'), now)).toBe(true)
  expect(isRefundDue(refund(1800, 're_1'), now)).toBe(false)
  // All runs of the sweep in one day. The sweep runs every 15 seconds.
  const runs = Array.from({ length: 4 * 60 * 24 }, (_, run) => isRefundDue(refund(run * 15, 're_1'), now))
  expect(runs.filter(Boolean).length).toBeLessThanOrEqual(48)
})
