import type { SellerDropView } from '@/lib/drops/view'
import { DAY_MS, HOUR_MS } from '@/lib/kernel/time'
import type { SellerTaskKind, SellerTaskView } from '@/lib/orders/task-view'
import type { MoneyLineView } from '@/lib/payouts/view'
import { toDoItems } from './to-do-items'

const NOW_MS = Date.parse('2026-11-23T12:00:00Z')
const iso = (fromNowMs: number) => new Date(NOW_MS + fromNowMs).toISOString()

const task = (
  kind: SellerTaskKind,
  fromNowMs: number | null,
  fields: Partial<SellerTaskView> = {},
): SellerTaskView => ({
  ...{ kind, count: 1, orderId: `ord_${kind}`, title: 'Mug', imageSrc: '/media/mug.webp', buyerName: 'Ada' },
  ...{ at: fromNowMs === null ? null : iso(fromNowMs), day: fromNowMs === null ? null : 'Nov 25, 2026' },
  ...fields,
})

const ready: MoneyLineView = {
  ...{ state: 'ready', earnedCents: 0, waitingCents: 0, onTheWayCents: 0, debtCents: 0 },
  ...{ isStopped: false, nextDay: null, arrivalDay: null },
}

const drop = (fields: Partial<SellerDropView>) =>
  ({
    ...{ id: 7, title: 'Vase', state: 'live', moderation: 'allowed', available: 3, quantity: 9, endTime: iso(DAY_MS) },
    ...fields,
  }) as SellerDropView

const itemsOf = (tasks: SellerTaskView[], money = ready, drops: SellerDropView[] = []) =>
  toDoItems({ tasks, money, drops, nowMs: NOW_MS })

it('returns no items when nothing is left to do', () => {
  expect(itemsOf([], ready, [drop({}), drop({ state: 'ended' })])).toEqual([])
  expect(itemsOf([], { ...ready, state: 'review', waitingCents: 500 })).toEqual([])
})

it('sorts items by due time, with overdue items first and items that are never due last', () => {
  const tasks = [
    task('ship', 40 * HOUR_MS, { count: 4 }),
    task('late', -20 * HOUR_MS, { count: 2 }),
    task('dispute', 30 * HOUR_MS),
    task('refund', -2 * HOUR_MS),
    task('inquiry', null),
  ]
  const drops = [
    drop({ id: 1, state: 'soldOut', title: 'Bowl' }),
    drop({ id: 2, endTime: iso(2 * HOUR_MS) }),
    drop({ id: 3, moderation: 'review', state: 'paused' }),
  ]
  const items = itemsOf(tasks, { ...ready, state: 'paused', waitingCents: 2400 }, drops)
  expect(items.map(({ kind, href, title }) => [kind, href, title])).toEqual([
    ['late', '/orders?show=ship', '2 orders are late'],
    ['endsSoon', '#drop-2', 'Vase ends soon'],
    ['refund', '/orders/ord_refund', 'Answer a refund request'],
    ['inquiry', '/orders/ord_inquiry', "Respond to a bank's question"],
    ['dispute', '/orders/ord_dispute', 'Respond to a dispute'],
    ['ship', '/orders?show=ship', '4 orders to ship'],
    ['payouts', '/payouts', '$24.00 waiting – payouts paused'],
    ['soldOut', '#drop-1', 'Bowl is sold out'],
    ['review', '#drop-3', 'In review: Vase'],
  ])
})

it('links to the order when there is only one, and to the list of orders when there are several', () => {
  const one = itemsOf([task('late', -HOUR_MS), task('ship', HOUR_MS)])
  expect(one.map(({ title, href, text }) => [title, href, text])).toEqual([
    ['1 order is late', '/orders/ord_late/ship', 'Mug · Was due Nov 25, 2026'],
    ['1 order to ship', '/orders/ord_ship/ship', 'Mug · Ship by Nov 25, 2026'],
  ])
  const many = itemsOf([task('dispute', HOUR_MS, { count: 4 }), task('refund', 0, { count: 1200 })])
  expect(many.map(({ title, href, imageSrc }) => [title, href, imageSrc])).toEqual([
    ['Respond to 4 more disputes', '/orders?show=disputed', null],
    ['Answer 1,200 more refund requests', '/orders?show=asked', null],
  ])
})

it('shows the time by which a dispute must be answered, but no time for an order to ship', () => {
  const [dispute] = itemsOf([task('dispute', HOUR_MS)])
  expect([dispute?.text, dispute?.at]).toEqual(['Mug · Respond by', iso(HOUR_MS)])
  const [unknown] = itemsOf([task('dispute', null)])
  expect([unknown?.text, unknown?.at]).toEqual(['Mug · Respond soon', null])
  expect(itemsOf([task('ship', HOUR_MS)])[0]?.at).toBeNull()
})

it('asks for a payout account at the end of the list while no money waits for a payout', () => {
  const items = itemsOf([task('ship', 3 * DAY_MS)], { ...ready, state: 'notStarted' })
  expect(items.map(({ title }) => title)).toEqual(['1 order to ship', 'Connect payouts'])
  const waiting = itemsOf([task('ship', 3 * DAY_MS)], { ...ready, state: 'notStarted', waitingCents: 2400 })
  expect(waiting.map(({ title }) => title)).toEqual(['$24.00 waiting – connect payouts', '1 order to ship'])
})

it('asks the seller to share a scheduled drop once more in the last three hours before its start', () => {
  const scheduled = (ms: number) => drop({ state: 'upcoming', startedAt: iso(ms), endTime: iso(2 * DAY_MS) })
  expect(itemsOf([], ready, [scheduled(4 * HOUR_MS)])).toEqual([])
  expect(itemsOf([], ready, [scheduled(2 * HOUR_MS)])).toEqual([
    expect.objectContaining({ kind: 'startsSoon', title: 'Vase starts soon', at: iso(2 * HOUR_MS), href: '#drop-7' }),
  ])
})
