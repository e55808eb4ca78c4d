'use client'

import dynamic from 'next/dynamic'

/** A script file of its own, which only owners fetch. */
const LiveAnalytics = dynamic(() => import('./live-analytics').then((module) => module.LiveAnalytics), { ssr: false })

/**
 * Live Analytics on the public page, for its owner alone. The figures come by a second, private call after hydration,
 * and only the owner's browser makes that call (ADR 0015).
 */
export function OwnerAnalytics({ dropId }: { dropId: number }) {
  return <LiveAnalytics dropId={dropId} heading="Live Analytics" className="rounded-card border bg-surface p-5" />
}
