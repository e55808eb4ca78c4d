/**
 * The errors about opening a checkout at Stripe: the line in which buyers wait for it (ADR 0052), and a way to pay that
 * is closed with Stripe Tax (ADR 0073).
 */
export const lineErrors = {
  IN_LINE: {
    status: 503,
    text: 'Your unit is reserved. Please tap Buy again in a moment.',
  },
  HOSTED_ONLY: { status: 409, text: "You weren't charged. Please tap Buy on the drop's page to pay." },
  LINE_FULL: {
    status: 503,
    text: "Too many people are buying right now. You weren't charged. Please try again in a minute.",
  },
} as const

/** The text for a buyer whose unit is held and who waits in line for the card page. */
export function waitText({ ahead, seconds }: { ahead: number; seconds: number }): string {
  const place = ahead > 0 ? ` At most ${ahead} ${ahead === 1 ? 'buyer is' : 'buyers are'} ahead of you.` : ''
  return `Your unit is reserved. We'll open checkout in about ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.${place}`
}

/** The text for a buyer who waits in line and whose browser has no JavaScript, so that the buyer has to tap again. */
export function tapAgainText({ seconds }: { seconds: number }): string {
  return `Your unit is reserved. Please tap Buy again in about ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`
}

/** The text of the waiting page for a browser without JavaScript. */
export function workWaitText(seconds: number): string {
  return `Many people are buying this right now. Please wait ${seconds} ${seconds === 1 ? 'second' : 'seconds'}, then tap the button.`
}
