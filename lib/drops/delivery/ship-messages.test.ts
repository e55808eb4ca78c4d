import { promiseText } from '@/lib/drops/delivery/ship-messages'

it('a promise names the country, the day, or both', () => {
  expect(promiseText({ shipsFrom: 'US', shipsBy: '2026-11-30' })).toBe('Ships from the United States by Nov 30, 2026.')
  expect(promiseText({ shipsFrom: null, shipsBy: '2027-01-02' })).toBe('Ships by Jan 2, 2027.')
  expect(promiseText({ shipsFrom: 'PT', shipsBy: null })).toBe('Ships from Portugal.')
  expect(promiseText({ shipsFrom: null, shipsBy: null })).toBeNull()
})
