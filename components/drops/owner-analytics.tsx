'use client'

import dynamic from 'next/dynamic'
import { useSyncExternalStore } from 'react'
import { readHint } from '@/lib/client/read-hint'
import { SELLER_HINT } from '@/lib/kernel/hint-cookies'

/** A script file of its own, which only owners fetch. */
const LiveAnalytics = dynamic(() => import('./live-analytics').then((module) => module.LiveAnalytics), { ssr: false })

const never = () => () => undefined

type OwnerAnalyticsProps = { dropId: number; ownerId: number }

/**
 * Live Analytics on the public page, for its owner alone. The page is the same for everybody (ADR 0008), so the figures
 * come by a second, private call after hydration, and only the owner's browser makes that call (ADR 0015).
 */
export function OwnerAnalytics({ dropId, ownerId }: OwnerAnalyticsProps) {
  const userId = useSyncExternalStore(
    never,
    () => readHint(SELLER_HINT),
    () => null,
  )
  if (userId !== String(ownerId)) return null
  return <LiveAnalytics dropId={dropId} heading="Live Analytics" className="rounded-card border bg-surface p-5" />
}
