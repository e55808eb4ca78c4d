import type Stripe from 'stripe'
import { addPeriod, nextPeriodEnd, renewedEnd } from './billing-dates'

const monthly = { interval: 'month', interval_count: 1 } as Stripe.Price.Recurring
const seconds = (day: string) => Date.parse(`${day}T12:00:00Z`) / 1000
const dayOf = (at: number) => new Date(at * 1000).toISOString().slice(0, 10)

it.each([nextPeriodEnd, renewedEnd])('periods end on the anchor day again after a short month (%p)', (nextEnd) => {
  const ends = []
  for (let end = seconds('2027-01-31'); ends.length < 4;) {
    end = nextEnd(seconds('2027-01-31'), end, monthly)
    ends.push(dayOf(end))
  }
  expect(ends).toEqual(['2027-02-28', '2027-03-31', '2027-04-30', '2027-05-31'])
})

it.each(['2026-07-15', '2026-08-15', '2026-03-15', '2026-01-31', '2028-02-29'])(
  'each of 40 months from %s is paid once',
  (first) => {
    const anchor = seconds(first)
    const months = []
    for (let start = anchor; months.length < 40;) {
      start = renewedEnd(anchor, start, monthly)
      months.push(dayOf(start).slice(0, 7))
    }
    const from = new Date(anchor * 1000)
    const expected = months.map((_, at) =>
      new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + at + 1)).toISOString().slice(0, 7),
    )
    expect(months).toEqual(expected)
  },
)

it('a period of a month or a year ends on the last day of a month that is too short for the day on which it began', () => {
  expect(dayOf(addPeriod(seconds('2028-01-31'), monthly))).toBe('2028-02-29')
  const yearly = { interval: 'year', interval_count: 1 } as Stripe.Price.Recurring
  expect(dayOf(addPeriod(seconds('2028-02-29'), yearly))).toBe('2029-02-28')
})
