import { chooseOffset } from './choose-offset'

const known = { offsetMs: 100, roundTripMs: 50 }

it('uses the first measurement', () => expect(chooseOffset(null, known)).toBe(known))

it.each([
  ['the one with the shorter round trip', { offsetMs: 90, roundTripMs: 20 }, true],
  ['the earlier one when the new round trip is longer', { offsetMs: 400, roundTripMs: 900 }, false],
  ['the newest one when the clock was set', { offsetMs: 100 + 3_600_000, roundTripMs: 900 }, true],
  ['the newest one when the clock was set by three seconds', { offsetMs: -2_901, roundTripMs: 1_000 }, true],
  [
    'the earlier one when a slow response is off by half its round trip',
    { offsetMs: 3_100, roundTripMs: 6_000 },
    false,
  ],
])('of two measurements, uses %s', (_which, measured, isNewest) => {
  expect(chooseOffset(known, measured)).toBe(isNewest ? measured : known)
})
