'use client'

import { clsx } from 'clsx'
import { useServerSecond } from '@/lib/client/use-server-clock'
import { writeText } from '@/lib/client/write-text'
import { clockDigits, type ClockStage, clockStage } from '@/lib/drops/rules'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '@/lib/kernel/time'

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

const digitSize = {
  early: 'text-4xl',
  lastHour: 'text-5xl',
  lastMinute: 'text-7xl',
  over: 'text-7xl',
} as const satisfies Record<ClockStage, string>

/** Shows the time until the end. The digits are larger in the last hour and largest in the last minute. */
export function Countdown({ endTime, serverTime, className }: CountdownProps) {
  const second = useServerSecond(serverTime)
  const remainingMs = Date.parse(endTime) - second * SECOND_MS
  const stage = clockStage(remainingMs)
  return (
    <div className={className} data-stage={stage}>
      <div
        role="timer"
        aria-live="off"
        aria-label="Time left"
        data-until={endTime}
        data-rendered={serverTime}
        className="flex shrink-0 gap-3 text-ember"
      >
        {clockDigits(remainingMs).map(([value, unit]) => (
          <span key={unit} className="grid justify-items-center">
            <span
              // In the last minute every second gets a new element, so that the animation starts again.
              key={stage === 'lastMinute' ? value : unit}
              data-unit={unit}
              ref={(element) => writeText(element, value)}
              // EarlyClock counts down before hydration.
              suppressHydrationWarning
              className={clsx(
                'clock-digits tabular font-display leading-none font-extrabold whitespace-nowrap',
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
