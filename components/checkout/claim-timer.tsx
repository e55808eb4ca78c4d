'use client'

import { useRouter } from 'next/navigation'
import { useEffect, useRef, useState } from 'react'
import { LocalTime } from '@/components/drops/local-time'
import { noteOpenClaim } from '@/components/drop-page/use-open-claim'
import { useServerSecond } from '@/lib/client/use-server-clock'
import { SECOND_MS, splitRemaining } from '@/lib/kernel/time'
import { checkoutTexts } from '@/lib/checkout/messages'

/**
 * How often the page asks the server, once a second after the end, whether the reservation is over. Its end is not at a
 * full second, so the first response may still show it.
 */
const MOST_CHECKS = 10

type ClaimTimerProps = { expiresAt: string; serverTime: string; dropId: number; path: string }

/**
 * Shows until when a unit is reserved for someone from the waitlist, by the server's clock. Afterwards the page says
 * so.
 */
export function ClaimTimer({ expiresAt, serverTime, dropId, path }: ClaimTimerProps) {
  // This stores the path of this page, so that the drop page can link back to it.
  useEffect(() => noteOpenClaim({ dropId, path, expiresAt }), [dropId, path, expiresAt])
  // A refresh brings a new time of the server, which must not be added to the age of this page.
  const [renderedAt] = useState(serverTime)
  const second = useServerSecond(renderedAt)
  const left = Math.floor(Date.parse(expiresAt) / SECOND_MS) - second
  const { minutes, seconds } = splitRemaining(left * SECOND_MS)
  const router = useRouter()
  const checks = useRef(0)
  useEffect(() => {
    if (left > 0 || checks.current >= MOST_CHECKS) return
    checks.current += 1
    router.refresh()
  }, [left, router])
  return (
    <p className="tabular flex w-full items-baseline justify-between gap-4 rounded-control bg-ember/8 px-4 py-3 font-semibold text-ember-strong">
      <span>
        Reserved until <LocalTime iso={expiresAt} withDay={false} />
      </span>
      <span role="timer" aria-label="Time left to buy" className="text-lg font-bold">
        {minutes}:{String(seconds).padStart(2, '0')}
      </span>
      <span role="status" className="sr-only">
        {left > 0 && left < 60 ? checkoutTexts.lastMinuteToPay : ''}
      </span>
    </p>
  )
}
