import { errorsFrom, type ErrorTable } from '@/lib/kernel/app-error'
import { formatCount } from '@/lib/kernel/format-count'
import { ABOUT_MAX, MAX_LINKS } from './rules'

/** The texts of the public profile's fields (docs/product.md#public-profile). */
export const profileTexts = {
  aboutLabel: 'About you',
  aboutHint: `One line for your public profile, up to ${ABOUT_MAX} characters.`,
  aboutTooLong: `Please keep this line to at most ${ABOUT_MAX} characters.`,
  aboutShape: 'Please write this on one line.',
  linksLabel: 'Links',
  linksHint: `Up to ${MAX_LINKS}, one per line, such as instagram.com/yourname.`,
  tooManyLinks: `You can add up to ${MAX_LINKS} links.`,
  linkInvalid: 'Each link must be a public web address that starts with https://.',
  notLoaded: "We couldn't load the text of your public profile. You can still change everything else.",
  wallTitle: 'Sold out',
} as const

const profileErrors = {
  TEXT_UNCHECKED: {
    status: 503,
    text: "We couldn't check this text just now. Please try again in a few minutes.",
    field: 'about',
  },
} as const satisfies ErrorTable

export const profileError = /* @__PURE__ */ errorsFrom(profileErrors)

/** How many units a run sold, on the wall of sold-out drops. */
export function soldOutText(sold: number): string {
  return sold === 1 ? 'The only one was sold' : `All ${formatCount(sold)} sold`
}
