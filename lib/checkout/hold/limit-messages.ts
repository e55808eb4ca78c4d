import type { ErrorTable } from '@/lib/kernel/app-error'
import { formatUsd } from '@/lib/kernel/money'

/**
 * The errors about limits: those of sellers whose identity is not checked yet, those per buyer, and those of refunds.
 * They belong to the table of this domain.
 */
export const limitErrors = {
  OFTEN_REFUNDED: {
    status: 429,
    text: "You weren't charged. Today we refunded several payments from your network, for example because they went over a limit per buyer or had an address in another country. Please try again tomorrow.",
  },
  LARGE_ORDERS_OPEN: {
    status: 429,
    text: 'Large orders from your network are waiting for payment. Please pay or cancel them first, or try again in a few minutes.',
  },
  RESTARTED_OFTEN: {
    status: 429,
    text: "You've changed your order many times. Your last checkout is still open. Please continue it, or try again in a few minutes.",
  },
  SELLER_LIMIT: {
    status: 409,
    text: "You weren't charged. This seller has reached this month's limit for new sellers. Please try again next month.",
  },
  SELLER_HOME: {
    status: 409,
    text: "You weren't charged. This seller is new and ships only within their own country for now. Please use an address there, or try again later.",
  },
} as const satisfies ErrorTable

/** The text for a network whose unpaid orders use too much of the limit of a new seller. */
export const unpaidOfNetworkText =
  "You weren't charged. Orders from your network with this seller are still unpaid, or were left unpaid a short while ago. Please pay or cancel them, order less, or try again later."

/** The text for an order that is larger than what the seller may still accept this month. */
export function limitReachedText(leftCents: number): string {
  return `You weren't charged. This order is more than this seller can accept this month. You can still order up to ${formatUsd(leftCents)}.`
}

/**
 * The text for a buyer who wants more units than the seller sells to one buyer. docs/contract.md promises it to
 * clients.
 */
export function aboveLimitText(maxPerBuyer: number): string {
  return `At most ${maxPerBuyer} per person.`
}
