import { DAY_MS, HOUR_MS } from '@/lib/kernel/time'
import { UNPROMISED_SHIP_DAYS } from './rules'

/**
 * A promise to ship is broken this many hours after the midnight (UTC) at which the promised day begins. By then the
 * day has ended everywhere on Earth.
 */
export const PROMISED_DAY_OVER_HOURS = 36

/**
 * When a parcel is late: after the promised day or, without a promise, UNPROMISED_SHIP_DAYS after the payment. As
 * lateSql.lateAt.
 */
export function lateFrom({ shipsBy, paidAt }: { shipsBy: Date | null; paidAt: Date }): Date {
  return shipsBy
    ? new Date(shipsBy.getTime() + PROMISED_DAY_OVER_HOURS * HOUR_MS)
    : new Date(paidAt.getTime() + UNPROMISED_SHIP_DAYS * DAY_MS)
}

/** How a buyer answered the question about a delay. `silence` means that the buyer did not answer in time. */
export type DelayAnswer = 'wait' | 'refund' | 'silence'
