import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@/lib/kernel/time'

/**
 * How long after a start was canceled people are still emailed about it, in hours. Later, most of them have seen the
 * page. We chose the number.
 */
export const CANCEL_NEWS_HOURS = 6

/** How many days ahead a drop may start (docs/product.md#scheduled-start). */
export const MAX_DAYS_AHEAD = 30

/**
 * A date and time as a form sends it, "2026-11-27T20:00", or with an offset from UTC. The offset and the fraction of a
 * second may have any form that ISO 8601 or RFC 3339 allows, because every programming language prints another one:
 * "2026-11-27T19:00Z", "2026-11-27 20:00:00.123456+01:00", "2026-11-27T20:00+0100".
 */
const TYPED =
  /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(Z|([+-])([01]\d|2[0-3])(?::?([0-5]\d))?)?$/i

type Start = { at: Date } | { problem: 'invalid' | 'skipped' }

/**
 * Reads a start that a seller typed. Without an offset from UTC it is a local time in `timeZone`. When the clocks there
 * are put back and show a time twice, the first of the two is used. When they are put forward and skip the time, it is
 * refused.
 */
export function readStartTime(typed: string, timeZone: string): Start {
  const [
    ,
    year,
    month,
    day,
    hour,
    minute,
    second = '0',
    fraction = '',
    offset,
    sign,
    offsetHours = '0',
    offsetMinutes,
  ] = TYPED.exec(typed.trim()) ?? []
  if (year === undefined) return { problem: 'invalid' }
  const fields = [Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second)] as const
  const shown = Date.UTC(...fields, Number(fraction.slice(0, 3).padEnd(3, '0')))
  // Date.UTC() turns the 30th of February into a day in March.
  const isReal = new Date(shown).toISOString().startsWith(`${year}-${month}-${day}T${hour}:${minute}`)
  if (!isReal) return { problem: 'invalid' }
  if (offset !== undefined) {
    const aheadMs = Number(offsetHours) * HOUR_MS + Number(offsetMinutes ?? '0') * MINUTE_MS
    return { at: new Date(sign === '-' ? shown + aheadMs : shown - aheadMs) }
  }
  // The clocks may be changed between the day before and the day after, so the offsets from UTC on these days may
  // differ. A time that the clocks show has one of the two offsets. A skipped time has neither.
  const candidates = [shown - DAY_MS, shown + DAY_MS].map((near) => shown - utcOffsetMs(near, timeZone))
  const right = candidates.filter((at) => at + utcOffsetMs(at, timeZone) === shown)
  return right.length === 0 ? { problem: 'skipped' } : { at: new Date(Math.min(...right)) }
}

/** Returns how many milliseconds the clocks of a time zone are ahead of UTC at a given time. */
function utcOffsetMs(atMs: number, timeZone: string): number {
  return Date.parse(`${clockText(new Date(atMs), timeZone)}Z`) - Math.floor(atMs / SECOND_MS) * SECOND_MS
}

/** Returns what the clocks of a time zone show at a given time, such as "2026-11-27T20:00:00". */
function clockText(at: Date, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-US', {
    ...({ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const),
    ...({ second: '2-digit', hourCycle: 'h23', timeZone } as const),
  }).formatToParts(at)
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? ''
  return `${part('year')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}:${part('second')}`
}

/** Formats a time for a date field, as local time in `timeZone`, such as "2026-11-27T20:00". */
export function toClockField(at: Date, timeZone: string): string {
  return clockText(at, timeZone).slice(0, 'yyyy-mm-ddThh:mm'.length)
}

/** Whether a start has passed by less than a minute, as it may while a form is sent. Such a drop starts now. */
export function startsNow(at: Date, now: Date): boolean {
  const pastMs = now.getTime() - at.getTime()
  return pastMs >= 0 && pastMs < MINUTE_MS
}

/** Returns why a drop may not start at this time, or null when it may; `now` is the database's time. */
export function startProblem(at: Date, now: Date): 'past' | 'tooFar' | null {
  if (at.getTime() <= now.getTime() && !startsNow(at, now)) return 'past'
  return at.getTime() - now.getTime() > MAX_DAYS_AHEAD * DAY_MS ? 'tooFar' : null
}

/**
 * Returns what the countdown to a start shows: days, hours and minutes while at least a day is left, then hours,
 * minutes and seconds.
 */
export function startDigits(remainingMs: number): [value: string, unit: string][] {
  const total = Math.max(0, Math.floor(remainingMs / SECOND_MS))
  const days = Math.floor((total * SECOND_MS) / DAY_MS)
  const hours = Math.floor(((total * SECOND_MS) % DAY_MS) / HOUR_MS)
  const minutes = Math.floor(((total * SECOND_MS) % HOUR_MS) / MINUTE_MS)
  const two = (value: number) => String(value).padStart(2, '0')
  const dayPart: [string, string] = [String(days), days === 1 ? 'day' : 'days']
  const middle: [string, string][] = [
    [two(hours), 'hours'],
    [two(minutes), 'min'],
  ]
  return days > 0 ? [dayPart, ...middle] : [...middle, [two(total % 60), 'sec']]
}
