'use client'

import { useEffect, useState } from 'react'
import { whenIdle } from '@/lib/client/when-idle'
import { formatUtc } from '@/lib/kernel/time'

const inLocalZone = (iso: string) =>
  new Intl.DateTimeFormat('en-US', {
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  }).format(new Date(iso))

/**
 * A moment with its time zone. The server renders it in UTC; the browser changes it to the reader's zone once it is
 * idle.
 */
export function LocalTime({ iso, className }: { iso: string; className?: string }) {
  const [isAwake, setIsAwake] = useState(false)
  useEffect(() => whenIdle(() => setIsAwake(true)), [])
  return (
    <time dateTime={iso} className={className}>
      {isAwake ? inLocalZone(iso) : formatUtc(new Date(iso))}
    </time>
  )
}
