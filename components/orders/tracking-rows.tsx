import { Badge } from '@/components/ui/badge'
import { Card } from '@/components/ui/card'
import type { TrackingRowView } from '@/lib/shipping/view'

const effects = {
  ship: ['Ships', 'good'],
  correct: ['New number', 'warn'],
  same: ['Unchanged', 'secondary'],
  error: ['Problem', 'destructive'],
} as const

const MOST = 200

/** Shows the lines of the file, at most MOST of them, and what each changes. Lines with a problem come first. */
export function TrackingRows({ rows }: { rows: TrackingRowView[] }) {
  const sorted = [...rows].sort(
    (a, b) => Number(b.effect === 'error') - Number(a.effect === 'error') || a.line - b.line,
  )
  return (
    <Card className="overflow-hidden">
      <ul className="divide-y text-sm">
        {sorted.slice(0, MOST).map((row) => {
          const [text, tone] = effects[row.effect]
          return (
            <li key={row.line} className="grid grid-cols-[5.5rem_1fr] items-baseline gap-x-3 gap-y-0.5 px-4 py-3">
              <Badge variant={tone} className="justify-self-start">
                {text}
              </Badge>
              <span className="min-w-0">
                <span className="tabular font-semibold break-all">{row.reference || `Line ${row.line}`}</span>
                {row.title ? <span className="text-muted"> · {row.title}</span> : null}
                <span className="tabular block break-all">{[row.carrier, row.trackingNumber].join(' ').trim()}</span>
                {row.problem ? (
                  <span className="block font-medium text-bad">
                    Line {row.line}: {row.problem}
                  </span>
                ) : null}
              </span>
            </li>
          )
        })}
      </ul>
      {rows.length > MOST ? (
        <p className="border-t px-4 py-3 text-sm text-muted">
          and {rows.length - MOST} more {rows.length - MOST === 1 ? 'line' : 'lines'}
        </p>
      ) : null}
    </Card>
  )
}
