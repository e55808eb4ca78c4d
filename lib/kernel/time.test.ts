import {
  formatDay,
  formatMoment,
  formatHoursMinutes,
  formatUtc,
  HOUR_MS,
  knownTimeZone,
  MINUTE_MS,
  splitRemaining,
} from './time'

test('the time left is split into whole units and never negative', () => {
  expect(splitRemaining(25 * HOUR_MS + 61_000)).toEqual({ hours: 25, minutes: 1, seconds: 1 })
  expect(splitRemaining(24 * HOUR_MS + 500)).toEqual({ hours: 24, minutes: 0, seconds: 0 })
  expect(splitRemaining(1)).toEqual({ hours: 0, minutes: 0, seconds: 0 })
  expect(splitRemaining(-5)).toEqual({ hours: 0, minutes: 0, seconds: 0 })
})

test('hours and minutes are written as "23h 5m"', () => {
  expect(formatHoursMinutes(23 * HOUR_MS + 5 * MINUTE_MS + 59_000)).toBe('23h 5m')
  expect(formatHoursMinutes(-1)).toBe('0h 0m')
})

test('a time is written in UTC with AM or PM, even in the hours after midnight and noon', () => {
  expect(formatUtc(new Date('2026-11-21T19:05:00.000Z'))).toBe('Sat, Nov 21, 7:05 PM UTC')
  expect(formatUtc(new Date('2026-11-21T19:05:00.000Z'), true)).toBe('Sat, Nov 21, 2026, 7:05 PM UTC')
  expect(formatUtc(new Date('2026-03-01T00:00:00.000Z'))).toBe('Sun, Mar 1, 12:00 AM UTC')
  expect(formatUtc(new Date('2026-12-31T12:59:59.999Z'))).toBe('Thu, Dec 31, 12:59 PM UTC')
})

it('gives a time in the zone of a reader whose browser stated one, and else in UTC', () => {
  const at = new Date('2026-11-21T19:05:00.000Z')
  expect(formatMoment(at, 'America/New_York')).toBe('Sat, Nov 21, 2:05 PM EST')
  expect(formatMoment(at, null)).toBe('Sat, Nov 21, 7:05 PM UTC')
})

it('gives a time in UTC if this process does not know the zone that another process has stored', () => {
  const at = new Date('2026-11-21T23:05:00.000Z')
  expect(formatMoment(at, 'America/New_Zone')).toBe('Sat, Nov 21, 11:05 PM UTC')
  expect(formatDay(at, 'America/New_Zone')).toBe('Nov 21, 2026')
})

it.each(['', 'Mars/Olympus', 'Europe', "Europe/Berlin'; --", '+02:00', 'x'.repeat(99), undefined])(
  'ignores the time zone %j, which this server does not know',
  (stated) => expect(knownTimeZone(stated)).toBeNull(),
)

it('knows a time zone in any case, and by its old name', () => {
  expect(knownTimeZone('europe/berlin')).toBe('Europe/Berlin')
  expect(knownTimeZone('Asia/Calcutta')).toMatch(/^Asia\/(Calcutta|Kolkata)$/)
})
