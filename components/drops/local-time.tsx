'use client'

import { useEffect, useState } from 'react'
import { whenIdle } from '@/lib/client/when-idle'
import { formatUtc } from '@/lib/kernel/time'

const inLocalZone = (iso: string, withYear: boolean) =>
  new Intl.DateTimeFormat('en-US', {
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    ...(withYear ? ({ year: 'numeric' } as const) : {}),
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  }).format(new Date(iso))

type LocalTimeProps = {
  iso: string
  /** Whether to show the year, for times that are not in this year. */
  withYear?: boolean
  className?: string
}

/**
 * Shows a time with its time zone. The server renders it in UTC, and the browser changes it to the reader's zone once
 * the page is idle.
 */
export function LocalTime({ iso, withYear = false, className }: LocalTimeProps) {
  const [isAwake, setIsAwake] = useState(false)
  useEffect(() => whenIdle(() => setIsAwake(true)), [])
  return (
    <time dateTime={iso} className={className}>
      {isAwake ? inLocalZone(iso, withYear) : formatUtc(new Date(iso), withYear)}
    </time>
  )
}
