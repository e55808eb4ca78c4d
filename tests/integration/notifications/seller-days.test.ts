// Days and times that a seller reads are in the time zone of the seller's settings, and written as docs/voice.md says.
import { suspendedMail } from '@/lib/accounts/mails'
import { delayNotice } from '@/lib/shipping/mails'
import { disputeNotice, inquiryNotice } from '@/lib/refunds/dispute-mails'
import { orderTimeline } from '@/lib/orders/order-timeline'
import { payoutDueText } from '@/lib/payouts/messages'
import { proStartedMail, renewalFailedMail } from '@/lib/subscriptions/mails'

/** In UTC this is a day later than in New York. */
const at = new Date('2026-11-22T02:05:00.000Z')
const now = new Date('2026-11-20T12:00:00.000Z')
const timezone = 'America/New_York'
const url = 'https://lastcall.example'
const seller = { email: 'mira@example.com', firstName: 'Mira', username: 'mira', timezone }
const order = {
  ...{ id: 'ord_0123456789', token: 'token', dropTitle: 'Mug', quantity: 1, amountCents: 2400, seller },
  ...{ discountCode: null, discountCents: 0, platformFeeCents: 120, platformFeeBps: 500, sellerPayoutCents: 2280 },
  productType: 'physical' as const,
}

it('emails about disputes, late parcels, the plan and a suspension name the day in the time zone of the seller', () => {
  const dispute = { id: 'dis_1', amountCents: 2400, dueAt: at }
  const delay = { missedDay: now, newDay: now, answerBy: at, isProposed: false }
  const plan = { subscriptionId: 'sub_1', billingPeriod: 'monthly' as const, periodEnd: at }
  const day = /Nov 21, 2026/
  const late = delayNotice({ ...order, buyerEmail: null }, seller, delay, url)
  expect(inquiryNotice(order, dispute, url).text).toMatch(day)
  expect(disputeNotice(order, { ...dispute, payout: 'left' }, url).text).toMatch(day)
  expect(proStartedMail(seller, plan, url).text).toMatch(day)
  expect(renewalFailedMail(seller, { subscriptionId: 'sub_1', periodStart: now, graceUntil: at }, url).text).toMatch(
    day,
  )
  expect(suspendedMail({ ...seller, suspendedUntil: at, suspensionReason: null }, url, 'k').text).toMatch(day)
  expect(late.text).toContain('Without an answer by Sat, Nov 21, 9:05 PM EST')
})

it('payouts and the history of an order name days in the time zone of the seller', () => {
  const when = { heldUntil: null, timezone, now, isPromisedParcel: false }
  expect(payoutDueText(at, when)).toBe("We'll send this payout when you ship, or on Nov 21, 2026")
  expect(payoutDueText(now, { ...when, heldUntil: at })).toBe("We'll send this payout on Nov 21, 2026")
  expect(payoutDueText(now, { ...when, isPromisedParcel: true })).toBe("We'll send this payout when you ship")
  expect(payoutDueText(at, { ...when, isPromisedParcel: true })).toBe(
    "We'll send this payout when you ship, or on Nov 21, 2026 if it fits in the $500.00 that we send before shipping",
  )
  const nothing = { refunds: [], downloads: [], keys: [], addressChanges: [], delays: [], transfer: null }
  const dates = { paidAt: now, shippedAt: null, deliveredAt: null, deliveredBy: null, carrier: '', trackingNumber: '' }
  const dispute = { status: 'needs_response', createdAt: now, closedAt: null, submittedAt: null, dueAt: at }
  const entries = orderTimeline(
    { ...nothing, ...dates, amountCents: 2400, productType: 'physical', disputes: [dispute] },
    'seller',
    timezone,
  )
  expect(entries.map(({ note }) => note)).toContain('Respond by Nov 21, 2026')
})
