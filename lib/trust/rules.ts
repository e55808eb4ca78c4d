import { DAY_MS } from '@/lib/kernel/time'

export type Penalty = 'warning' | 'suspension' | 'ban'

/**
 * Returns the penalty for a number of strikes. The first strike is a warning, the second suspends for 30 days, and the
 * third suspends permanently. A severe violation suspends permanently at the first strike.
 */
export function penaltyFor(strikes: number, isSevere: boolean): Penalty {
  if (isSevere || strikes >= 3) return 'ban'
  return strikes === 2 ? 'suspension' : 'warning'
}

/** The most open reports of one drop or profile. They are enough for a decision, and more would only add rows. */
export const MAX_OPEN_REPORTS = 20

export const SUSPENSION_MS = 30 * DAY_MS

/** The categories of violations that suspend the account permanently at the first strike. */
export const SEVERE_CATEGORIES = ['minors', 'weapons', 'violence', 'fraud']

/** Whether one strike of this category suspends the account permanently. */
export function isSevereCategory(category: string): boolean {
  return SEVERE_CATEGORIES.includes(category)
}
