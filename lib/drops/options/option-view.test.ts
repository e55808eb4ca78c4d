import { waitingFor } from '@/lib/waitlist/rules'
import { earlyOffer, ofValue, orNotStarted } from './option-view'
import type { DropView } from '../view'

/**
 * A scheduled drop of a shirt in three sizes. No unit of L is left. Followers may buy `earlyLeft` more units in all.
 */
const shirt = (earlyLeft: number) =>
  ({
    state: 'upcoming',
    available: 17,
    inCheckout: 0,
    earlyLeft,
    option: {
      name: 'Size',
      values: [
        { value: 'S', left: 12, inCheckout: 0 },
        { value: 'M', left: 5, inCheckout: 0 },
        { value: 'L', left: 0, inCheckout: 0 },
      ],
    },
  }) as DropView
const seen = (earlyLeft: number, value: string | null, isMine = false) =>
  orNotStarted(ofValue(earlyOffer(shirt(earlyLeft)), value), isMine)

it('a follower may buy at most the units left for followers, and each size still shows its own stock', () => {
  expect(seen(3, 'M')).toMatchObject({ state: 'live', available: 3 })
  expect(seen(9, 'M')).toMatchObject({ state: 'live', available: 5 })
  expect(seen(3, null).option).toEqual(shirt(3).option)
})

it('a follower for whom no unit is left sees a drop that has not started, and not one that is sold out', () => {
  for (const value of ['S', 'M', 'L', null]) {
    expect(seen(0, value)).toMatchObject({ state: 'upcoming' })
    expect(waitingFor(seen(0, value))).toBe('start')
  }
  expect(seen(0, null).option).toEqual(shirt(0).option)
  expect(waitingFor(seen(3, 'L'))).toBe('start')
})

it('a follower whose own checkout holds the last units can return to it', () =>
  expect(seen(0, 'M', true)).toMatchObject({ state: 'live', available: 0 }))
