import { ChevronDown } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'

type FoldProps = Pick<ComponentProps<'summary'>, 'id' | 'ref' | 'aria-describedby'> & {
  /** What is set now, in a few words. */
  line: ReactNode
  isOpen?: boolean
  onToggle?: (isOpen: boolean) => void
  children: ReactNode
}

/**
 * A quiet line of a form that opens further fields below it. It works before any script has loaded. Several of them in
 * a row stand close together.
 */
export function Fold({ line, isOpen, onToggle, children, ...summary }: FoldProps) {
  return (
    <details
      open={isOpen}
      // Server components cannot pass a listener to an element, so it is set only when `onToggle` is given.
      onToggle={onToggle ? (event) => onToggle(event.currentTarget.open) : undefined}
      className="group/fold min-w-0 rounded-control border bg-surface [details+&]:-mt-3"
    >
      <summary
        {...summary}
        className="flex min-h-12 cursor-pointer list-none items-center justify-between gap-3 rounded-control px-4 py-2 text-sm font-medium hover:bg-sunken [&::-webkit-details-marker]:hidden"
      >
        <span className="min-w-0 wrap-anywhere">{line}</span>
        <ChevronDown
          aria-hidden
          className="size-5 shrink-0 text-muted transition-transform duration-150 group-open/fold:rotate-180"
        />
      </summary>
      <div className="grid gap-5 border-t p-4">{children}</div>
    </details>
  )
}
