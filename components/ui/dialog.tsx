'use client'

import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import { type ComponentProps, useRef, useState } from 'react'
import { useBackCloses } from '@/lib/client/use-back-closes'
import { cn } from './class-names'

export const DialogTrigger = Radix.Trigger
export const DialogPortal = Radix.Portal
export const DialogClose = Radix.Close

/** A dialog is closed by its button, the Escape key, a tap beside it or the browser's back button. */
export function Dialog({ open, defaultOpen = false, onOpenChange, ...props }: ComponentProps<typeof Radix.Root>) {
  const [isOpenHere, setIsOpenHere] = useState(defaultOpen)
  const isOpen = open ?? isOpenHere
  const change = (wanted: boolean) => {
    setIsOpenHere(wanted)
    onOpenChange?.(wanted)
  }
  useBackCloses(isOpen, () => change(false))
  return <Radix.Root open={isOpen} onOpenChange={change} {...props} />
}

export function DialogOverlay({ className, ...props }: ComponentProps<typeof Radix.Overlay>) {
  return (
    <Radix.Overlay
      data-slot="dialog-overlay"
      className={cn(
        'fixed inset-0 z-40 bg-black/50 data-[state=closed]:animate-out data-[state=closed]:fade-out data-[state=open]:animate-in data-[state=open]:fade-in',
        className,
      )}
      {...props}
    />
  )
}

type DialogContentProps = ComponentProps<typeof Radix.Content> & { showCloseButton?: boolean }

/** Opens as a sheet at the lower edge of phones, and centered on wider screens (docs/product.md#phones-first). */
export function DialogContent({ className, children, showCloseButton = true, ...props }: DialogContentProps) {
  const opener = useRef<Element | null>(null)
  return (
    <DialogPortal>
      <DialogOverlay />
      <Radix.Content
        data-slot="dialog-content"
        // The dialog itself takes the focus, so that screen readers read its title first, a phone opens no keyboard,
        // and no button looks selected.
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
          'fixed inset-x-0 bottom-0 z-40 flex max-h-[90dvh] flex-col gap-4 overflow-y-auto rounded-t-card border-t bg-surface p-5 shadow-card outline-none',
          'md:inset-x-auto md:top-1/2 md:bottom-auto md:left-1/2 md:max-h-[85dvh] md:w-full md:max-w-lg md:-translate-x-1/2 md:-translate-y-1/2 md:rounded-card md:border',
          'duration-200 data-[state=closed]:animate-out data-[state=closed]:fade-out data-[state=open]:animate-in data-[state=open]:fade-in max-md:data-[state=closed]:slide-out-to-bottom-8 max-md:data-[state=open]:slide-in-from-bottom-8',
          className,
        )}
        {...props}
      >
        {children}
        {showCloseButton ? <DialogCloseButton className="absolute top-4 end-3" /> : null}
      </Radix.Content>
    </DialogPortal>
  )
}

export function DialogCloseButton({ className }: { className?: string }) {
  return (
    <DialogClose
      aria-label="Close"
      className={cn(
        'grid size-11 shrink-0 place-items-center rounded-control text-muted hover:bg-sunken hover:text-ink',
        className,
      )}
    >
      <X aria-hidden className="size-5" />
    </DialogClose>
  )
}

export function DialogHeader({ className, ...props }: ComponentProps<'div'>) {
  return <div data-slot="dialog-header" className={cn('grid gap-1 pt-1.5', className)} {...props} />
}

export function DialogFooter({ className, ...props }: ComponentProps<'div'>) {
  return (
    <div
      data-slot="dialog-footer"
      className={cn('flex flex-wrap justify-end gap-3 max-md:*:flex-1', className)}
      {...props}
    />
  )
}

export function DialogTitle({ className, ...props }: ComponentProps<typeof Radix.Title>) {
  return <Radix.Title data-slot="dialog-title" className={cn('text-2xl font-bold', className)} {...props} />
}

export function DialogDescription({ className, ...props }: ComponentProps<typeof Radix.Description>) {
  return <Radix.Description data-slot="dialog-description" className={cn('text-sm text-muted', className)} {...props} />
}
