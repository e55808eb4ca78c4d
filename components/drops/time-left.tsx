'use client'

import { clsx } from 'clsx'
import { useServerSecond } from '@/lib/client/use-server-clock'
import { HOUR_MS, SECOND_MS, splitRemaining } from '@/lib/kernel/time'

type TimeLeftProps = { endTime: string; serverTime: string; hasSeconds?: boolean; className?: string }

/**
 * Shows "5h 12m left", in the last hour "12m 05s left", and after the end "Expired". With `hasSeconds={false}` the last
 * hour reads "0h 12m left".
 */
export function TimeLeft({ endTime, serverTime, hasSeconds = true, className }: TimeLeftProps) {
  const second = useServerSecond(serverTime)
  const remainingMs = Date.parse(endTime) - second * SECOND_MS
  const { hours, minutes, seconds } = splitRemaining(remainingMs)
  if (remainingMs <= 0) return <span className={clsx('font-semibold text-bad', className)}>Expired</span>
  const text =
    remainingMs >= HOUR_MS || !hasSeconds
      ? `${hours}h ${minutes}m left`
      : `${minutes}m ${String(seconds).padStart(2, '0')}s left`
  return <span className={clsx('tabular font-semibold text-ember', className)}>{text}</span>
}
