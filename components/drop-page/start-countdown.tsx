'use client'

import { useServerSecond } from '@/lib/client/use-server-clock'
import { startDigits } from '@/lib/drops/start/start-rules'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '@/lib/kernel/time'
import { ClockDigits } from './clock-digits'
import { LocalTime } from '@/components/drops/local-time'

/**
 * Returns the text that a screen reader announces. It changes only at these limits, so that each text is announced
 * once.
 */
function announcement(remainingMs: number): string {
  if (remainingMs < MINUTE_MS) return 'Starts in less than a minute'
  if (remainingMs < 10 * MINUTE_MS) return 'Starts in less than 10 minutes'
  return remainingMs < HOUR_MS ? 'Starts in less than an hour' : ''
}

/** Shows the time until a scheduled drop starts, and the start in the reader's time zone. */
export function StartCountdown({ startedAt, serverTime }: { startedAt: string; serverTime: string }) {
  const second = useServerSecond(serverTime)
  const remainingMs = Date.parse(startedAt) - second * SECOND_MS
  return (
    <div className="grid gap-1">
      <p className="text-sm font-medium text-muted">
        Starts <LocalTime iso={startedAt} />
      </p>
      <ClockDigits
        label="Time until the start"
        until={startedAt}
        serverTime={serverTime}
        digits={startDigits(remainingMs)}
        stage="early"
      />
      <p role="status" className="sr-only">
        {announcement(remainingMs)}
      </p>
    </div>
  )
}
