'use client'

import { useServerClock } from '@/lib/client/use-server-clock'
import { earlyOffer } from '@/lib/drops/options/option-view'
import type { DropView } from '@/lib/drops/view'
import { SECOND_MS } from '@/lib/kernel/time'
import type { EarlyProblem } from '@/lib/checkout/choices/early-messages'

/** A follower's link in the URL of the page, and why it cannot be used, or null. */
export type EarlyAccess = { token: string; problem: EarlyProblem | null }

/**
 * Returns the drop as a visitor with a follower's link sees it (docs/product.md#early-access). Once early access is
 * open, the drop is live with the units that are left for followers. Without a link, and from the public start on, the
 * drop is returned unchanged. When the seller cancels early access while the page is open, `problem` says so.
 */
export function useEarlyAccess(
  shown: DropView,
  early: EarlyAccess | null,
  serverTime: string,
): { drop: DropView; access: 'none' | 'soon' | 'open' | 'refused'; problem: EarlyProblem | null } {
  const { earlyStartsAt } = shown
  const isDue = useServerClock(
    serverTime,
    (second) => earlyStartsAt !== null && Date.parse(earlyStartsAt) <= second * SECOND_MS,
  )
  if (!early || shown.state !== 'upcoming') return { drop: shown, access: 'none', problem: null }
  const { problem } = early
  if (problem !== null && problem !== 'EARLY_NOT_OPEN' && problem !== 'EARLY_FULL') {
    return { drop: shown, access: 'refused', problem }
  }
  if (earlyStartsAt === null) return { drop: shown, access: 'refused', problem: 'EARLY_OVER' }
  if (!isDue) return { drop: shown, access: 'soon', problem }
  return { drop: earlyOffer(shown), access: 'open', problem }
}
