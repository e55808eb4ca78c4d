import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@/lib/kernel/time'

/** How far ahead a drop may start (docs/product.md#scheduled-start). */
export const MAX_DAYS_AHEAD = 30

/** A date and time as a form sends it, "2026-11-27T20:00", or with its distance to UTC, as in "2026-11-27T19:00Z". */
const TYPED = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)?$/

type Start = { at: Date } | { problem: 'invalid' | 'skipped' }

/**
 * Reads a start that a seller typed. Without a distance to UTC it is a time on the clocks of `timeZone`. A time that these
 * clocks show twice, because they are put back, is the first of the two; one that they skip is refused.
 */
export function readStartTime(typed: string, timeZone: string): Start {
  const [, year, month, day, hour, minute, second = '0', distance] = TYPED.exec(typed.trim()) ?? []
  if (year === undefined) return { problem: 'invalid' }
  const fields = [Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second)] as const
  const shown = Date.UTC(...fields)
  // Date.UTC() makes the 2nd of March of the 30th of February.
  const isReal = new Date(shown).toISOString().startsWith(`${year}-${month}-${day}T${hour}:${minute}`)
  if (!isReal) return { problem: 'invalid' }
  if (distance !== undefined) {
    const at = new Date(typed.trim())
    return Number.isNaN(at.getTime()) ? { problem: 'invalid' } : { at }
  }
  // A day before and a day after the clocks may show another distance to UTC; one of the two is right at this time.
  const candidates = [shown - DAY_MS, shown + DAY_MS].map((near) => shown - distanceToUtc(near, timeZone))
  const right = candidates.filter((at) => at + distanceToUtc(at, timeZone) === shown)
  return right.length === 0 ? { problem: 'skipped' } : { at: new Date(Math.min(...right)) }
}

/** How many milliseconds the clocks of a time zone are ahead of UTC at a moment. */
function distanceToUtc(atMs: number, timeZone: string): number {
  return Date.parse(`${clockText(new Date(atMs), timeZone)}Z`) - Math.floor(atMs / SECOND_MS) * SECOND_MS
}

/** What the clocks of a time zone show at a moment: "2026-11-27T20:00:00". */
function clockText(at: Date, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-US', {
    ...({ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const),
    ...({ second: '2-digit', hourCycle: 'h23', timeZone } as const),
  }).formatToParts(at)
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? ''
  return `${part('year')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}:${part('second')}`
}

/** A moment as a field for date and time holds it, on the clocks of a time zone: "2026-11-27T20:00". */
export function toClockField(at: Date, timeZone: string): string {
  return clockText(at, timeZone).slice(0, 'yyyy-mm-ddThh:mm'.length)
}

/** Whether a drop may be scheduled for this moment; `now` is the database's time. */
export function startProblem(at: Date, now: Date): 'past' | 'tooFar' | null {
  if (at.getTime() <= now.getTime()) return 'past'
  return at.getTime() - now.getTime() > MAX_DAYS_AHEAD * DAY_MS ? 'tooFar' : null
}

/**
 * What the countdown to a start shows: days, hours and minutes while there is more than a day, then hours, minutes and
 * seconds.
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
