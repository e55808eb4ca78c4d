import { formatCount } from '@/lib/kernel/format-count'

/**
 * The reasons why a follower's link cannot be used. Each key is also the code of an error (docs/contract.md#errors).
 */
export const earlyErrors = {
  EARLY_UNKNOWN: {
    status: 400,
    text: "This early access link isn't complete. Please open it from the email again, or wait for the public start.",
    field: 'early',
  },
  EARLY_OTHER_DROP: {
    status: 400,
    text: 'This early access link is for another drop. Please open the link in the email about this drop.',
    field: 'early',
  },
  EARLY_LEFT: {
    status: 409,
    text: "You've unsubscribed from this seller, so this link has ended. You can buy from the public start.",
    field: 'early',
  },
  EARLY_OVER: {
    status: 409,
    text: 'The seller has canceled early access. Everyone can buy from the public start.',
    field: 'early',
  },
  EARLY_NOT_OPEN: {
    status: 409,
    text: "Early access hasn't opened yet. Please come back when it opens.",
    field: 'early',
  },
  EARLY_USED: {
    status: 409,
    text: 'This link was already used. It works only once. You can buy again from the public start.',
    field: 'early',
  },
  EARLY_IN_CHECKOUT: {
    status: 409,
    text: "You're already checking out with this link in another browser. Finish there, or try again once that checkout has expired.",
    field: 'early',
  },
  EARLY_FULL: {
    status: 409,
    text: 'All units for followers are taken right now. One may free up. The remaining units go on sale at the public start.',
    field: 'early',
  },
} as const

export type EarlyProblem = keyof typeof earlyErrors

/** The refusal of an order for more units than followers may still take. */
export function earlyLeftText(left: number): string {
  return `Only ${formatCount(left)} ${left === 1 ? 'unit is' : 'units are'} left for followers. Please choose fewer.`
}
