'use client'

import { clsx } from 'clsx'
import { useServerClock } from '@/lib/client/use-server-clock'
import { fuseLeft } from '@/lib/drops/rules'
import { SECOND_MS } from '@/lib/kernel/time'

type FuseProps = {
  startedAt: string
  endTime: string
  serverTime: string
  isOver?: boolean
  isThick?: boolean
  className?: string
}

/** As many steps as the width of a phone can show. */
const STEPS = 1_000

/**
 * The thin bar that burns down from launch to end. It is redrawn only when it is one step shorter. A CSS animation
 * would draw sixty frames a second for hours; measured, that took a tenth of a processor core for as long as the page
 * was open.
 */
export function Fuse({ startedAt, endTime, serverTime, isOver = false, isThick = false, className }: FuseProps) {
  const [start, end] = [Date.parse(startedAt), Date.parse(endTime)]
  const left = useServerClock(
    serverTime,
    (second) => Math.ceil(fuseLeft(start, end, second * SECOND_MS) * STEPS) / STEPS,
  )
  return (
    <div aria-hidden className={clsx('w-full overflow-hidden bg-line', isThick ? 'h-1.5' : 'h-1', className)}>
      <div className="h-full w-full origin-left bg-ember" style={{ transform: `scaleX(${isOver ? 0 : left})` }} />
    </div>
  )
}
