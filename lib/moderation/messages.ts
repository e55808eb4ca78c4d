import { errorsFrom, type ErrorTable } from '@/lib/kernel/app-error'

/**
 * The categories of prohibited products, each with the name that people read. The scanner, the review queue and the
 * report form use this list. The policy page describes them (components/legal/prohibited-sections.tsx).
 */
export const prohibitedCategories = {
  drugs: 'illegal drugs',
  medicine: 'prescription medicine',
  weapons: 'weapons or ammunition',
  adult: 'adult content',
  minors: 'sexual content involving minors',
  counterfeit: 'counterfeit or stolen goods',
  fraud: 'fraud or false documents',
  hate: 'hate or harassment',
  violence: 'violence or terrorism',
  selfHarm: 'self-harm',
  wildlife: 'protected wildlife or human remains',
  hacking: 'malware or hacking services',
  restricted: 'tobacco, alcohol or gambling',
} as const

export type Category = keyof typeof prohibitedCategories

/** The category of a review when the outside moderator did not respond, or named none of our categories. */
export const UNCHECKED = 'unchecked'

/** Whether a string names one of the categories of prohibited content. UNCHECKED is none of them. */
export function isCategory(category: string): category is Category {
  return Object.hasOwn(prohibitedCategories, category)
}

/** Returns the words for the category of a report or a review, which may be UNCHECKED or no longer exist. */
export function categoryLabel(category: string): string {
  if (category === 'other') return 'something else'
  return isCategory(category) ? prohibitedCategories[category] : 'not fully checked'
}

/** Returns the refusal of a text in which the scanner found a category. */
export function prohibitedText(category: Category): string {
  return `This looks like ${prohibitedCategories[category]}, which our Prohibited Content Policy doesn't allow.`
}

/** What a seller reads while a drop is in review. */
export const reviewTexts = {
  badge: 'In review',
  refusedBadge: 'Not approved',
  title: "We're reviewing your drop",
  text: "A person needs to review this drop before it goes live. We'll email you when that's done. Once we approve the drop, it gets its full time. If the planned end has passed, you can relaunch the drop instead.",
  publicTitle: 'Not available',
  publicText: "This drop isn't available right now.",
} as const

const moderationErrors = {
  PROHIBITED: { status: 403, text: "Our Prohibited Content Policy doesn't allow this." },
} as const satisfies ErrorTable

export const moderationError = /* @__PURE__ */ errorsFrom(moderationErrors)
