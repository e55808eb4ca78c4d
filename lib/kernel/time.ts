export const SECOND_MS = 1_000
export const MINUTE_MS = 60 * SECOND_MS
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

/**
 * Splits the time left into whole hours, minutes and seconds, which are never negative. A part of a second is dropped,
 * so that a new drop of 24 hours does not start at 24:00:01.
 */
export function splitRemaining(remainingMs: number): { hours: number; minutes: number; seconds: number } {
  const total = Math.max(0, Math.floor(remainingMs / SECOND_MS))
  return { hours: Math.floor(total / 3600), minutes: Math.floor((total % 3600) / 60), seconds: total % 60 }
}

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/**
 * Formats a time as "Sat, Nov 21, 7:05 PM UTC". The time is in UTC, because the page is rendered before the phone's own
 * time zone is known. It does not use Intl, for the same reason as `formatUsd`. With the year it is "Sat, Nov 21, 2026,
 * 7:05 PM UTC".
 */
export function formatUtc(at: Date, withYear = false): string {
  const hours = at.getUTCHours()
  const day = `${WEEKDAYS[at.getUTCDay()]}, ${MONTHS[at.getUTCMonth()]} ${at.getUTCDate()}${withYear ? `, ${at.getUTCFullYear()}` : ''}`
  return `${day}, ${hours % 12 || 12}:${String(at.getUTCMinutes()).padStart(2, '0')} ${hours < 12 ? 'AM' : 'PM'} UTC`
}

/** Formats a day such as "2026-11-30" as "Nov 30, 2026". A day without a time is the same in every time zone. */
export function formatDate(day: string): string {
  const [year, month, date] = day.split('-').map(Number)
  return `${MONTHS[(month ?? 1) - 1]} ${date}, ${year}`
}

/**
 * Formats a time in a time zone: "Sat, Nov 21, 7:05 PM EST". Null is the zone of someone whose zone is unknown, and
 * means UTC. Use it only on the server, whose Intl knows nearly every zone.
 */
export function formatMoment(at: Date, timeZone: string | null): string {
  if (timeZone === null) return formatUtc(at)
  const options = { weekday: 'short', month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' } as const
  return inZoneOrUtc(timeZone, (known) =>
    at.toLocaleString('en-US', { ...options, timeZone: known, timeZoneName: 'short' }),
  )
}

/**
 * Formats something in a time zone, or in UTC if this process does not know the zone. Another process with newer time
 * zone data may have stored it. An error would keep a job from sending the emails of everyone else in its batch.
 */
function inZoneOrUtc(timeZone: string, format: (known: string) => string): string {
  try {
    return format(timeZone)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return format('UTC')
  }
}

/**
 * Returns a time zone that a browser stated, or null if it is empty or this server does not know it. Times in an
 * unknown zone would be given in UTC, so such a zone is not stored.
 */
export function knownTimeZone(stated = ''): string | null {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]{0,59}$/.test(stated)) return null
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: stated }).resolvedOptions().timeZone
  } catch {
    return null
  }
}

/** Formats a day in a time zone: "Nov 21, 2026". */
export function formatDay(at: Date, timeZone: string): string {
  return inZoneOrUtc(timeZone, (known) => at.toLocaleDateString('en-US', { dateStyle: 'medium', timeZone: known }))
}

/** Formats a month as "Nov 2026", in UTC. */
export function formatMonth(at: Date): string {
  return `${MONTHS[at.getUTCMonth()]} ${at.getUTCFullYear()}`
}

/** Formats a duration as "23h 5m" (docs/product.md#public-profile). */
export function formatHoursMinutes(remainingMs: number): string {
  const minutes = Math.max(0, Math.floor(remainingMs / MINUTE_MS))
  return `${Math.floor(minutes / 60)}h ${minutes % 60}m`
}
