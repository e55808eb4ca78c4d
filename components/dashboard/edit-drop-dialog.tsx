'use client'

import { zodResolver } from '@hookform/resolvers/zod'
import { Controller, useForm } from 'react-hook-form'
import type { z } from 'zod/mini'
import { Button } from '@/components/ui/button'
import { BuyerLimit } from '@/components/drops/buyer-limit'
import { Dialog } from '@/components/ui/dialog'
import { DialogSheet } from '@/components/ui/dialog-sheet'
import { Input } from '@/components/ui/input'
import { LabelledField } from '@/components/ui/labelled-field'
import { Textarea } from '@/components/ui/textarea'
import { ApiError } from '@/lib/client/call-api'
import { dropTexts } from '@/lib/drops/messages'
import { writeValues } from '@/lib/drops/option-rules'
import { MAX_DESCRIPTION } from '@/lib/drops/rules'
import { type EditDropFields, editDropFormSchema } from '@/lib/drops/schema'
import type { SellerDropView } from '@/lib/drops/view'
import { AddedPictures } from './added-pictures'
import { type DropEdit, useEditDrop } from './use-edit-drop'

type EditDropDialogProps = { drop: SellerDropView; onClose: () => void }

/**
 * Edits what may change while a drop runs. Price, type and end are fixed, because buyers were promised them
 * (docs/product.md#editing-a-live-drop).
 */
export function EditDropDialog({ drop, onClose }: EditDropDialogProps) {
  const isOver = drop.state === 'ended'
  return (
    <Dialog open onOpenChange={(open) => (open ? undefined : onClose())}>
      <DialogSheet
        title="Edit drop"
        description="Price, type and end time can't change while a drop is live."
        footer={
          isOver ? (
            <Button size="lg" variant="outline" onClick={onClose}>
              Close
            </Button>
          ) : (
            <Button form={`edit-${drop.id}`} type="submit" size="lg">
              Save
            </Button>
          )
        }
      >
        <EditForm drop={drop} isOver={isOver} onDone={onClose} />
      </DialogSheet>
    </Dialog>
  )
}

/** This form is mounted when the dialog opens, so that it starts from the current state of the drop. */
function EditForm({ drop, isOver, onDone }: { drop: SellerDropView; isOver: boolean; onDone: () => void }) {
  const { run, isPending, isSignedOut } = useEditDrop(drop.id, onDone)
  const schema = editDropFormSchema(drop.quantity, Boolean(drop.option))
  const { control, handleSubmit, setError } = useForm<z.input<typeof schema>, unknown, DropEdit>({
    resolver: zodResolver(schema),
    defaultValues: {
      ...(drop.option ? { options: writeValues(drop.values) } : { quantity: String(drop.quantity) }),
      description: drop.description,
      maxPerBuyer: String(drop.maxPerBuyer ?? ''),
      images: [],
    },
  })
  const save = handleSubmit((typed) => {
    if (isPending || isOver) return
    const edit = changesOf(drop, typed)
    if (Object.keys(edit).length === 0 && typed.images.length === 0) return onDone()
    const atTheField = (error: unknown) => {
      if (!(error instanceof ApiError) || error.field !== 'options') return
      setError('options', { message: error.text }, { shouldFocus: true })
    }
    run({ ...edit, images: typed.images }, { onError: atTheField })
  })

  return (
    <form id={`edit-${drop.id}`} noValidate onSubmit={(event) => void save(event)} className="grid gap-5 py-1">
      {/* The container is there from the start, so that screen readers announce what is put into it. */}
      <div role="status" className="text-sm font-medium text-bad empty:-mb-5">
        {isOver ? <p>{dropTexts.endedWhileEdited}</p> : isSignedOut && !isPending ? <LogInFirst /> : null}
      </div>
      {drop.option ? (
        <LabelledField
          control={control}
          name="options"
          id={`edit-options-${drop.id}`}
          label={`${drop.option.name} with units`}
          hint={optionsHint(drop)}
        >
          {({ value, ...field }) => <Input {...field} value={String(value)} autoComplete="off" />}
        </LabelledField>
      ) : (
        <LabelledField
          control={control}
          name="quantity"
          id={`edit-quantity-${drop.id}`}
          label="Quantity"
          hint={`${drop.sold} sold so far. You can only increase it.`}
        >
          {({ value, ...field }) => <Input {...field} value={String(value)} inputMode="numeric" autoComplete="off" />}
        </LabelledField>
      )}
      <LabelledField control={control} name="description" id={`edit-description-${drop.id}`} label="Description">
        {(field) => <Textarea {...field} rows={5} maxLength={MAX_DESCRIPTION} />}
      </LabelledField>
      <Controller
        control={control}
        name="maxPerBuyer"
        render={({ field }) => (
          <BuyerLimit id={`edit-limit-${drop.id}`} value={String(field.value ?? '')} onChange={field.onChange} />
        )}
      />
      <Controller
        control={control}
        name="images"
        render={({ field }) => <AddedPictures existing={drop.images} added={field.value} onChange={field.onChange} />}
      />
      {isPending ? <p className="text-sm text-muted">Saving...</p> : null}
    </form>
  )
}

/** Before the first sale all choices can change. Afterwards the hint says how many units of each choice were sold. */
function optionsHint({ purchases, values }: SellerDropView): string {
  if (purchases === 0) return 'You can change, add and remove choices until the first sale.'
  const sold = values.filter((value) => value.sold > 0).map((value) => `${value.value} ${value.sold}`)
  return `Sold so far: ${sold.join(', ') || 'none in this run'}. You can only increase the units.`
}

/** Only what changed is sent. */
function changesOf(drop: SellerDropView, typed: EditDropFields): EditDropFields {
  const { quantity, options, description, maxPerBuyer } = typed
  return {
    ...(quantity === undefined || quantity === drop.quantity ? {} : { quantity }),
    ...(options && writeValues(options) !== writeValues(drop.values) ? { options } : {}),
    ...(description === drop.description ? {} : { description }),
    ...((maxPerBuyer ?? null) === drop.maxPerBuyer ? {} : { maxPerBuyer }),
  }
}

/** The login opens in a new tab, so that what was typed stays here. */
function LogInFirst() {
  return (
    <p>
      Your session has ended. Please{' '}
      <a href="/login" target="_blank" rel="noopener" className="underline underline-offset-4">
        log in again
        <span className="sr-only"> in a new tab</span>
      </a>{' '}
      and save again. What you typed stays here.
    </p>
  )
}
