import { canHaveMoneyBack, chooseSubscription, graceUntil, isEntitled, keepRenewing, toState } from './rules'

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

test('the oldest subscription that has not ended counts, and others that have not ended are duplicates', () => {
  const make = (id: string, status: string, created: number) => ({ id, status, created, items: { data: [] } })
  const all = [make('c', 'active', 3), make('a', 'canceled', 1), make('b', 'past_due', 2), make('d', 'incomplete', 4)]
  const { main, extra } = chooseSubscription(all)
  expect([main?.id, ...extra.map(({ id }) => id)]).toEqual(['b', 'c'])
  expect(chooseSubscription([make('x', 'canceled', 1), make('y', 'canceled', 2)]).main?.id).toBe('y')
  expect(chooseSubscription([make('newer', 'active', 1), make('older', 'active', 1)]).main?.id).toBe('older')
  expect(chooseSubscription([make('z', 'incomplete', 1)]).main).toBeNull()
})

// docs.stripe.com/billing/subscriptions/billing-mode/compare (docs/stripe-rules.md, A9)
test.each([
  [{ cancel_at_period_end: false, cancel_at: 1 }, { cancel_at: '' }],
  [{ cancel_at_period_end: true, cancel_at: 1 }, { cancel_at_period_end: false }],
  [{ cancel_at_period_end: false, cancel_at: null }, { cancel_at_period_end: false }],
])('a subscription with %j is made to renew with %j', (ending, expected) => {
  expect(keepRenewing(ending)).toEqual(expected)
})
