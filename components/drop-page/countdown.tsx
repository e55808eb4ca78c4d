'use client'

import { useServerSecond } from '@/lib/client/use-server-clock'
import { clockDigits, clockStage } from '@/lib/drops/rules'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '@/lib/kernel/time'
import { ClockDigits } from './clock-digits'

type CountdownProps = { endTime: string; serverTime: string; className?: string }

/**
 * Returns the text that a screen reader announces. The text changes only an hour, ten minutes and one minute before the
 * end, so that each text is announced once.
 */
function lastCall(remainingMs: number): string {
  if (remainingMs < MINUTE_MS) return 'Less than a minute left'
  if (remainingMs < 10 * MINUTE_MS) return 'Less than 10 minutes left'
  return remainingMs < HOUR_MS ? 'Less than an hour left' : ''
}

/** Shows the time until the end. The digits are larger in the last hour and largest in the last minute. */
export function Countdown({ endTime, serverTime, className }: CountdownProps) {
  const second = useServerSecond(serverTime)
  const remainingMs = Date.parse(endTime) - second * SECOND_MS
  const stage = clockStage(remainingMs)
  return (
    <div className={className} data-stage={stage}>
      <ClockDigits
        label="Time left"
        until={endTime}
        serverTime={serverTime}
        digits={clockDigits(remainingMs)}
        stage={stage}
      />
      <p role="status" className="sr-only">
        {lastCall(remainingMs)}
      </p>
    </div>
  )
}
