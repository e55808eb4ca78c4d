import { ChevronDown } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { cn } from './class-names'

type DisclosureProps = {
  label: ReactNode
  /** Opens or closes the content from outside. Without it, only the button does. */
  isOpen?: boolean | undefined
  onToggle?: ((isOpen: boolean) => void) | undefined
  className?: string
  /** The attributes of the button. */
  summary?: ComponentProps<'summary'>
  children: ReactNode
}

/** A button that opens the content below it. It works before any script has loaded. */
export function Disclosure({ label, isOpen, onToggle, className, summary, children }: DisclosureProps) {
  return (
    <details
      open={isOpen}
      // Server components cannot pass a listener to an element, so it is set only when `onToggle` is given.
      onToggle={onToggle ? (event) => onToggle(event.currentTarget.open) : undefined}
      className={cn('rounded-control border border-control/60 bg-surface [&[open]>summary>svg]:rotate-180', className)}
    >
      <summary
        {...summary}
        className={cn(
          'flex min-h-11 cursor-pointer list-none items-center justify-between gap-2 rounded-control px-4 py-2 font-semibold hover:bg-sunken [&::-webkit-details-marker]:hidden',
          summary?.className,
        )}
      >
        <span className="inline-flex min-w-0 items-center gap-2 wrap-anywhere">{label}</span>
        <ChevronDown aria-hidden className="size-5 shrink-0 text-muted transition-transform duration-150" />
      </summary>
      {children}
    </details>
  )
}
