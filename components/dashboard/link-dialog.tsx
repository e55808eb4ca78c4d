'use client'

import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { DialogSheet } from '@/components/ui/dialog-sheet'
import { ApiError, failureText } from '@/lib/client/call-api'
import { type EditDropForm, type EditedDrop, editDropFormSchema } from '@/lib/drops/edit-schema'
import type { SellerDropView } from '@/lib/drops/view'
import { changesOf } from './changes-of'
import { LinkField } from './link-field'
import { useEditDrop } from './use-edit-drop'

const schema = editDropFormSchema(1, { hasOption: true, isScheduled: false })

/** Replaces the link of a digital drop that has ended, for the case that the old link stopped working. */
export function LinkDialog({ drop, onClose }: { drop: SellerDropView; onClose: () => void }) {
  const { run, isPending } = useEditDrop(drop.id, onClose)
  const { control, handleSubmit, setError } = useForm<EditDropForm, unknown, EditedDrop>({
    resolver: zodResolver(schema),
    defaultValues: { digitalFileUrl: drop.digitalFileUrl ?? '', images: [], digitalFile: null },
  })
  const save = handleSubmit((typed) => {
    const { digitalFileUrl } = changesOf(drop, {
      ...typed,
      description: drop.description,
      maxPerBuyer: drop.maxPerBuyer,
    })
    if (!digitalFileUrl) return onClose()
    const showAtField = (error: unknown) => {
      if (!(error instanceof ApiError) || error.field !== 'digitalFileUrl') return
      setError('digitalFileUrl', { message: failureText(error) }, { shouldFocus: true })
    }
    run({ digitalFileUrl, images: [] }, { onError: showAtField })
  })
  return (
    <Dialog open onOpenChange={(open) => (open || isPending ? undefined : onClose())}>
      <DialogSheet
        title="Change the link"
        description={`${drop.title} has ended. Its buyers keep their order pages, and these show the new link.`}
        footer={
          <Button form={`link-${drop.id}`} type="submit" size="lg" isBusy={isPending}>
            {isPending ? 'Saving…' : 'Save'}
          </Button>
        }
      >
        <form id={`link-${drop.id}`} noValidate onSubmit={(event) => void save(event)} className="py-1">
          <LinkField control={control} dropId={drop.id} current="link" />
        </form>
      </DialogSheet>
    </Dialog>
  )
}
