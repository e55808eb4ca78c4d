'use client'

import { CircleStop, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { openTexts } from '@/lib/drops/editions/open-messages'
import { isAhead } from '@/lib/drops/rules'
import type { SellerDropView } from '@/lib/drops/view'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { useDeleteDrop } from './use-delete-drop'
import { useEndDrop } from './use-end-drop'

const endTexts = ({ title, isOpenEdition }: SellerDropView) => ({
  button: 'End early',
  title: 'End this drop now?',
  text: `New orders for ${title} stop now. Anyone already checking out can finish. ${isOpenEdition ? openTexts.endHint : 'You can relaunch the drop in 24 hours.'}`,
  keep: 'Keep it live',
  confirm: 'End now',
})

const cancelTexts = ({ title, isOpenEdition }: SellerDropView) => ({
  button: 'Cancel start',
  title: 'Cancel this launch?',
  text: `${title} won't start, and its page says so. The drop stops counting toward your plan's active drops right away. ${isOpenEdition ? openTexts.cancelHint : 'You can launch it with the same link in 24 hours.'}`,
  keep: 'Keep it scheduled',
  confirm: 'Cancel start',
})

/**
 * Shows the buttons that end or delete an active drop. Before its start, a drop is canceled instead of ended.
 */
export function DropActions({ drop }: { drop: SellerDropView }) {
  const [open, setOpen] = useState<'end' | 'delete' | null>(null)
  const close = () => setOpen(null)
  const end = useEndDrop(drop, isAhead(drop), close)
  const removal = useDeleteDrop(drop.id, close)
  const texts = isAhead(drop) ? cancelTexts(drop) : endTexts(drop)
  return (
    <div className="-mx-2 -mb-2 flex flex-wrap justify-between gap-1 border-t pt-2">
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
