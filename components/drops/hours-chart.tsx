import type { AnalyticsView } from '@/lib/drops/analytics/analytics-view'
import { formatCount } from '@/lib/kernel/format-count'
import { HOUR_MS } from '@/lib/kernel/time'

const WIDTH = 320
const HEIGHT = 120
const BASE = HEIGHT - 1

/**
 * Sales and checkouts have their own axis and reach at most this fraction of the height, so that they stay in the lower
 * half.
 */
const SALES_PART = 0.5

type Hours = AnalyticsView['hours']
type HoursChartProps = { hours: Hours; serverTime: string }

/** Returns the x scale, the two y scales, the most views and the most sales in any hour, and the total sales. */
function scaleOf(hours: Hours) {
  const mostViews = Math.max(1, ...hours.map(({ views }) => views))
  const mostSales = Math.max(1, ...hours.map(({ holds, paid }) => Math.max(holds, paid)))
  const x = (at: number) => (hours.length < 2 ? WIDTH / 2 : (at / (hours.length - 1)) * WIDTH).toFixed(1)
  return {
    x,
    viewsY: (value: number) => (BASE - (value / mostViews) * (HEIGHT - 12)).toFixed(1),
    salesY: (value: number) => (BASE - (value / mostSales) * (HEIGHT - 12) * SALES_PART).toFixed(1),
    mostViews: Math.max(0, ...hours.map(({ views }) => views)),
    mostPaid: Math.max(0, ...hours.map(({ paid }) => paid)),
    paid: hours.reduce((sum, { paid }) => sum + paid, 0),
  }
}

/**
 * Draws the run by the hour, with views as an area, checkouts as a line and sales as bars. Checkouts and sales have
 * their own axis. The lines to the current hour are dashed, because that hour is not complete. Its bar is solid.
 */
export function HoursChart({ hours, serverTime }: HoursChartProps) {
  // A run that has not started has no hours.
  if (hours.length === 0) return null
  const { x, viewsY, salesY, mostViews, mostPaid, paid } = scaleOf(hours)
  const last = hours.length - 1
  const isRunning = Date.parse(hours[last]?.at ?? '') + HOUR_MS > Date.parse(serverTime)
  // The complete hours. In a run's first hour this is the current hour, which then shows at most a bar.
  const done = isRunning && last > 0 ? hours.slice(0, -1) : hours
  const path = (part: Hours, from: number, y: (hour: Hours[number]) => string) =>
    part.map((hour, at) => `${at === 0 ? 'M' : 'L'}${x(from + at)} ${y(hour)}`).join('')
  const views = (hour: Hours[number]) => viewsY(hour.views)
  const checkouts = (hour: Hours[number]) => salesY(hour.holds)
  const running = isRunning && last > 0 ? hours.slice(-2) : []
  return (
    <figure className="grid gap-2">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="h-32 w-full overflow-visible"
        role="img"
        aria-label={`This run by the hour: at most ${mostViews} views and ${mostPaid} sales in one hour, ${paid} sales in all.`}
      >
        <path d={`${path(done, 0, views)}L${x(done.length - 1)} ${BASE}L${x(0)} ${BASE}Z`} className="fill-ink/10" />
        {hours.map((hour, at) =>
          hour.paid > 0 ? (
            <path
              key={hour.at}
              d={`M${x(at)} ${BASE}V${salesY(hour.paid)}`}
              className="stroke-good"
              strokeWidth="5"
              vectorEffect="non-scaling-stroke"
            />
          ) : null,
        )}
        <Line d={path(done, 0, checkouts)} className="stroke-muted-foreground" width="1.5" />
        <Line d={path(done, 0, views)} className="stroke-ink" width="2" />
        <Line d={path(running, last - 1, checkouts)} className="stroke-muted-foreground" width="1.5" isDashed />
        <Line d={path(running, last - 1, views)} className="stroke-ink" width="2" isDashed />
        <path d={`M0 ${BASE}H${WIDTH}`} className="stroke-line" vectorEffect="non-scaling-stroke" />
      </svg>
      <figcaption className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-muted">
        <Key className="bg-ink" label={`Views, up to ${formatCount(mostViews)} an hour`} />
        <Key className="bg-muted-foreground" label="Checkouts" />
        <Key className="bg-good" label={`Sales, up to ${formatCount(mostPaid)} an hour`} />
        {running.length > 0 ? <span>Dashed: this hour so far</span> : null}
      </figcaption>
    </figure>
  )
}

type LineProps = { d: string; className: string; width: string; isDashed?: boolean }

function Line({ d, className, width, isDashed = false }: LineProps) {
  return (
    <path
      d={d}
      className={`fill-none ${className}`}
      strokeWidth={width}
      strokeDasharray={isDashed ? '3 3' : undefined}
      vectorEffect="non-scaling-stroke"
    />
  )
}

function Key({ label, className }: { label: string; className: string }) {
  return (
    <span className="inline-flex items-center gap-1.5">
      <span aria-hidden className={`size-2 ${className}`} />
      {label}
    </span>
  )
}
