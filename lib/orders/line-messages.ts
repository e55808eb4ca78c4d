/** The errors about the line in which buyers wait until their checkout is opened at Stripe (ADR 0052). */
export const lineErrors = {
  IN_LINE: {
    status: 503,
    text: "Your unit is reserved. We're opening checkout for you. Please press again in a moment.",
  },
  LINE_FULL: {
    status: 503,
    text: "Too many people are buying right now. You weren't charged. Please try again in a minute.",
  },
} as const
