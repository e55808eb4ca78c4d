import type { ErrorTable } from '@/lib/kernel/app-error'

/** The errors about discount codes. checkoutError() knows them together with those in messages.ts. */
export const codeErrors = {
  // docs/contract.md promises this text to clients.
  CODE_UNKNOWN: { status: 400, text: 'This code is not valid.', field: 'code' },
  CODE_OTHER_DROP: { status: 400, text: 'This code is for another drop of this seller.', field: 'code' },
  CODE_ENDED: { status: 409, text: 'This code has ended.', field: 'code' },
  CODE_USED_UP: { status: 409, text: 'This code has been used up.', field: 'code' },
  TOO_MANY_CODES: {
    status: 429,
    text: "We've seen too many codes that don't exist. Please try again in an hour, or buy without a code.",
    field: 'code',
  },
} as const satisfies ErrorTable

/** What a buyer can do after CODE_UNKNOWN, whose text is fixed. */
export const unknownCodeHint = "Check the spelling, or buy without a code. You weren't charged."

/** Why a discount code cannot be used, and what the buyer can do instead. */
export function codeProblemText(
  code: string,
  problem: 'otherDrop' | 'ended' | 'tooLarge' | 'usedUp' | 'usedByYou' | 'inCheckout',
): string {
  const why = {
    otherDrop: `“${code}” is for another drop of this seller. Please use another code`,
    ended: `“${code}” has ended. Please use another code`,
    tooLarge: `“${code}” would bring the price below $0.50, the least that a card can pay. Please use another code`,
    usedUp: `“${code}” has been used up. Please use another code`,
    usedByYou: `You've already used “${code}” as often as its seller allows. Please use another code`,
    inCheckout: `Every remaining use of “${code}” is in someone's checkout. One may free up in a few minutes. Please try again then`,
  }[problem]
  return `${why}, or buy without a code. You weren't charged.`
}
