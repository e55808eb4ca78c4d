import { DAY_MS, HOUR_MS, MINUTE_MS } from '@/lib/kernel/time'
import { startNote, startTexts, typedStartProblem } from './start-messages'
import { readStartTime, startDigits, startProblem, startsNow, toClockField } from './start-rules'

describe('startNote', () => {
  const ahead = {
    startedAt: '2026-11-28T20:00:00Z',
    endTime: '2026-11-29T20:00:00Z',
    serverTime: '2026-11-28T12:00:00Z',
    state: 'upcoming' as const,
    isActive: true,
    moderation: 'allowed',
  }
  it.each([
    ['nothing while the start is as planned', {}, null],
    ['that a review can postpone it', { state: 'paused', moderation: 'review' }, startTexts.review],
    ['that a suspended seller’s drop does not start', { state: 'paused' }, startTexts.suspended],
    ['that a drop that was taken off sale does not start', { state: 'paused', isActive: false }, startTexts.takenOff],
    ['nothing once the start has come', { state: 'paused', startedAt: '2026-11-28T11:00:00Z' }, null],
  ] as const)('says %s', (_title, more, note) => expect(startNote({ ...ahead, ...more })).toBe(note))
})

describe('readStartTime', () => {
  test.each([
    ['2026-11-27T20:00', 'UTC', '2026-11-27T20:00:00.000Z'],
    ['2026-11-27T20:00', 'America/New_York', '2026-11-28T01:00:00.000Z'],
    ['2026-07-27T20:00', 'America/New_York', '2026-07-28T00:00:00.000Z'],
    ['2026-11-27T20:00', 'Asia/Kolkata', '2026-11-27T14:30:00.000Z'],
    ['2026-11-27T20:00', 'Pacific/Auckland', '2026-11-27T07:00:00.000Z'],
    ['2026-11-27T20:00Z', 'America/New_York', '2026-11-27T20:00:00.000Z'],
    ['2026-11-27T20:00:30+01:00', 'America/New_York', '2026-11-27T19:00:30.000Z'],
    // What Python, Postgres and JavaScript print.
    ['2026-11-27T20:00:00.123456+00:00', 'UTC', '2026-11-27T20:00:00.123Z'],
    ['2026-11-27 20:00:00.5-05', 'UTC', '2026-11-28T01:00:00.500Z'],
    ['2026-11-27t20:00:00z', 'America/New_York', '2026-11-27T20:00:00.000Z'],
    ['2026-11-27T20:00+0530', 'UTC', '2026-11-27T14:30:00.000Z'],
    // The last minute before the clocks are put forward, and the first one afterwards.
    ['2027-03-14T01:59', 'America/New_York', '2027-03-14T06:59:00.000Z'],
    ['2027-03-14T03:00', 'America/New_York', '2027-03-14T07:00:00.000Z'],
    // The clocks are put back, so this time occurs twice, and the first one counts.
    ['2026-11-01T01:30', 'America/New_York', '2026-11-01T05:30:00.000Z'],
    ['2026-10-25T02:30', 'Europe/Berlin', '2026-10-25T00:30:00.000Z'],
  ])('%s in %s is %s', (typed, zone, at) => {
    expect(readStartTime(typed, zone)).toEqual({ at: new Date(at) })
  })

  test.each([
    ['2027-03-14T02:30', 'America/New_York', 'skipped'],
    ['2027-03-28T02:00', 'Europe/Berlin', 'skipped'],
    ['2027-02-29T20:00', 'UTC', 'invalid'],
    ['2026-11-27T24:00', 'UTC', 'invalid'],
    ['2026-11-27', 'UTC', 'invalid'],
    ['2026-11-27T20:00+99:99', 'UTC', 'invalid'],
    ['2026-11-27T20:00:60Z', 'UTC', 'invalid'],
    ['2026-11-27T20:00+01:60', 'UTC', 'invalid'],
    ['now', 'UTC', 'invalid'],
    ['', 'UTC', 'invalid'],
  ])('%s in %s is refused as %s', (typed, zone, problem) => expect(readStartTime(typed, zone)).toEqual({ problem }))
})

it('writes a time in the format of a date field and reads the same time again', () => {
  const at = new Date('2026-11-28T01:00:00Z')
  expect(toClockField(at, 'America/New_York')).toBe('2026-11-27T20:00')
  expect(readStartTime(toClockField(at, 'Asia/Kolkata'), 'Asia/Kolkata')).toEqual({ at })
})

it('accepts a start that has passed by less than a minute, and one that is at most 30 days ahead', () => {
  const now = new Date('2026-11-20T12:00:00Z')
  const ahead = (ms: number) => startProblem(new Date(now.getTime() + ms), now)
  expect([-60_000, -59_999, 0, 1, 30 * DAY_MS, 30 * DAY_MS + 1].map(ahead)).toEqual([
    'past',
    null,
    null,
    null,
    null,
    'tooFar',
  ])
})

it('counts a start that has passed by less than a minute as now', () => {
  const now = new Date('2026-11-20T12:00:00Z')
  const isNow = [-60_000, -59_999, 0, 1].map((ms) => startsNow(new Date(now.getTime() + ms), now))
  expect(isNow).toEqual([false, true, true, false])
})

it('has a different text for each mistake', () => {
  const now = new Date('2027-03-13T12:00:00Z')
  const typed = ['', 'x', '2027-03-14T02:30', '2027-03-12T20:00', '2027-05-12T20:00', '2027-03-14T20:00']
  expect(typed.map((text) => typedStartProblem(text, 'America/New_York', now))).toEqual([
    startTexts.missing,
    startTexts.invalid,
    startTexts.skipped,
    startTexts.past,
    startTexts.tooFar,
    null,
  ])
})

test.each([
  [30 * DAY_MS, ['30', '00', '00']],
  [DAY_MS + HOUR_MS + 5 * MINUTE_MS, ['1', '01', '05']],
  [DAY_MS - 1_000, ['23', '59', '59']],
  [61_000, ['00', '01', '01']],
  [0, ['00', '00', '00']],
  [-5_000, ['00', '00', '00']],
])('a countdown of %i ms shows %j', (ms, digits) => {
  expect(startDigits(ms).map(([value]) => value)).toEqual(digits)
})
