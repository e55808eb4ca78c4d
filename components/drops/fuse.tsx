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

/** As fine as a phone's width shows. */
const STEPS = 1_000

/**
 * The thin bar that burns down from launch to end. Drawn anew when it is a step shorter: an animation would draw sixty
 * frames a second for hours, a tenth of a processor for as long as somebody looks (measured).
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
