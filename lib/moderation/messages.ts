import { errorsFrom, type ErrorTable } from '@/lib/kernel/app-error'

/**
 * The categories of what may not be sold (Prohibited Content Policy). `label` is the name that the seller reads, `policy`
 * the sentence on the policy page. The page, the scanner and the review queue all use this list.
 */
export const prohibitedCategories = {
  drugs: {
    label: 'illegal drugs',
    policy: 'Illegal drugs, drug paraphernalia and instructions for making them.',
  },
  medicine: {
    label: 'prescription medicine',
    policy: 'Prescription medicine, steroids and unproven cures.',
  },
  weapons: {
    label: 'weapons or ammunition',
    policy: 'Firearms, ammunition, explosives and other weapons, with their parts and plans.',
  },
  adult: { label: 'adult content', policy: 'Pornography and sexual services.' },
  minors: {
    label: 'sexual content involving minors',
    policy: 'Anything that sexualises minors. We ban at once and report it.',
  },
  counterfeit: {
    label: 'counterfeit or stolen goods',
    policy: 'Counterfeits, replicas of brands, pirated media and stolen goods.',
  },
  fraud: {
    label: 'fraud or false documents',
    policy: 'False documents and money, stolen data and accounts, schemes that promise quick riches.',
  },
  hate: { label: 'hate or harassment', policy: 'Content that attacks people for who they are.' },
  violence: {
    label: 'violence or terrorism',
    policy: 'Threats, violence for hire, and support of terrorism.',
  },
  selfHarm: { label: 'self-harm', policy: 'Encouragement of, or means for, suicide and self-harm.' },
  wildlife: {
    label: 'protected wildlife or human remains',
    policy: 'Live animals, products of protected species, human organs and remains.',
  },
  hacking: {
    label: 'malware or hacking services',
    policy: 'Malware, hacking services, and tools for breaking into what belongs to others.',
  },
  restricted: {
    label: 'tobacco, alcohol or gambling',
    policy: 'Tobacco, vapes, alcohol, gambling and lotteries.',
  },
} as const

export type Category = keyof typeof prohibitedCategories

/** The category of a review when the outside check did not answer, or flagged something that none of our categories names. */
export const UNCHECKED = 'unchecked'

export function isCategory(category: string): category is Category {
  return Object.hasOwn(prohibitedCategories, category)
}

export function categoryLabel(category: string): string {
  return isCategory(category) ? prohibitedCategories[category].label : 'not checked in full'
}

export function prohibitedText(category: Category): string {
  return `This looks like ${prohibitedCategories[category].label}, which our Prohibited Content Policy doesn't allow.`
}

/** What a seller reads while a drop is in review. */
export const reviewTexts = {
  badge: 'In review',
  title: "We're reviewing your drop",
  text: "A person needs to review this drop before it goes live. We'll email you when that's done. Its time starts again then, unless its planned end has passed. In that case you can relaunch it.",
  publicTitle: 'Not available',
  publicText: "This drop isn't available right now.",
} as const

const moderationErrors = {
  PROHIBITED: { status: 403, text: "Our Prohibited Content Policy doesn't allow this." },
} as const satisfies ErrorTable

export const moderationError = /* @__PURE__ */ errorsFrom(moderationErrors)
