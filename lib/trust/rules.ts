import { DAY_MS } from '@/lib/kernel/time'

export type Penalty = 'warning' | 'suspension' | 'ban'

/**
 * The first strike is a warning, the second suspends for 30 days, and the third suspends for good. A severe violation
 * suspends for good at once.
 */
export function penaltyFor(strikes: number, isSevere: boolean): Penalty {
  if (isSevere || strikes >= 3) return 'ban'
  return strikes === 2 ? 'suspension' : 'warning'
}

export const SUSPENSION_MS = 30 * DAY_MS

/** Whether a violation suspends the account for good at the first strike. */
export function isSevereCategory(category: string): boolean {
  return category === 'minors' || category === 'violence'
}
