import { LocalTime } from '@/components/drops/local-time'
import { cn } from '@/components/ui/class-names'
import type { TimelineEntry } from '@/lib/orders/view'

const dots = { good: 'bg-good', warn: 'bg-warn', bad: 'bg-bad' } as const

/** Lists the events of an order, oldest first. */
export function Timeline({ entries }: { entries: TimelineEntry[] }) {
  return (
    <ol className="grid">
      {entries.map((entry, at) => (
        <li key={at} className="grid grid-cols-[0.75rem_1fr] gap-x-3">
          <span aria-hidden className="grid justify-items-center">
            <span className={cn('mt-1.5 size-2.5 rounded-full', entry.tone ? dots[entry.tone] : 'bg-control')} />
            {at < entries.length - 1 ? <span className="h-full w-px bg-line" /> : null}
          </span>
          <span className="pb-4">
            <span className="block font-semibold">{entry.text}</span>
            {entry.note ? <span className="block text-sm whitespace-pre-line">{entry.note}</span> : null}
            <LocalTime iso={entry.at} className="text-sm text-muted" />
          </span>
        </li>
      ))}
    </ol>
  )
}
