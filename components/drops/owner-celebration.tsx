'use client'

import dynamic from 'next/dynamic'
import { useMemo } from 'react'
import type { DropView } from '@/lib/drops/view'

/** The card is in a separate script file, so that buyers do not load it. */
const CelebrationCard = dynamic(
  () => import('@/components/dashboard/celebration-card').then((module) => module.CelebrationCard),
  { ssr: false },
)

/** Celebrates the first sale and the sell-out of one drop on a page that its seller has open. */
export function OwnerCelebration({ drop }: { drop: DropView }) {
  const drops = useMemo(() => [drop], [drop])
  return <CelebrationCard drops={drops} className="not-empty:mb-5" />
}
