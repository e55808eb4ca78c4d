'use client'

import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { DialogSheet } from '@/components/ui/dialog-sheet'
import type { AdminDropView } from '@/lib/admin/view'

type DeleteDropProps = { drop: AdminDropView; isBusy: boolean; onConfirm: () => void; onClose: () => void }

export function DeleteDrop({ drop, isBusy, onConfirm, onClose }: DeleteDropProps) {
  return (
    <Dialog open onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}>
      <DialogSheet
        title="Delete this drop?"
        description={`${drop.title} ends and is hidden everywhere. Orders stay; it can be restored.`}
        footer={
          <>
            <Button variant="ghost" onClick={onClose}>
              Keep it
            </Button>
            <Button variant="outlineDestructive" disabled={isBusy} onClick={onConfirm}>
              Delete drop
            </Button>
          </>
        }
      >
        <p className="pb-2 text-sm text-muted">Unpaid checkouts are closed. What was paid is honoured.</p>
      </DialogSheet>
    </Dialog>
  )
}
