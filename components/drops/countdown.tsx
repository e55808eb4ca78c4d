'use client'

import { clsx } from 'clsx'
import { useServerSecond } from '@/lib/client/use-server-clock'
import { clockDigits, type ClockStage, clockStage } from '@/lib/drops/rules'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '@/lib/kernel/time'

type CountdownProps = { endTime: string; serverTime: string; className?: string }

/** Returns what a screen reader announces. The text changes only at these limits, so each one is announced once. */
function lastCall(remainingMs: number): string {
  if (remainingMs < MINUTE_MS) return 'Less than a minute left'
  if (remainingMs < 10 * MINUTE_MS) return 'Less than 10 minutes left'
  return remainingMs < HOUR_MS ? 'Less than an hour left' : ''
}

const digitSize = {
  early: 'text-4xl',
  lastHour: 'text-5xl',
  lastMinute: 'text-7xl',
  over: 'text-7xl',
} as const satisfies Record<ClockStage, string>

/** The time until the end. The digits are larger in the last hour and largest in the last minute. */
export function Countdown({ endTime, serverTime, className }: CountdownProps) {
  const second = useServerSecond(serverTime)
  const remainingMs = Date.parse(endTime) - second * SECOND_MS
  const stage = clockStage(remainingMs)
  return (
    <div className={className} data-stage={stage}>
      <div role="timer" aria-live="off" aria-label="Time left" className="flex shrink-0 gap-3 text-ember">
        {clockDigits(remainingMs).map(([value, unit]) => (
          <span key={unit} className="grid justify-items-center">
            <span
              // In the last minute each second is a new element, so that the beat of its animation starts again.
              key={stage === 'lastMinute' ? value : unit}
              className={clsx(
                'tabular font-display leading-none font-extrabold whitespace-nowrap',
                digitSize[stage],
                stage === 'lastMinute' && 'clock-beat',
              )}
            >
              {value}
            </span>
            <span className="mt-1 text-xs font-medium text-muted">{unit}</span>
          </span>
        ))}
      </div>
      <p role="status" className="sr-only">
        {lastCall(remainingMs)}
      </p>
    </div>
  )
}
