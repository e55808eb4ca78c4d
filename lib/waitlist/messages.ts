import { openTexts } from '@/lib/drops/editions/open-messages'
import { errorsFrom, type ErrorTable } from '@/lib/kernel/app-error'

const LINK_INVALID = "This link has expired. Ask for a new one on the drop's page."

const STOP_LINK_INVALID =
  "This unsubscribe link isn't complete. Please open the link in our newest email about this drop."

const ON_THE_LIST = "We'll email you when you can buy this drop. You can unsubscribe in any email."
const NO_MORE_EMAILS = "You won't get any more emails about this drop."

const OPTION_UNKNOWN = 'That choice is no longer available. Please choose another.'

const waitlistErrors = {
  DROP_NOT_FOUND: { status: 404, text: "This drop may have expired or doesn't exist." },
  ON_SALE: { status: 409, text: 'Good news! This drop is available right now.' },
  NOT_NOW: { status: 409, text: "You can't sign up for a reminder of this drop right now. Please try again later." },
  EDITION_CLOSED: { status: 409, text: openTexts.editionClosed },
  OPTION_MISSING: { status: 400, text: 'Please choose which one you want.', field: 'option' },
  OPTION_UNKNOWN: { status: 400, text: OPTION_UNKNOWN, field: 'option' },
  OWN_DROP: { status: 403, text: 'This is your own drop. Reminders are for buyers.' },
  LINK_INVALID: { status: 410, text: LINK_INVALID },
  STOP_LINK_INVALID: { status: 410, text: STOP_LINK_INVALID },
  CLAIM_OVER: {
    status: 410,
    text: "Your reservation has ended. The drop's page shows whether you can still get a unit.",
  },
} as const satisfies ErrorTable

export const waitlistError = /* @__PURE__ */ errorsFrom(waitlistErrors)

export const waitlistTexts = {
  remindTitle: 'Remind me',
  remindText: "We'll email you each time this drop is back. You can unsubscribe in any email.",
  startText: "We'll email you shortly before the start.",
  lineTitle: 'Get the next one',
  lineText:
    "If a unit frees up, we'll email the first person in line and reserve it for 10 minutes. We'll also let you know if the drop returns.",
  /** An open edition does not return. */
  openLineText: "If a unit frees up, we'll email the first person in line and reserve it for 10 minutes.",
  button: 'Remind me',
  sentTitle: 'Check your inbox',
  sent: 'We emailed you a link. Open it and tap “Yes, remind me” to join the waitlist.',
  confirmTitle: 'Confirm your reminder',
  confirm: ON_THE_LIST,
  confirmButton: 'Yes, remind me',
  doneTitle: "You're on the list",
  done: ON_THE_LIST,
  offeredTitle: 'We already reserved a unit for you',
  offered:
    "We reserve a unit for each person only once until the drop returns. If you didn't buy yours, the drop's page shows whether you can still get one. We'll email you if the drop returns.",
  linkInvalid: LINK_INVALID,
  optionUnknown: OPTION_UNKNOWN,
  stopTitle: 'Unsubscribe?',
  stop: NO_MORE_EMAILS,
  stopButton: 'Unsubscribe',
  stopInvalidTitle: "This link isn't complete",
  stopInvalid: "We couldn't unsubscribe you. Please open the link in our newest email about this drop.",
  stoppedTitle: "You're unsubscribed",
  stopped: NO_MORE_EMAILS,
  claimTitle: "It's your turn",
  claimButton: 'Buy yours now',
  claimOnPage: 'One unit of this drop is reserved for you. Buy it before your time is up.',
  claimRetryTitle: "Your payment page didn't open",
  claimRetry: 'You were not charged. If your unit is still free, you can buy it now.',
  claimRetryButton: 'Try again',
  claimOverTitle: 'Your reservation has ended',
  claimOver: "The drop's page shows whether you can still get a unit.",
  claimUnpaid:
    "The unit we reserved for you wasn't paid for, so other buyers can get it. We reserve a unit for each person only once until the drop returns. Its page shows whether you can still buy one.",
} as const

/**
 * Says how long a buyer still has to buy the units that are held for them. A checkout may lose them earlier when many
 * buy at once (docs/product.md#when-many-buy-at-once), so the text says "up to". A claim keeps its unit until its time.
 * @param seconds less than 60, or a multiple of 60
 */
export function timeToBuyText(seconds: number, isClaim: boolean): string {
  const [count, unit] = seconds < 60 ? [seconds, 'second'] : [seconds / 60, 'minute']
  return `You have ${isClaim ? '' : 'up to '}${count} more ${unit}${count === 1 ? '' : 's'} to buy.`
}
