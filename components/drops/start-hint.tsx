'use client'

import { useState } from 'react'
import { typedStartProblem } from '@/lib/drops/start-messages'
import { readStartTime } from '@/lib/drops/start-rules'
import { formatMoment, formatUtc } from '@/lib/kernel/time'

/**
 * Shows the seller's time zone, and the typed start in that zone and in UTC. For an invalid start, it shows only the
 * problem.
 */
export function StartHint({ typed, timezone }: { typed: string; timezone: string }) {
  // The browser's clock is good enough for a hint. The server decides by the database's clock whether the start has
  // passed.
  const [now] = useState(() => new Date())
  const zone = `Your time zone is ${timezone.replaceAll('_', ' ')}. You can change it in your settings.`
  if (typed === '') return zone
  const problem = typedStartProblem(typed, timezone, now)
  const start = readStartTime(typed, timezone)
  if (problem || 'problem' in start) return <span className="text-bad">{problem}</span>
  const [local, utc] = [formatMoment(start.at, timezone), formatUtc(start.at)]
  return `${local === utc ? utc : `${local} is ${utc}`}. ${zone}`
}
