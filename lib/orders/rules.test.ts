import { askAgainFrom, completionOf, mayMove, type OrderFacts, type OrderStatus, statusOf } from './rules'

type Event = 'created' | 'completed' | 'refunded' | 'expired' | 'disputed'
const EVENTS: Event[] = ['created', 'completed', 'refunded', 'expired', 'disputed']

const learn: Record<Event, (facts: OrderFacts) => OrderFacts> = {
  created: (facts) => facts,
  completed: (facts) => ({ ...facts, isPaid: true }),
  // A refund is possible only after a payment.
  refunded: (facts) => ({ ...facts, isPaid: true, refundedCents: facts.amountCents }),
  expired: (facts) => ({ ...facts, isHoldOver: true }),
  disputed: (facts) => ({ ...facts, isPaid: true, isDisputed: true }),
}

const nothing: OrderFacts = {
  isPaid: false,
  isHoldOver: false,
  amountCents: 2400,
  refundedCents: 0,
  isDisputed: false,
  productType: 'physical',
  isShipped: false,
  isDelivered: false,
}

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length === 0) return [[]]
  return items.flatMap((item, index) => permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]))
}

const subsets = Array.from({ length: 2 ** EVENTS.length }, (_, bits) =>
  EVENTS.filter((_event, index) => bits & (1 << index)),
)

function truthOf(events: readonly Event[]): OrderStatus {
  if (events.includes('disputed')) return 'disputed'
  if (events.includes('refunded')) return 'refunded'
  if (events.includes('completed')) return 'paid'
  return events.includes('expired') ? 'expired' : 'pending'
}

test.each(subsets.map((events) => [events.join(' ') || 'nothing', events] as const))(
  'an order ends in the right status, by allowed moves only, after these events in any order: %s',
  (_name, events) => {
    for (const order of permutations(events)) {
      let facts = nothing
      let status: OrderStatus = 'pending'
      for (const event of order) {
        // As in syncPayment(), refunds and disputes are read after the payment itself was settled.
        const steps = event === 'refunded' || event === 'disputed' ? [learn.completed, learn[event]] : [learn[event]]
        for (const step of steps) {
          facts = step(facts)
          const next = statusOf(facts)
          expect([order, status, next, mayMove(status, next)]).toEqual([order, status, next, true])
          status = next
        }
      }
      expect([order, status]).toEqual([order, truthOf(events)])
    }
  },
)

test.each([
  ['paid', 'pending'],
  ['shipped', 'paid'],
  ['done', 'shipped'],
  ['pending', 'shipped'],
  ['paid', 'delivered'],
  ['delivered', 'shipped'],
  ['shipped', 'done'],
  ['expired', 'disputed'],
] as const)('an order with status %s never gets status %s', (from, to) => expect(mayMove(from, to)).toBe(false))

test.each([
  ['physical', 'shipped', 'delivered'],
  ['physical', 'paid', null],
  ['physical', 'disputed', null],
  ['service', 'paid', 'done'],
  ['service', 'refunded', null],
  ['digital', 'paid', null],
] as const)('the final status that a %s order with status %s can get is %s', (productType, status, end) => {
  expect(completionOf({ productType, status })).toBe(end)
  if (end === null) return
  expect(mayMove(status, end)).toBe(true)
  const facts = { ...nothing, productType, isPaid: true, isShipped: productType === 'physical', isDelivered: true }
  expect(statusOf(facts)).toBe(end)
  // A refund or a dispute can be reversed, and then the order returns to this status.
  for (const other of ['refunded', 'disputed'] as const)
    expect([mayMove(end, other), mayMove(other, end)]).toEqual([true, true])
})

test('a buyer may request a refund three times, and only three days after each refusal', () => {
  const refusals = ['2026-11-01T10:00:00Z', '2026-11-05T10:00:00Z', '2026-11-10T10:00:00Z'].map((day) => new Date(day))
  expect(askAgainFrom([])?.getTime()).toBe(0)
  expect(askAgainFrom(refusals.slice(0, 1))?.toISOString()).toBe('2026-11-04T10:00:00.000Z')
  expect(askAgainFrom(refusals.slice(0, 2))?.toISOString()).toBe('2026-11-08T10:00:00.000Z')
  expect(askAgainFrom(refusals)).toBeNull()
})
