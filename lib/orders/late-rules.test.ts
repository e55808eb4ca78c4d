import { promiseText } from '@/lib/drops/ship-messages'
import { answerBy, isPossibleNewDay, nextLateStep, timeToAnswer, usualNewDay } from './late-rules'

const at = (text: string) => new Date(text)
const shipsBy = at('2026-11-30T00:00:00Z')

it('a buyer has a week to answer, from the question or from the end of the promised day if that comes later', () => {
  expect(answerBy(shipsBy, at('2026-11-20T08:00:00Z'))).toEqual(at('2026-12-08T12:00:00Z'))
  expect(answerBy(shipsBy, at('2026-12-05T08:00:00Z'))).toEqual(at('2026-12-12T08:00:00Z'))
})

it('the usual new day is two weeks after the missed day, or after the question if that comes later', () => {
  expect(usualNewDay(shipsBy, at('2026-11-29T08:00:00Z'))).toEqual(at('2026-12-14T00:00:00Z'))
  expect(usualNewDay(shipsBy, at('2026-12-20T08:00:00Z'))).toEqual(at('2027-01-03T00:00:00Z'))
})

it.each([
  ['2026-11-30', false],
  ['2026-12-01', true],
  ['2027-01-29', true],
  ['2027-01-30', false],
  ['2026-11-20', false],
])('the new day %s is possible: %s', (day, isPossible) => {
  expect(isPossibleNewDay(at(day), shipsBy, at('2026-11-28T08:00:00Z'))).toBe(isPossible)
})

it('a promise names the country, the day, or both', () => {
  expect(promiseText({ shipsFrom: 'US', shipsBy: '2026-11-30' })).toBe('Ships from the United States by Nov 30, 2026.')
  expect(promiseText({ shipsFrom: null, shipsBy: '2027-01-02' })).toBe('Ships by Jan 2, 2027.')
  expect(promiseText({ shipsFrom: 'PT', shipsBy: null })).toBe('Ships from Portugal.')
  expect(promiseText({ shipsFrom: null, shipsBy: null })).toBeNull()
})

it.each([
  ['2026-11-27T12:00:00Z', '7 days'],
  ['2026-11-22T11:59:59Z', '47 hours'],
  ['2026-11-22T12:00:00Z', '2 days'],
  ['2026-11-20T13:30:00Z', '1 hour'],
  ['2026-11-20T12:00:01Z', '1 hour'],
])('until %s, a buyer has %s to answer', (until, text) =>
  expect(timeToAnswer(new Date(until), new Date('2026-11-20T12:00:00Z'))).toBe(text),
)

describe('the next step for an order that its late refund has closed', () => {
  const order = { amountCents: 4_800, platformFeeCents: 240, status: 'paid', lateRefundAt: shipsBy }
  const seller = { deletedAt: null }
  const refund = (requestedBy: string, amountCents: number, state: string) => ({ requestedBy, amountCents, state })
  const late = (state: string) => refund('late', 1_800, state)
  const own = (state: string) => refund('seller:1', 3_000, state)

  it.each([
    ['pending', 'succeeded', null],
    ['pending', 'failed', null],
    ['succeeded', 'pending', null],
    ['succeeded', 'succeeded', null],
    ['succeeded', 'failed', 'refund'],
    ['failed', 'pending', null],
    ['failed', 'succeeded', 'reopen'],
    ['failed', 'failed', 'reopen'],
  ])('its late refund is %s and the other is %s: %s', (ofLate, ofOther, step) =>
    expect(nextLateStep({ ...order, seller }, [late(ofLate), own(ofOther)])).toBe(step),
  )

  it('is no refund while the bank decides, after the account was closed, or if the order is open for shipping', () => {
    const refunds = [late('succeeded'), own('failed')]
    expect(nextLateStep({ ...order, seller, status: 'disputed' }, refunds)).toBeNull()
    expect(nextLateStep({ ...order, seller: { deletedAt: shipsBy } }, refunds)).toBe('reopen')
    expect(nextLateStep({ ...order, seller }, [...refunds, refund('closure', 3_000, 'failed')])).toBe('reopen')
    expect(nextLateStep({ ...order, seller, lateRefundAt: null }, refunds)).toBeNull()
  })
})
