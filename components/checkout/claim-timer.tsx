'use client'

import { useEffect } from 'react'
import { LocalTime } from '@/components/drops/local-time'
import { noteOpenClaim } from '@/components/drops/use-open-claim'
import { useServerSecond } from '@/lib/client/use-server-clock'
import { SECOND_MS, splitRemaining } from '@/lib/kernel/time'

type ClaimTimerProps = { expiresAt: string; serverTime: string; dropId: number; path: string }

/** Shows until when a unit is reserved for someone from the waitlist. The time left follows the server's clock. */
export function ClaimTimer({ expiresAt, serverTime, dropId, path }: ClaimTimerProps) {
  // This stores the path of this page, so that the drop page can link back to it.
  useEffect(() => noteOpenClaim({ dropId, path, expiresAt }), [dropId, path, expiresAt])
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
