'use client'

import type { ReactNode } from 'react'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { DialogSheet } from '@/components/ui/dialog-sheet'

type ConfirmDialogProps = {
  title: string
  text: ReactNode
  confirm: string
  keep: string
  isOpen: boolean
  isPending: boolean
  onConfirm: () => void
  onClose: () => void
}

/** Asks for confirmation before an action that cannot be undone. */
export function ConfirmDialog({ title, text, confirm, keep, isOpen, isPending, ...on }: ConfirmDialogProps) {
  return (
    <Dialog open={isOpen} onOpenChange={(open) => (open ? undefined : on.onClose())}>
      <DialogSheet
        title={title}
        description={text}
        footer={
          <>
            <Button variant="outline" onClick={on.onClose}>
              {keep}
            </Button>
            <Button variant="destructive" isBusy={isPending} onClick={on.onConfirm}>
              {confirm}
            </Button>
          </>
        }
      />
    </Dialog>
  )
}
