import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@/lib/kernel/time'

/**
 * The reasons why the times or the units of a run changed (docs/product.md#history-of-a-drop):
 * - `units`: the seller added units, or removed units before the start. For a drop with an option, only changes from
 *   before the values were recorded have this reason.
 * - `values`: the seller raised the units of values of the option, or removed, added or lowered values before the first
 *   sale.
 * - `rescheduled`: before the start, the seller moved the start or changed the duration.
 * - `reviewed`: the run started over after a review that had hidden the drop since its start.
 * - `ended`: the run was ended early, and buyers who were paying could finish.
 * - `withdrawn`: the drop was archived or hidden before its end.
 * - `extended`: the platform gave the run more time.
 * - `outage`: the platform extended all running drops after an outage.
 * - `restored`: the drop was put back on sale.
 */
export const runChangeReasons = [
  'units',
  'values',
  'rescheduled',
  'reviewed',
  'ended',
  'withdrawn',
  'extended',
  'outage',
  'restored',
] as const
export type RunChangeReason = (typeof runChangeReasons)[number]

/** The page of a drop's runs lists at most this many runs, and at most this many changes of each run. */
export const MAX_LISTED_RUNS = 100
export const MAX_LISTED_CHANGES = 100

/**
 * Formats a length of time for the history of a drop, such as "3 h", "1 h 30 min" or "40 s". The text is exact to the
 * minute, and below one minute to the second, but at least "1 s". From three days on it also counts days.
 */
export function durationText(ms: number): string {
  const length = Math.abs(ms)
  if (length < MINUTE_MS) return `${Math.max(1, Math.floor(length / SECOND_MS))} s`
  const days = length < 3 * DAY_MS ? 0 : Math.floor(length / DAY_MS)
  const hours = Math.floor((length - days * DAY_MS) / HOUR_MS)
  const minutes = Math.floor((length % HOUR_MS) / MINUTE_MS)
  const parts = [days && `${days} ${days === 1 ? 'day' : 'days'}`, hours && `${hours} h`, minutes && `${minutes} min`]
  return parts.filter(Boolean).join(' ')
}

/** Formats a length of time like durationText(), with the direction in which a time moved: "+3 h", "−40 min". */
export function moveText(ms: number): string {
  return `${ms < 0 ? '−' : '+'}${durationText(ms)}`
}
