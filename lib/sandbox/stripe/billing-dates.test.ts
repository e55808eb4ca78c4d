import type Stripe from 'stripe'
import { addPeriod, nextPeriodEnd, renewedEnd } from './billing-dates'

const monthly = { interval: 'month', interval_count: 1 } as Stripe.Price.Recurring
const seconds = (day: string) => Date.parse(`${day}T12:00:00Z`) / 1000
const dayOf = (at: number) => new Date(at * 1000).toISOString().slice(0, 10)

it.each([nextPeriodEnd, renewedEnd])('the day of the anchor returns after a short month (%p)', (nextEnd) => {
  const ends = []
  for (let end = seconds('2027-01-31'); ends.length < 4;) {
    end = nextEnd(seconds('2027-01-31'), end, monthly)
    ends.push(dayOf(end))
  }
  expect(ends).toEqual(['2027-02-28', '2027-03-31', '2027-04-30', '2027-05-31'])
})

it('one period is a month or a year, and ends on the last day where the day is missing', () => {
  expect(dayOf(addPeriod(seconds('2028-01-31'), monthly))).toBe('2028-02-29')
  const yearly = { interval: 'year', interval_count: 1 } as Stripe.Price.Recurring
  expect(dayOf(addPeriod(seconds('2028-02-29'), yearly))).toBe('2029-02-28')
})
