'use client'

import type { ComponentProps, ReactNode } from 'react'
import { cn } from './class-names'
import { DialogCloseButton, DialogContent, DialogDescription, DialogFooter, DialogHeader, DialogTitle } from './dialog'

type DialogSheetProps = Omit<ComponentProps<typeof DialogContent>, 'title' | 'showCloseButton'> & {
  title: string
  /** Shown below the title. Without it the dialog has no description. */
  description?: ReactNode
  /** The buttons, which stay at the lower edge while the rest scrolls. */
  footer?: ReactNode
}

/** A dialog whose content scrolls between a fixed title with the close button and a fixed footer. */
export function DialogSheet({ title, description, footer, className, children, ...props }: DialogSheetProps) {
  return (
    <DialogContent
      {...(description ? {} : { 'aria-describedby': undefined })}
      showCloseButton={false}
      className={cn('gap-0 overflow-y-visible p-0', className)}
      {...props}
    >
      <div className="flex items-start justify-between gap-3 px-5 pt-4 pb-3 low:pt-2 low:pb-1">
        <DialogHeader className="min-w-0">
          <DialogTitle>{title}</DialogTitle>
          {description ? <DialogDescription>{description}</DialogDescription> : null}
        </DialogHeader>
        <DialogCloseButton className="-me-2" />
      </div>
      <div className={cn('overflow-y-auto overscroll-contain px-5', footer ? 'pb-5' : 'pb-safe')}>{children}</div>
      {footer ? <DialogFooter className="pb-safe border-t px-5 pt-4 low:pt-2">{footer}</DialogFooter> : null}
    </DialogContent>
  )
}
