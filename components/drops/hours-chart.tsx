import type { AnalyticsView } from '@/lib/drops/view'

const WIDTH = 320
const HEIGHT = 120
const BASE = HEIGHT - 1

type HoursChartProps = { hours: AnalyticsView['hours'] }

/**
 * The run by the hour: views as an area, checkouts as a line, and each sale as a dot. It is drawn without a chart
 * library.
 */
export function HoursChart({ hours }: HoursChartProps) {
  const most = Math.max(1, ...hours.map(({ views, holds }) => Math.max(views, holds)))
  const x = (at: number) => (hours.length < 2 ? WIDTH / 2 : (at / (hours.length - 1)) * WIDTH)
  const y = (value: number) => BASE - (value / most) * (HEIGHT - 12)
  const line = (pick: (hour: HoursChartProps['hours'][number]) => number) =>
    hours.map((hour, at) => `${at === 0 ? 'M' : 'L'}${x(at).toFixed(1)} ${y(pick(hour)).toFixed(1)}`).join('')
  const views = line((hour) => hour.views)
  const peak = hours.reduce((best, hour) => (hour.views > best.views ? hour : best), hours[0] ?? noHour)
  const paid = hours.reduce((sum, hour) => sum + hour.paid, 0)
  return (
    <figure className="grid gap-2">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="h-32 w-full overflow-visible"
        role="img"
        aria-label={`This run by the hour: at most ${peak.views} views in one hour, ${paid} paid.`}
      >
        <path
          d={`${views}L${x(hours.length - 1).toFixed(1)} ${BASE}L${x(0).toFixed(1)} ${BASE}Z`}
          className="fill-ink/10"
        />
        <path d={views} className="fill-none stroke-ink" strokeWidth="2" vectorEffect="non-scaling-stroke" />
        <path
          d={line((hour) => hour.holds)}
          className="fill-none stroke-muted"
          strokeWidth="1.5"
          strokeDasharray="4 3"
          vectorEffect="non-scaling-stroke"
        />
        <path d={`M0 ${BASE}H${WIDTH}`} className="stroke-line" vectorEffect="non-scaling-stroke" />
        {hours.map((hour, at) =>
          hour.paid > 0 ? (
            // The dot is a line of zero length with round ends, so that it stays round however the chart is stretched.
            <path
              key={hour.at}
              d={`M${x(at).toFixed(1)} ${y(hour.paid).toFixed(1)}h0`}
              className="stroke-good"
              strokeWidth="8"
              strokeLinecap="round"
              vectorEffect="non-scaling-stroke"
            />
          ) : null,
        )}
      </svg>
      <figcaption className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-muted">
        <Key className="bg-ink" label="Views" />
        <Key className="bg-muted" label="Checkouts" />
        <Key className="rounded-full bg-good" label="Paid" />
        <span className="ms-auto">by the hour, this run</span>
      </figcaption>
    </figure>
  )
}

const noHour = { at: '', views: 0, taps: 0, holds: 0, paid: 0 }

function Key({ label, className }: { label: string; className: string }) {
  return (
    <span className="inline-flex items-center gap-1.5">
      <span aria-hidden className={`size-2 ${className}`} />
      {label}
    </span>
  )
}
