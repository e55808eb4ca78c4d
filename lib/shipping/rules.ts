import { DAY_MS, HOUR_MS } from '@/lib/kernel/time'
import { PROMISED_DAY_OVER_HOURS } from '@/lib/orders/late-rules'

/** The carriers suggested while the seller types. */
export const CARRIERS = ['USPS', 'UPS', 'FedEx', 'DHL', 'Royal Mail', 'Canada Post', 'Australia Post'] as const

const TRACKING_PAGES: readonly [carrier: RegExp, page: string][] = [
  [/^usps\b|postal service/i, 'https://tools.usps.com/go/TrackConfirmAction?tLabels='],
  [/^ups\b/i, 'https://www.ups.com/track?tracknum='],
  [/^fed ?ex\b/i, 'https://www.fedex.com/fedextrack/?trknbr='],
  [/^dhl\b/i, 'https://www.dhl.com/en/express/tracking.html?AWB='],
  [/^royal ?mail\b/i, 'https://www.royalmail.com/track-your-item#/tracking-results/'],
  [/^canada ?post\b/i, 'https://www.canadapost-postescanada.ca/track-reperage/en#/search?searchFor='],
  [/^(australia|aus) ?post\b/i, 'https://auspost.com.au/mypost/track/#/details/'],
]

/** Returns the URL of a parcel's tracking page, or null for an unknown carrier or without a tracking number. */
export function trackingUrl(carrier: string | null, trackingNumber: string | null): string | null {
  const page = TRACKING_PAGES.find(([name]) => name.test(carrier?.trim() ?? ''))?.[1]
  return page && trackingNumber ? page + encodeURIComponent(trackingNumber.replace(/\s+/g, '')) : null
}

/** How many days a buyer has to answer. An order without an answer is then refunded (ADR 0063). */
const ANSWER_DAYS = 7
/** How many more days a buyer is asked to wait when the seller names no day. */
const WAIT_DAYS = 14
/** The latest new day that a seller may name: this many days after the missed day, or after today if that is later. */
const MOST_EXTRA_DAYS = 60

/**
 * The time until which the buyer may answer: a week from the question, or from the end of the missed day if that comes
 * later.
 */
export function answerBy(shipsBy: Date, now: Date): Date {
  const lateAt = shipsBy.getTime() + PROMISED_DAY_OVER_HOURS * HOUR_MS
  return new Date(Math.max(now.getTime(), lateAt) + ANSWER_DAYS * DAY_MS)
}

/** Says how long a buyer has to answer from `now` on, rounded down: "7 days", "30 hours". */
export function timeToAnswer(until: Date, now: Date): string {
  const hours = Math.max(1, Math.floor((until.getTime() - now.getTime()) / HOUR_MS))
  const [count, unit] = hours < 48 ? [hours, 'hour'] : [Math.floor(hours / 24), 'day']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

/** The day that a buyer is asked to wait for when the seller names none, as a midnight in UTC. */
export function usualNewDay(shipsBy: Date, now: Date): Date {
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS
  return new Date(Math.max(shipsBy.getTime(), today) + WAIT_DAYS * DAY_MS)
}

/**
 * Whether the seller may ask the buyer to wait until this day: after today and after the promised day, but at most
 * MOST_EXTRA_DAYS after the later of the two.
 */
export function isPossibleNewDay(newDay: Date, shipsBy: Date, now: Date): boolean {
  const latest = Math.max(shipsBy.getTime(), now.getTime()) + MOST_EXTRA_DAYS * DAY_MS
  return newDay > now && newDay > shipsBy && newDay.getTime() <= latest
}
