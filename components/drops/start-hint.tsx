'use client'

import { useState } from 'react'
import { typedStartProblem } from '@/lib/drops/start-messages'
import { readStartTime } from '@/lib/drops/start-rules'
import { formatMoment, formatUtc } from '@/lib/kernel/time'

/** The start that was typed, on the seller's clock and in UTC, or what is wrong with it. */
export function StartHint({ typed, timezone }: { typed: string; timezone: string }) {
  // Only a hint: the server decides what has passed, by the database's clock.
  const [now] = useState(() => new Date())
  const zone = `Your time zone is ${timezone.replaceAll('_', ' ')}. You can change it in your settings.`
  if (typed === '') return zone
  const problem = typedStartProblem(typed, timezone, now)
  const start = readStartTime(typed, timezone)
  if (problem || 'problem' in start) return <span className="text-bad">{problem}</span>
  const [local, utc] = [formatMoment(start.at, timezone), formatUtc(start.at)]
  return `${local === utc ? utc : `${local} is ${utc}`}. ${zone}`
}
