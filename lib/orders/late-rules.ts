import { DAY_MS, HOUR_MS } from '@/lib/kernel/time'
import { isOwedByPlatform, refundOfRest } from './refund-rules'
import { UNPROMISED_SHIP_DAYS } from './rules'

/** How many days a buyer has to answer. An order without an answer is then refunded (ADR 0063). */
const ANSWER_DAYS = 7
/** How many more days a buyer is asked to wait when the seller names no day. */
const WAIT_DAYS = 14
/** The latest new day that a seller may name: this many days after the missed day, or after today if that is later. */
const MOST_EXTRA_DAYS = 60

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

type ClosedOrder = {
  amountCents: number
  platformFeeCents: number
  status: string
  lateRefundAt: Date | null
  seller: { deletedAt: Date | null }
}

/**
 * What has to happen next to an order that its late refund has closed for shipping. While a refund is pending, and once
 * everything was refunded, that is nothing. A refund of the seller or of Stripe's dashboard may have failed, whose
 * amount the late refund left out: then the rest is refunded, too. When a late refund has failed, the order is open for
 * shipping again, so no refund is repeated without end. While the bank decides about a dispute, nothing is refunded.
 */
export function nextLateStep(
  order: ClosedOrder,
  refunds: readonly { state: string; amountCents: number; requestedBy: string }[],
): 'refund' | 'reopen' | null {
  if (order.lateRefundAt === null || refunds.some(({ state }) => state === 'pending')) return null
  if (refundOfRest(order, refunds).amountCents === 0) return null
  const hasFailed = refunds.some(({ state, requestedBy }) => state === 'failed' && requestedBy === 'late')
  // The orders of a closed account are refunded or paid back in another way.
  if (hasFailed || order.seller.deletedAt || refunds.some(isOwedByPlatform)) return 'reopen'
  return order.status === 'disputed' ? null : 'refund'
}
