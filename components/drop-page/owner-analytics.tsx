'use client'

import dynamic from 'next/dynamic'

/** Live Analytics is in a separate script file, so that buyers do not load it. */
const LiveAnalytics = dynamic(
  () => import('@/components/drops/live-analytics').then((module) => module.LiveAnalytics),
  { ssr: false },
)

/**
 * Shows Live Analytics on the public page to the drop's owner. The figures are fetched by a private call after
 * hydration. Only a browser with the owner's cookie makes that call (ADR 0015).
 */
export function OwnerAnalytics({ dropId }: { dropId: number }) {
  return <LiveAnalytics dropId={dropId} heading="Live Analytics" className="rounded-card border bg-surface p-5" />
}
