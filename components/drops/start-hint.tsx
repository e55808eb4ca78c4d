'use client'

import { useState, useSyncExternalStore } from 'react'
import { offeredTimezone } from '@/lib/accounts/rules'
import { browserTimeZone } from '@/lib/client/browser-time-zone'
import { typedStartProblem } from '@/lib/drops/start/start-messages'
import { readStartTime } from '@/lib/drops/start/start-rules'
import { formatMoment, formatUtc } from '@/lib/kernel/time'

const neverChanges = () => () => undefined

/** Names the seller's time zone, and that of the device if it is another one. */
function zoneText(timezone: string, device: string | undefined): string {
  const [own, other] = [timezone, device ?? timezone].map((zone) => zone.replaceAll('_', ' '))
  return own === other
    ? `Your time zone is ${own}. You can change it in your settings.`
    : `Your time zone is ${own}, but this device uses ${other}. You can change your time zone in your settings.`
}

/**
 * Shows the seller's time zone, and the typed start in that zone and in UTC. For an invalid start, it shows only the
 * problem.
 */
export function StartHint({ typed, timezone }: { typed: string; timezone: string }) {
  // The browser's clock is good enough for a hint. The server decides by the database's clock whether the start has
  // passed.
  const [now] = useState(() => new Date())
  const device = offeredTimezone(useSyncExternalStore(neverChanges, browserTimeZone, () => ''))
  const zone = zoneText(timezone, device)
  if (typed === '') return zone
  const problem = typedStartProblem(typed, timezone, now)
  const start = readStartTime(typed, timezone)
  if (problem || 'problem' in start) return <span className="text-bad">{problem}</span>
  const [local, utc] = [formatMoment(start.at, timezone), formatUtc(start.at)]
  return `${local === utc ? utc : `${local} is ${utc}`}. ${zone}`
}
