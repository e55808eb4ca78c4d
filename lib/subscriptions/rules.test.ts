import { canHaveMoneyBack, chooseSubscription, DUPLICATE, graceUntil, isEntitled, keepRenewing, toState } from './rules'

const now = new Date('2026-11-21T12:00:00Z')
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000)

test.each([
  ['active', null, true],
  ['canceled', null, false],
  ['pastDue', graceUntil(daysAgo(6.9)), true],
  ['pastDue', graceUntil(daysAgo(7)), false],
  ['pastDue', null, false],
] as const)('a subscription in the state %s, with grace until %s, entitles to Pro: %s', (state, grace, expected) => {
  expect(isEntitled(state, grace, now)).toBe(expected)
})

test.each([
  ['active', 'active'],
  ['trialing', 'active'],
  ['past_due', 'pastDue'],
  ['unpaid', 'pastDue'],
  ['canceled', 'canceled'],
  ['incomplete', null],
  ['incomplete_expired', null],
])('the Stripe status %s counts as %s', (status, state) => expect(toState(status)).toBe(state))

test('a seller can get the money back once, within 14 days of the first payment, while the subscription runs', () => {
  const paid = { firstPaidAt: daysAgo(13.9), moneyBackAt: null, status: 'active' } as const
  expect(canHaveMoneyBack(paid, now)).toBe(true)
  expect(canHaveMoneyBack({ ...paid, firstPaidAt: daysAgo(14) }, now)).toBe(false)
  expect(canHaveMoneyBack({ ...paid, moneyBackAt: daysAgo(1) }, now)).toBe(false)
  expect(canHaveMoneyBack({ ...paid, status: 'canceled' }, now)).toBe(false)
  expect(canHaveMoneyBack({ ...paid, firstPaidAt: null }, now)).toBe(false)
})

describe('chooseSubscription()', () => {
  const make = (id: string, status: string, created: number, periodStart = now) => {
    const item = { current_period_start: periodStart.getTime() / 1000 }
    return { id, status, created, items: { data: [item] }, metadata: {} }
  }
  const choose = (...all: (ReturnType<typeof make> & { metadata: Record<string, string> })[]) => {
    const { main, extra, overdue } = chooseSubscription(all, now)
    const ids = (some: { id: string }[]) => some.map(({ id }) => id)
    return { main: main?.id, extra: ids(extra), overdue: ids(overdue) }
  }

  test('the oldest subscription that entitles to Pro counts, and others that do so are duplicates', () => {
    const [a, b] = [make('a', 'canceled', 1), make('b', 'past_due', 2, daysAgo(6))]
    const [c, d] = [make('c', 'active', 3), make('d', 'incomplete', 4)]
    expect(choose(c, a, b, d)).toEqual({ main: 'b', extra: ['c'], overdue: [] })
    expect(choose(make('newer', 'active', 1), make('older', 'active', 1)).main).toBe('older')
  })

  test('a duplicate whose refund has begun never counts, even when the other subscription has ended', () => {
    const begun = { ...make('begun', 'active', 2), metadata: DUPLICATE }
    expect(choose(begun, make('old', 'canceled', 1))).toEqual({ main: 'old', extra: ['begun'], overdue: [] })
    const ended = { ...make('ended', 'canceled', 2), metadata: DUPLICATE }
    expect(choose(ended, make('old', 'canceled', 1))).toEqual({ main: 'old', extra: [], overdue: [] })
  })

  test('a subscription whose grace period is over counts only as long as no other one was bought', () => {
    const old = make('old', 'past_due', 1, daysAgo(7))
    expect(choose(make('new', 'active', 2), old)).toEqual({ main: 'new', extra: [], overdue: ['old'] })
    expect(choose(make('x', 'canceled', 2), old)).toEqual({ main: 'old', extra: [], overdue: [] })
  })

  test('without a running subscription the newest one counts, unless it was never paid', () => {
    expect(choose(make('x', 'canceled', 1), make('y', 'canceled', 2)).main).toBe('y')
    expect(choose(make('z', 'incomplete', 1)).main).toBeUndefined()
  })
})

// docs.stripe.com/billing/subscriptions/billing-mode/compare (docs/stripe-rules.md, A9)
test.each([
  [{ cancel_at_period_end: false, cancel_at: 1 }, { cancel_at: '' }],
  [{ cancel_at_period_end: true, cancel_at: 1 }, { cancel_at_period_end: false }],
  [{ cancel_at_period_end: false, cancel_at: null }, { cancel_at_period_end: false }],
])('a subscription with %j is made to renew with %j', (ending, expected) => {
  expect(keepRenewing(ending)).toEqual(expected)
})
