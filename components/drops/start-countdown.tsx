'use client'

import { useServerSecond } from '@/lib/client/use-server-clock'
import { startDigits } from '@/lib/drops/start-rules'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '@/lib/kernel/time'
import { LocalTime } from './local-time'

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
      <div
        role="timer"
        aria-live="off"
        aria-label="Time until the start"
        data-until={startedAt}
        data-rendered={serverTime}
        className="flex shrink-0 gap-3 text-ember"
      >
        {startDigits(remainingMs).map(([value, unit]) => (
          <span key={unit} className="grid justify-items-center">
            <span
              data-unit={unit}
              // EarlyClock counts down before hydration.
              suppressHydrationWarning
              className="clock-digits tabular font-display text-4xl leading-none font-extrabold whitespace-nowrap"
            >
              {value}
            </span>
            <span className="mt-1 text-xs font-medium text-muted">{unit}</span>
          </span>
        ))}
      </div>
      <p role="status" className="sr-only">
        {announcement(remainingMs)}
      </p>
    </div>
  )
}
