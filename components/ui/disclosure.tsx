import { ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { cn } from './class-names'

type DisclosureProps = {
  label: ReactNode
  onToggle?: (isOpen: boolean) => void
  className?: string
  children: ReactNode
}

/** A button that opens the content below it. It works before any script has loaded. */
export function Disclosure({ label, onToggle, className, children }: DisclosureProps) {
  return (
    <details
      // Server components cannot pass a listener to an element, so it is set only when `onToggle` is given.
      onToggle={onToggle ? (event) => onToggle(event.currentTarget.open) : undefined}
      className={cn('group rounded-control border border-control/60 bg-surface', className)}
    >
      <summary className="flex min-h-11 cursor-pointer list-none items-center justify-between gap-2 rounded-control px-4 py-2 font-semibold hover:bg-sunken [&::-webkit-details-marker]:hidden">
        <span className="inline-flex items-center gap-2">{label}</span>
        <ChevronDown
          aria-hidden
          className="size-5 shrink-0 text-muted transition-transform duration-150 group-open:rotate-180"
        />
      </summary>
      {children}
    </details>
  )
}
