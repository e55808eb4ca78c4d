import { errorsFrom, type ErrorTable } from '@/lib/kernel/app-error'
import { brand } from '@/lib/kernel/brand'
import type { OrderStatus } from './rules'

const noDownloadsLeft = "You've used all downloads for this order. Message the seller if you need another."

export const orderTexts = {
  notFoundTitle: 'Order Not Found',
  notFound: "This link is incomplete or wrong. Enter your email address, and we'll send you the links to your orders.",
  noDownloadsLeft,
  showKey: 'Show my key',
  showKeys: 'Show my keys',
  keysTitle: 'Your keys',
  keyTitle: 'Your key',
  keyCopied: 'Key copied!',
  keyNotCopied: "We couldn't copy the key. Please select and copy it yourself.",
  keysHidden: 'We show your key when you tap the button. It stays on this page, so you can come back to it.',
  keysHiddenMany: 'We show your keys when you tap the button. They stay on this page, so you can come back to them.',
  yourMessage: 'Your message',
  sellerGone: `The seller has closed their account. Please write to ${brand.contact.support} instead.`,
  writeInstead: 'Message the seller instead',
  emptyMessage: 'Please write a message first.',
  manyMessages: "You've sent several messages. Try again in an hour.",
  longMessage: 'Use at most 2,000 characters.',
  badEmail: 'Please enter a valid email address.',
  linksSent:
    "If there are orders with this address, we've emailed you the links. Nothing there? Check your spam folder.",
  /** The link to a calendar file, because a service has no date when it is paid. */
  bookingReminder: 'Add a reminder to your calendar',
} as const

/** The names of the statuses, as buyers and sellers see them. */
export const orderStatusText: Record<OrderStatus, string> = {
  pending: 'Waiting for payment',
  paid: 'Paid',
  shipped: 'Shipped',
  delivered: 'Delivered',
  done: 'Completed',
  refunded: 'Refunded',
  disputed: 'Disputed',
  expired: 'Not paid',
}

export const orderErrors = {
  NOT_FOUND: { status: 404, text: "We can't find this order." },
  SELLER_GONE: { status: 409, text: orderTexts.sellerGone },
  NO_KEYS_NOW: { status: 409, text: "There's no key to show for this order right now." },
  NO_KEYS_LEFT: { status: 409, text: 'The seller has no keys left for this order. Please message the seller.' },
  NOT_VOIDABLE: { status: 409, text: 'Only a key that a refunded buyer has seen can be marked as void.' },
  NO_DOWNLOADS_LEFT: { status: 409, text: noDownloadsLeft },
  LINK_EXPIRED: { status: 410, text: 'This link has expired. Get a new one on your order page.' },
} as const satisfies ErrorTable

export const orderError = /* @__PURE__ */ errorsFrom(orderErrors)
