type FigureBarProps = { label: string; value: number; fraction: number; note?: string }

/** Shows a number with its name and a bar, inside a `dl`. `fraction` is the length of the bar, from 0 to 1. */
export function FigureBar({ label, value, fraction, note }: FigureBarProps) {
  return (
    <div className="grid grid-cols-[5.5rem_1fr_auto] items-center gap-x-3">
      <dt className="text-muted">{label}</dt>
      <dd className="contents">
        <svg aria-hidden viewBox="0 0 100 8" preserveAspectRatio="none" className="h-2 w-full">
          <rect width="100" height="8" rx="1" className="fill-sunken" />
          <rect width={Math.max(0, Math.min(1, fraction)) * 100} height="8" rx="1" className="fill-ink" />
        </svg>
        <span className="tabular min-w-8 text-end font-semibold">{value.toLocaleString('en-US')}</span>
        {note ? <span className="tabular col-start-2 col-end-4 text-xs text-muted">{note}</span> : null}
      </dd>
    </div>
  )
}
