'use client'

import { clsx } from 'clsx'
import { useState } from 'react'
import { useServerClock } from '@/lib/client/use-server-clock'
import { clockStage, fuseLeft } from '@/lib/drops/rules'
import { SECOND_MS } from '@/lib/kernel/time'

type FuseProps = {
  startedAt: string
  endTime: string
  serverTime: string
  isOver?: boolean
  isThick?: boolean
  className?: string
}

/** The number of steps of the bar. The width of a phone can show about this many. */
const STEPS = 1_000

/**
 * Shows a thin bar that gets shorter from launch to end, like a fuse. It is redrawn only when it is one step shorter,
 * because a CSS animation would draw sixty frames a second for hours. When we measured such an animation, it took a
 * tenth of a processor core for as long as the page was open. In the last hour the bar is thicker and has a spark at
 * its end, because otherwise the rest would hardly be visible.
 */
export function Fuse({ startedAt, endTime, serverTime, isOver = false, isThick = false, className }: FuseProps) {
  const [start, end] = [Date.parse(startedAt), Date.parse(endTime)]
  const left = useServerClock(
    serverTime,
    (second) => Math.ceil(fuseLeft(start, end, second * SECOND_MS) * STEPS) / STEPS,
  )
  const isLastHour = useServerClock(serverTime, (second) => clockStage(end - second * SECOND_MS) !== 'early')
  // Only a page that is open when the drop ends shows the fuse burn out. A page that is opened later shows it burnt.
  const [wasOver] = useState(isOver)
  const length = isOver ? 0 : left
  return (
    // The thicker fuse covers a little of the content below it, so that nothing moves when the last hour begins.
    <div aria-hidden className={clsx('relative z-1', isThick ? 'h-1.5' : 'h-1', className)}>
      <div
        className={clsx('w-full overflow-hidden rounded-[inherit] bg-line', isLastHour && !isOver ? 'h-2.5' : 'h-full')}
      >
        <div className="h-full w-full origin-left bg-ember" style={{ transform: `scaleX(${length})` }} />
      </div>
      {isLastHour && !isOver ? (
        <span
          className="fuse-spark absolute top-1.25 size-3 rounded-full bg-ember"
          style={{ left: `clamp(0.375rem, ${length * 100}%, 100% - 0.375rem)` }}
        />
      ) : null}
      {isOver && !wasOver ? <span className="fuse-out absolute inset-x-0 top-0 h-2.5 bg-ember" /> : null}
    </div>
  )
}
