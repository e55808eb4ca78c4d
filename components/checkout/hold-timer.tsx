import { SECOND_MS, splitRemaining } from '@/lib/kernel/time'

const time = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', hour12: false })

/** Shows "Yours until 14:32", by the server's clock. */
export function HoldTimer({ expiresAt, second }: { expiresAt: string; second: number }) {
  // Both times are cut to whole seconds. Ten minutes then start at 10:00, and no second is shown after the hold has
  // ended.
  const lastSecond = Math.floor(Date.parse(expiresAt) / SECOND_MS)
  const { minutes, seconds } = splitRemaining((lastSecond - second) * SECOND_MS)
  return (
    <p className="tabular flex items-baseline justify-between gap-4 rounded-control bg-ember/8 px-4 py-3 text-ember-strong">
      <span className="font-semibold">Yours until {time.format(new Date(expiresAt))}</span>
      <span role="timer" aria-label="Time left to pay" className="font-bold">
        {minutes}:{String(seconds).padStart(2, '0')}
      </span>
    </p>
  )
}
