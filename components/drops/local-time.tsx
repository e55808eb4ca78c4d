'use client'

import { useEffect, useState } from 'react'
import { whenIdle } from '@/lib/client/when-idle'
import { formatUtc } from '@/lib/kernel/time'

const inLocalZone = (iso: string, { withYear, withDay }: { withYear: boolean; withDay: boolean }) =>
  new Intl.DateTimeFormat('en-US', {
    ...(withDay ? ({ weekday: 'short', month: 'short', day: 'numeric' } as const) : {}),
    ...(withYear ? ({ year: 'numeric' } as const) : {}),
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  }).format(new Date(iso))

type LocalTimeProps = {
  iso: string
  /** Whether to show the year, for times that are not in this year. */
  withYear?: boolean
  /** Whether to show the day, which is not needed for a time within minutes. */
  withDay?: boolean
  className?: string
}

/**
 * Shows a time with its time zone. The server renders it in UTC, and the browser changes it to the reader's zone once
 * the page is idle.
 */
export function LocalTime({ iso, withYear = false, withDay = true, className }: LocalTimeProps) {
  const [isAwake, setIsAwake] = useState(false)
  useEffect(() => whenIdle(() => setIsAwake(true)), [])
  const inUtc = formatUtc(new Date(iso), withYear)
  return (
    <time dateTime={iso} className={className}>
      {isAwake ? inLocalZone(iso, { withYear, withDay }) : withDay ? inUtc : inUtc.split(', ').at(-1)}
    </time>
  )
}
