import { errorsFrom, type ErrorTable } from '@/lib/kernel/app-error'
import { formatCount } from '@/lib/kernel/format-count'
import { CONFIRM_WITHIN_DAYS } from './rules'

const LINK_INVALID = "This link has expired. Ask for a new one on the seller's profile."

const STOP_LINK_INVALID =
  "This unsubscribe link isn't complete. Please open the link in our newest email about this seller."

const followerErrors = {
  SELLER_NOT_FOUND: { status: 404, text: "You can't follow this seller right now." },
  OWN_PROFILE: { status: 403, text: 'This is your own profile. Following is for buyers.' },
  LINK_INVALID: { status: 410, text: LINK_INVALID },
  STOP_LINK_INVALID: { status: 410, text: STOP_LINK_INVALID },
} as const satisfies ErrorTable

export const followerError = /* @__PURE__ */ errorsFrom(followerErrors)

export const followerTexts = {
  button: 'Email me',
  sentTitle: 'Check your inbox',
  sent: `We emailed you a link. Open it within ${CONFIRM_WITHIN_DAYS} days and tap “Yes, email me” to join the list.`,
  confirmButton: 'Yes, email me',
  doneTitle: "You're on the list",
  done: "We'll email you about this seller's drops. You can unsubscribe in any email.",
  linkInvalid: LINK_INVALID,
  expiredTitle: 'This link has expired',
  expired: "Ask for a new one on the seller's profile.",
  stopTitle: 'Unsubscribe?',
  stop: "You won't get any more emails about this seller's drops, and we'll delete your address from the list.",
  stopButton: 'Unsubscribe',
  stopInvalidTitle: "This link isn't complete",
  stopInvalid: "We couldn't unsubscribe you. Please open the link in our newest email about this seller.",
  stoppedTitle: "You're unsubscribed",
  stopped: "You won't get any more emails about this seller's drops.",
  cardTitle: 'Followers',
  nobody: 'Nobody follows you yet. Anyone can leave an email address on your profile to hear about your next drop.',
  download: 'Download the list',
} as const

/** The title of the form: "Hear about @juno's next drop". */
export function followTitle(username: string): string {
  return `Hear about @${username}'s next drop`
}

/**
 * What a follower agrees to. The form and the page that confirms both show this text, and it is stored with the
 * address (docs/product.md#followers).
 */
export function consentText(username: string): string {
  return `Email me about @${username}'s drops, at most three times for each one: when it's announced or canceled, when it starts and in its last hour. @${username} can see my address. I can unsubscribe in any email.`
}

/** The line of the dashboard's card: "12 people want to hear about your next drop". */
export function followerCountText(count: number): string {
  return count === 1
    ? '1 person wants to hear about your next drop'
    : `${formatCount(count)} people want to hear about your next drop`
}
