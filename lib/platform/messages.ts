import { errorsFrom, type ErrorTable } from '@/lib/kernel/app-error'
import { brand } from '@/lib/kernel/brand'

/** The text for unexpected errors (docs/contract.md#errors). */
export const genericFailure = 'Something went wrong. Please try again.'

export const platformTexts = {
  /** Shown when no response arrived. The call may still have taken effect. */
  offline: "You're offline. Please try again when you're back online.",
} as const

/** The errors that any call may return (docs/contract.md#errors). */
const platformErrors = {
  NOT_SIGNED_IN: { status: 401, text: 'Please sign in to continue.' },
  FORBIDDEN: { status: 403, text: "You don't have permission to do this." },
  CROSS_ORIGIN: {
    status: 403,
    text: "This request didn't come from our own site. Please reload the page and try again.",
  },
  SUSPENDED: {
    status: 403,
    text: 'Your account is suspended. You can still ship orders and see your payouts, and you can appeal on your dashboard.',
  },
  TWO_FACTOR_REQUIRED: {
    status: 403,
    text: 'Administrators need two-factor authentication. Set it up in Settings first.',
  },
  STEP_UP_REQUIRED: { status: 403, text: "Please enter your two-factor code to confirm that it's you." },
  PROOF_REQUIRED: { status: 403, text: 'Please enter your password to do this.', field: 'password' },
  NOT_FOUND: { status: 404, text: "We couldn't find this. Please check the link and try again." },
  INVALID_INPUT: { status: 400, text: "Something in this request isn't valid. Please check it and try again." },
  MALFORMED_BODY: { status: 400, text: "We couldn't read this request. Please try again." },
  BODY_TIMED_OUT: { status: 408, text: 'Your request took too long to arrive. Please try again.' },
  BODY_TOO_LARGE: { status: 413, text: 'This request is too large. Please send less at once.' },
  WRONG_CONTENT_TYPE: { status: 415, text: "We can't accept this type of content here." },
  FORMAT_NOT_OFFERED: { status: 501, text: 'Only the JSON format is available here.', field: 'format' },
  TOO_MANY_REQUESTS: { status: 429, text: 'Too many attempts. Please wait a moment and try again.' },
  PLATFORM_DISABLED: { status: 503, text: `${brand.name} is paused for a moment. Please come back soon.` },
  BUSY: { status: 503, text: "We're very busy right now. Please try again in a few seconds." },
  UNAVAILABLE: { status: 503, text: "Part of our service isn't responding. Please try again in a moment." },
  INTERNAL: { status: 500, text: genericFailure },
} as const satisfies ErrorTable

const errorOf = /* @__PURE__ */ errorsFrom(platformErrors)

/**
 * The text for a refused attempt. It says how long to wait if that is longer than a minute. No wait is longer than an
 * hour.
 */
function waitText(seconds: number): string {
  const minutes = Math.ceil(seconds / 60)
  if (minutes < 2) return platformErrors.TOO_MANY_REQUESTS.text
  return `Too many attempts. Please try again in ${minutes < 60 ? `${minutes} minutes` : 'an hour'}.`
}

/** Creates an error that any call may return. TOO_MANY_REQUESTS gets its text from waitText() if the wait is known. */
export const platformError: typeof errorOf = (code, details) => {
  const waits = code === 'TOO_MANY_REQUESTS' && details?.retryAfterSeconds !== undefined
  return errorOf(code, waits ? { text: waitText(details.retryAfterSeconds!), ...details } : details)
}

/** Shown in place of most pages to everyone but administrators while the platform is paused. */
export const pausedPage = {
  title: 'Paused for a moment',
  text: `${brand.name} is taking a short break, and nobody can buy right now. Countdowns keep running, drops start as planned, and we can give drops the lost time back afterwards. Your orders are safe. Order pages, downloads and refunds still work. Please come back soon.`,
  again: 'Try again',
  yourOrders: 'Your orders',
} as const

/** The texts of the page that shows a refusal to a person. */
export const refusedPage = {
  title: 'Something went wrong',
  /** The title when the person can correct a field, and the title of any other refusal. */
  fieldTitle: 'Please check this',
  refusedTitle: "We couldn't do that",
  /** The text above a form whose fields say what is wrong. */
  markedFields: 'Please check the marked fields.',
  back: 'Go back',
  home: 'Go Home',
  signIn: 'Sign in',
  sendAgain: 'Send again',
} as const
