'use client'

import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import { type ComponentProps, type ReactNode, useRef } from 'react'
import { useBackCloses } from '@/lib/client/use-back-closes'
import { cn } from './class-names'

type DialogProps = { open: boolean; onOpenChange: (isOpen: boolean) => void; children: ReactNode }

/** A dialog that its button, Escape, a tap outside and the browser's Back close. */
export function Dialog({ open, onOpenChange, children }: DialogProps) {
  useBackCloses(open, () => onOpenChange(false))
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      {children}
    </Radix.Root>
  )
}

type DialogContentProps = Omit<ComponentProps<typeof Radix.Content>, 'title'> & {
  title: string
  /** Shown below the title. Without it, the content describes the dialog. */
  description?: ReactNode
  /** Stays at the lower edge while the rest scrolls, so that the next step is always in view. */
  footer?: ReactNode
}

/** A bottom sheet on phones and a centred dialog on wider screens (docs/product.md#phones-first). */
export function DialogContent({ title, description, footer, className, children, ...props }: DialogContentProps) {
  const opener = useRef<Element | null>(null)
  return (
    <Radix.Portal>
      <Radix.Overlay className="fixed inset-0 z-40 bg-black/50 data-[state=closed]:animate-out data-[state=closed]:fade-out data-[state=open]:animate-in data-[state=open]:fade-in" />
      <Radix.Content
        {...(description ? {} : { 'aria-describedby': undefined })}
        // The dialog itself takes the focus: its title is read first, no keyboard opens, and no button looks selected.
        onOpenAutoFocus={(event) => {
          event.preventDefault()
          opener.current = document.activeElement
          if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus()
        }}
        // Returns the focus to the element that opened the dialog. Radix does so only for its own triggers.
        onCloseAutoFocus={(event) => {
          event.preventDefault()
          if (opener.current instanceof HTMLElement) opener.current.focus()
        }}
        className={cn(
          'fixed inset-x-0 bottom-0 z-40 flex max-h-[90dvh] flex-col rounded-t-card border-t bg-surface shadow-card outline-none',
          'md:inset-x-auto md:top-1/2 md:bottom-auto md:left-1/2 md:max-h-[85dvh] md:w-full md:max-w-lg md:-translate-x-1/2 md:-translate-y-1/2 md:rounded-card md:border',
          'duration-200 data-[state=closed]:animate-out data-[state=closed]:fade-out data-[state=open]:animate-in data-[state=open]:fade-in max-md:data-[state=closed]:slide-out-to-bottom-8 max-md:data-[state=open]:slide-in-from-bottom-8',
          className,
        )}
        {...props}
      >
        <div className="flex items-start justify-between gap-3 px-5 pt-4 pb-3">
          <div className="grid gap-1 pt-1.5">
            <Radix.Title className="text-2xl font-bold">{title}</Radix.Title>
            {description ? <Radix.Description className="text-sm text-muted">{description}</Radix.Description> : null}
          </div>
          <Radix.Close
            aria-label="Close"
            className="-me-2 grid size-11 shrink-0 place-items-center rounded-control text-muted hover:bg-sunken hover:text-ink"
          >
            <X aria-hidden className="size-5" />
          </Radix.Close>
        </div>
        <div className={cn('overflow-y-auto overscroll-contain px-5', footer ? 'pb-5' : 'pb-safe')}>{children}</div>
        {footer ? (
          <div className="pb-safe flex flex-wrap justify-end gap-3 border-t px-5 pt-4 max-md:*:flex-1">{footer}</div>
        ) : null}
      </Radix.Content>
    </Radix.Portal>
  )
}
