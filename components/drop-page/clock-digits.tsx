'use client'

import { clsx } from 'clsx'
import { writeText } from '@/lib/client/write-text'
import type { ClockStage } from '@/lib/drops/rules'

type ClockDigitsProps = {
  label: string
  /** The time at which the clock is at zero, and the server's time of the page. UnhydratedClock reads both. */
  until: string
  serverTime: string
  digits: readonly (readonly [value: string, unit: string])[]
  stage: ClockStage
}

const digitSize = {
  early: 'text-4xl',
  lastHour: 'text-5xl',
  lastMinute: 'text-7xl',
  over: 'text-7xl',
} as const satisfies Record<ClockStage, string>

/** Shows the digits of a countdown, each with its unit. */
export function ClockDigits({ label, until, serverTime, digits, stage }: ClockDigitsProps) {
  return (
    <div
      role="timer"
      aria-live="off"
      aria-label={label}
      data-until={until}
      data-rendered={serverTime}
      className="flex shrink-0 gap-3 text-ember"
    >
      {digits.map(([value, unit]) => (
        <span key={unit} className="grid justify-items-center">
          <span
            // In the last minute every second gets a new element, so that the animation starts again.
            key={stage === 'lastMinute' ? value : unit}
            data-unit={unit}
            ref={(element) => writeText(element, value)}
            // UnhydratedClock counts down before hydration.
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
  )
}
