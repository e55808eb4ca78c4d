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
        description={`${drop.title} ends and is hidden everywhere. You can restore the drop later.`}
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
        <p className="pb-2 text-sm text-muted">We close unpaid checkouts. Paid orders are kept.</p>
      </DialogSheet>
    </Dialog>
  )
}
