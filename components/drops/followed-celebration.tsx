'use client'

import type { DropView } from '@/lib/drops/view'
import { OwnerCelebration } from './owner-celebration'
import { useLiveDrop } from './use-live-drop'

/** Follows a drop while the page is open, and celebrates its first sale and its sell-out. */
export function FollowedCelebration({ initial }: { initial: DropView }) {
  const { drop } = useLiveDrop(initial)
  return <OwnerCelebration drop={drop} />
}
