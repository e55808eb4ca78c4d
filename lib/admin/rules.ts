import { isOver } from '@/lib/drops/rules'
import { HOUR_MS } from '@/lib/kernel/time'

/** The most hours that one call of an administrator can add to a drop (docs/product.md#changing-a-drop). */
export const MAX_EXTEND_HOURS = 72

/** The word that an administrator must type before the platform is paused. */
export const PAUSE_WORD = 'DISABLE'

/**
 * Returns by how many hours the live drops are extended after an outage: its length, rounded up to whole hours, and at
 * most what one call can add.
 */
export function outageHours(since: Date, now: Date): number {
  return Math.min(MAX_EXTEND_HOURS, Math.max(1, Math.ceil((now.getTime() - since.getTime()) / HOUR_MS)))
}

type DropFacts = {
  startedAt: Date
  endTime: Date
  isActive: boolean
  isFeatured: boolean
  isPinned: boolean
  archivedAt: Date | null
  hiddenAt: Date | null
  moderation: 'allowed' | 'review' | 'refused'
  /** Whether the seller has downloaded the unused keys of the run, so that it cannot continue; left out for no. */
  areKeysTaken?: boolean
}

export type DropPatch = {
  isActive?: boolean | undefined
  isFeatured?: boolean | undefined
  isPinned?: boolean | undefined
  action?: 'extend' | 'end' | 'restore' | 'archive' | undefined
  hours?: number | undefined
}

type DropChange = Partial<Omit<DropFacts, 'startedAt' | 'areKeysTaken'>>

type Refusal = 'DROP_OVER' | 'HOURS_REQUIRED' | 'KEYS_TAKEN'

/**
 * Computes how an administrator's patch changes a drop; `now` is the database's time.
 *
 * `extend` gives more time to a drop that has not ended. `end` ends it now, as if its time had run out, so buyers who
 * are paying may finish. `archive` takes the drop off sale even for buyers who are paying. `restore` undoes an end, an
 * archive, a deletion or a refusal in review. With `hours`, a restored drop ends that many hours from now, or from its
 * start if it is scheduled. A drop whose end time has passed needs `hours`, and one whose unused keys the seller has
 * downloaded cannot continue, but a deleted one can become visible again as an ended drop. A drop in review stays in
 * review. `isActive: false` pauses a drop, and `true` resumes one that has not ended.
 * @returns the changed fields, or the code of the error when the change is not possible.
 */
export function dropChange(drop: DropFacts, patch: DropPatch, now: Date): DropChange | Refusal {
  const { isActive, isFeatured, isPinned, action } = patch
  const change: DropChange = {
    ...(isFeatured === undefined ? {} : { isFeatured }),
    ...(isPinned === undefined ? {} : { isPinned }),
  }
  const acted = action ? applyAction(drop, action, patch.hours, now) : {}
  if (typeof acted === 'string') return acted
  if (!action && patch.hours !== undefined) return 'HOURS_REQUIRED'
  Object.assign(change, acted)
  if (isActive === undefined) return change
  const after = { ...drop, ...change }
  if (isActive && isOver(after, now)) return 'DROP_OVER'
  return { ...change, isActive }
}

function applyAction(
  drop: DropFacts,
  action: NonNullable<DropPatch['action']>,
  hours: number | undefined,
  now: Date,
): DropChange | Refusal {
  switch (action) {
    case 'extend':
      if (hours === undefined) return 'HOURS_REQUIRED'
      if (isOver(drop, now)) return 'DROP_OVER'
      return { endTime: new Date(drop.endTime.getTime() + hours * HOUR_MS) }
    case 'end':
      return isOver(drop, now) ? {} : { endTime: now, archivedAt: now, isActive: false }
    case 'archive':
      return { archivedAt: drop.archivedAt ?? now, isActive: false }
    case 'restore': {
      const hasTime = drop.endTime.getTime() > now.getTime()
      // A scheduled drop that is restored before its start gets the new hours from its start.
      const from = Math.max(now.getTime(), drop.startedAt.getTime())
      const allowed: DropChange = drop.moderation === 'refused' ? { moderation: 'allowed' } : {}
      // Without new hours, a deleted drop that cannot continue becomes visible again as an ended drop.
      const isOnlyShown = hours === undefined && drop.hiddenAt !== null && (!hasTime || drop.areKeysTaken)
      if (isOnlyShown) return { hiddenAt: null, ...allowed }
      if (drop.areKeysTaken) return 'KEYS_TAKEN'
      if (!hasTime && hours === undefined) return 'HOURS_REQUIRED'
      const endTime = hours === undefined ? drop.endTime : new Date(from + hours * HOUR_MS)
      return { hiddenAt: null, archivedAt: null, isActive: true, endTime, ...allowed }
    }
  }
}

/**
 * Whether the patch also closes the checkouts of buyers who are paying. Ending a drop does not
 * (docs/product.md#paid-too-late).
 */
export function isWithdrawn(patch: DropPatch): boolean {
  return patch.action === 'archive' || patch.isActive === false
}

/**
 * Whether the patch ends or pauses a drop. An attacker with a stolen session must not be able to do this to all sellers
 * (docs/product.md#two-factor-sign-in).
 */
export function stopsSelling(patch: DropPatch): boolean {
  return isWithdrawn(patch) || patch.action === 'end'
}

/** Counts what needs an administrator's attention: each bad line of the platform's health, and a pause. */
export function countTroubles(health: {
  openEvents: number
  mailFailing: number
  overdueHolds: number
  openRefunds: number
  disconnectedSellers: number
  payoutsInOtherCurrency: number
  pausedSince: string | null
}): number {
  const { openEvents, mailFailing, overdueHolds, openRefunds, disconnectedSellers, payoutsInOtherCurrency } = health
  const lines = [openEvents, mailFailing, overdueHolds, openRefunds, disconnectedSellers, payoutsInOtherCurrency]
  return lines.filter((count) => count > 0).length + (health.pausedSince === null ? 0 : 1)
}
