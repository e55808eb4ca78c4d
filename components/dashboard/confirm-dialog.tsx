'use client'

import type { ReactNode } from 'react'
import { Button } from '@/components/ui/button'
import { Dialog, DialogContent } from '@/components/ui/dialog'

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

/** Asks once more before something that cannot be taken back. */
export function ConfirmDialog({ title, text, confirm, keep, isOpen, isPending, ...on }: ConfirmDialogProps) {
  return (
    <Dialog open={isOpen} onOpenChange={(open) => (open ? undefined : on.onClose())}>
      <DialogContent
        title={title}
        description={text}
        footer={
          <>
            <Button variant="outline" onClick={on.onClose}>
              {keep}
            </Button>
            <Button variant="destructive" disabled={isPending} onClick={on.onConfirm}>
              {confirm}
            </Button>
          </>
        }
      />
    </Dialog>
  )
}
