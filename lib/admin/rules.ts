import { isOver } from '@/lib/drops/rules'
import { HOUR_MS } from '@/lib/kernel/time'

/** The most hours an administrator can add to a drop at once (docs/product.md#changing-a-drop). */
export const MAX_EXTEND_HOURS = 72

/** What must be typed before the platform is paused. */
export const PAUSE_WORD = 'DISABLE'

type DropFacts = {
  startedAt: Date
  endTime: Date
  isActive: boolean
  isFeatured: boolean
  isPinned: boolean
  archivedAt: Date | null
  hiddenAt: Date | null
  moderation: 'allowed' | 'review' | 'refused'
}

export type DropPatch = {
  isActive?: boolean | undefined
  isFeatured?: boolean | undefined
  isPinned?: boolean | undefined
  action?: 'extend' | 'end' | 'restore' | 'archive' | undefined
  hours?: number | undefined
}

type DropChange = Partial<Omit<DropFacts, 'startedAt'>>

type Refusal = 'DROP_OVER' | 'HOURS_REQUIRED'

/**
 * Computes how an administrator's patch changes a drop; `now` is the database's time.
 *
 * `extend` gives a running drop more time. `end` ends it now, as if its time had run out: buyers who are paying may
 * finish. `archive` takes it off sale, also for them. `restore` undoes an end, an archive, a deletion or a refusal in
 * review; if the drop's time is over, `hours` gives it new time. A drop that waits for review goes on waiting.
 * `isActive: false` pauses a drop, and `true` resumes one that is not over.
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
      // A scheduled drop that comes back before its start gets its time from then on.
      const from = Math.max(now.getTime(), drop.startedAt.getTime())
      const allowed: DropChange = drop.moderation === 'refused' ? { moderation: 'allowed' } : {}
      // A deleted drop whose time is over comes back as what it is: a past drop.
      if (!hasTime && hours === undefined) return drop.hiddenAt ? { hiddenAt: null, ...allowed } : 'HOURS_REQUIRED'
      const endTime = hours === undefined ? drop.endTime : new Date(from + hours * HOUR_MS)
      return { hiddenAt: null, archivedAt: null, isActive: true, endTime, ...allowed }
    }
  }
}

/** Whether the patch also stops buyers who are paying; a plain end lets them finish (docs/product.md#paid-too-late). */
export function isWithdrawn(patch: DropPatch): boolean {
  return patch.action === 'archive' || patch.isActive === false
}
