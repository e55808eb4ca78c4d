'use client'

import { LocalTime } from '@/components/drops/local-time'
import { useServerSecond } from '@/lib/client/use-server-clock'
import { SECOND_MS, splitRemaining } from '@/lib/kernel/time'

/** Shows until when a unit is reserved for somebody from the waitlist, by the server's clock. */
export function ClaimTimer({ expiresAt, serverTime }: { expiresAt: string; serverTime: string }) {
  const second = useServerSecond(serverTime)
  const { minutes, seconds } = splitRemaining(Math.floor(Date.parse(expiresAt) / SECOND_MS - second) * SECOND_MS)
  return (
    <p className="tabular flex w-full items-baseline justify-between gap-4 rounded-control bg-ember/8 px-4 py-3 font-semibold text-ember-strong">
      <span>
        Until <LocalTime iso={expiresAt} />
      </span>
      <span role="timer" aria-label="Time left to buy" className="text-lg font-bold">
        {minutes}:{String(seconds).padStart(2, '0')}
      </span>
    </p>
  )
}
