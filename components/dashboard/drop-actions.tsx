'use client'

import { CircleStop, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { isAhead } from '@/lib/drops/rules'
import type { SellerDropView } from '@/lib/drops/view'
import { ConfirmDialog } from './confirm-dialog'
import { useDeleteDrop } from './use-delete-drop'
import { useEndDrop } from './use-end-drop'

const endTexts = (title: string) => ({
  button: 'End early',
  title: 'End this drop now?',
  text: `New orders for ${title} stop now. Anyone already checking out can finish. You can relaunch it in 24 hours.`,
  keep: 'Keep it live',
  confirm: 'End now',
})

const cancelTexts = (title: string) => ({
  button: 'Cancel start',
  title: 'Cancel this start?',
  text: `${title} won't start, and its page says so. Its place on your plan is free right away. You can launch it with the same link in 24 hours.`,
  keep: 'Keep the start',
  confirm: 'Cancel start',
})

/** The actions that a seller may take on a running drop. */
export function DropActions({ drop, onEdit }: { drop: SellerDropView; onEdit: () => void }) {
  const [open, setOpen] = useState<'end' | 'delete' | null>(null)
  const close = () => setOpen(null)
  const end = useEndDrop(drop.id, isAhead(drop), close)
  const removal = useDeleteDrop(drop.id, close)
  const texts = isAhead(drop) ? cancelTexts(drop.title) : endTexts(drop.title)
  return (
    <div className="-mx-2 -mb-2 flex flex-wrap justify-between gap-1 border-t pt-2">
      <Button variant="ghost" size="sm" onClick={onEdit}>
        <Pencil aria-hidden />
        Edit
      </Button>
      <Button variant="ghost" size="sm" onClick={() => setOpen('end')}>
        <CircleStop aria-hidden />
        {texts.button}
      </Button>
      <Button variant="ghost" size="sm" onClick={() => setOpen('delete')}>
        <Trash2 aria-hidden />
        Delete
      </Button>
      <ConfirmDialog
        title={texts.title}
        text={texts.text}
        keep={texts.keep}
        confirm={texts.confirm}
        isOpen={open === 'end'}
        isPending={end.isPending}
        onConfirm={() => end.run()}
        onClose={close}
      />
      <ConfirmDialog
        title="Delete this drop?"
        text={`${drop.title} and its link are deleted permanently. Buyers keep their orders.`}
        keep="Keep it"
        confirm="Delete"
        isOpen={open === 'delete'}
        isPending={removal.isPending}
        onConfirm={() => removal.run()}
        onClose={close}
      />
    </div>
  )
}
