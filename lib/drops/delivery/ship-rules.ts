import { DAY_MS } from '@/lib/kernel/time'

/** The most days after the end of a run that a seller may take to ship (docs/product.md#promise-to-ship). */
export const MAX_SHIP_DAYS = 60

/** Returns the day of a time in UTC, such as "2026-11-30". */
export function dayOf(at: Date): string {
  return at.toISOString().slice(0, 'yyyy-mm-dd'.length)
}

/**
 * Returns the last day on which a parcel is shipped in time, such as "2026-11-30". It is counted from the day on which
 * the run ends in UTC, so that the day is the same for everyone. takeHold() computes the same day in SQL.
 */
export function shipDay(endTime: Date, shipsWithin: number): string {
  return dayOf(new Date(endTime.getTime() + shipsWithin * DAY_MS))
}
