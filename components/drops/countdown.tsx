'use client'

import { useServerSecond } from '@/lib/client/use-server-clock'
import { HOUR_MS, MINUTE_MS, SECOND_MS, splitRemaining } from '@/lib/kernel/time'

type CountdownProps = { endTime: string; serverTime: string; className?: string }

const two = (value: number) => String(value).padStart(2, '0')

/** Returns what a screen reader announces. The text changes only at these limits, so each one is announced once. */
function lastCall(remainingMs: number): string {
  if (remainingMs <= MINUTE_MS) return 'Less than a minute left'
  if (remainingMs <= 10 * MINUTE_MS) return 'Less than 10 minutes left'
  return remainingMs <= HOUR_MS ? 'Less than an hour left' : ''
}

/** Hours, minutes and seconds until the end. Only the product's title is larger on the page. */
export function Countdown({ endTime, serverTime, className }: CountdownProps) {
  const second = useServerSecond(serverTime)
  const remainingMs = Date.parse(endTime) - second * SECOND_MS
  const { hours, minutes, seconds } = splitRemaining(remainingMs)
  const units = [
    [two(hours), 'hours'],
    [two(minutes), 'min'],
    [two(seconds), 'sec'],
  ] as const
  return (
    <div className={className}>
      <div role="timer" aria-live="off" aria-label="Time left" className="flex shrink-0 gap-3 text-ember">
        {units.map(([value, unit]) => (
          <span key={unit} className="grid justify-items-center">
            <span className="tabular font-display text-4xl leading-none font-extrabold whitespace-nowrap">{value}</span>
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
