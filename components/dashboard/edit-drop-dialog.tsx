'use client'

import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { Dialog, DialogContent } from '@/components/ui/dialog'
import { BuyerLimit } from '@/components/drops/buyer-limit'
import { describedBy, Field } from '@/components/ui/field'
import { Input, Textarea } from '@/components/ui/input'
import { dropTexts } from '@/lib/drops/messages'
import { MAX_DESCRIPTION } from '@/lib/drops/rules'
import { editDropSchema } from '@/lib/drops/schema'
import type { SellerDropView } from '@/lib/drops/view'
import { AddedPictures } from './added-pictures'
import { type DropEdit, useEditDrop } from './use-edit-drop'

type EditDropDialogProps = { drop: SellerDropView; onClose: () => void }
type Errors = { quantity?: string; description?: string }

/**
 * Edits what may change while a drop runs. Price, type and end are fixed, because buyers were promised them
 * (docs/product.md#editing-a-live-drop).
 */
export function EditDropDialog({ drop, onClose }: EditDropDialogProps) {
  const isOver = drop.state === 'ended'
  return (
    <Dialog open onOpenChange={(open) => (open ? undefined : onClose())}>
      <DialogContent
        title="Edit drop"
        description="Price, type and end stay as your buyers saw them."
        footer={
          isOver ? (
            <Button size="large" variant="outline" onClick={onClose}>
              Close
            </Button>
          ) : (
            <Button form={`edit-${drop.id}`} type="submit" size="large">
              Save
            </Button>
          )
        }
      >
        <EditForm drop={drop} isOver={isOver} onDone={onClose} />
      </DialogContent>
    </Dialog>
  )
}

/** This form is mounted when the dialog opens, so that it starts from the current state of the drop. */
function EditForm({ drop, isOver, onDone }: { drop: SellerDropView; isOver: boolean; onDone: () => void }) {
  const [quantity, setQuantity] = useState(String(drop.quantity))
  const [description, setDescription] = useState(drop.description)
  const [maxPerBuyer, setMaxPerBuyer] = useState(String(drop.maxPerBuyer ?? ''))
  const [images, setImages] = useState<File[]>([])
  const [errors, setErrors] = useState<Errors>({})
  const { run, isPending, isSignedOut } = useEditDrop(drop.id, onDone)
  const ids = { quantity: `edit-quantity-${drop.id}`, description: `edit-description-${drop.id}` }

  function save(event: React.FormEvent) {
    event.preventDefault()
    const edit = readEdit(drop, { quantity, description, maxPerBuyer, images })
    setErrors('errors' in edit ? edit.errors : {})
    if ('errors' in edit || isPending || isOver) return
    if (Object.keys(edit.fields).length === 0 && images.length === 0) return onDone()
    run({ ...edit.fields, images })
  }

  return (
    <form id={`edit-${drop.id}`} noValidate onSubmit={save} className="grid gap-5 py-1">
      {/* The element exists from the start, because screen readers announce only what is added to an existing
          status element. */}
      <div role="status" className="text-sm font-medium text-bad empty:-mb-5">
        {isOver ? <p>{dropTexts.endedWhileEdited}</p> : isSignedOut && !isPending ? <LogInFirst /> : null}
      </div>
      <Field
        id={ids.quantity}
        label="Quantity"
        hint={`${drop.sold} sold so far. It can only be raised.`}
        error={errors.quantity}
      >
        <Input
          id={ids.quantity}
          inputMode="numeric"
          autoComplete="off"
          value={quantity}
          aria-invalid={errors.quantity ? true : undefined}
          aria-describedby={describedBy(ids.quantity, { hint: true, error: Boolean(errors.quantity) })}
          onChange={(event) => setQuantity(event.target.value)}
        />
      </Field>
      <Field id={ids.description} label="Description" error={errors.description}>
        <Textarea
          id={ids.description}
          rows={5}
          maxLength={MAX_DESCRIPTION}
          value={description}
          aria-invalid={errors.description ? true : undefined}
          aria-describedby={describedBy(ids.description, { error: Boolean(errors.description) })}
          onChange={(event) => setDescription(event.target.value)}
        />
      </Field>
      <BuyerLimit id={`edit-limit-${drop.id}`} value={maxPerBuyer} onChange={setMaxPerBuyer} />
      <AddedPictures existing={drop.images} added={images} onChange={setImages} />
      {isPending ? <p className="text-sm text-muted">Saving...</p> : null}
    </form>
  )
}

/** Opens in a new tab, so that what was typed here is kept. */
function LogInFirst() {
  return (
    <p>
      Your session has ended. Please{' '}
      <a href="/login" target="_blank" rel="noopener" className="underline underline-offset-4">
        log in again
        <span className="sr-only"> in a new tab</span>
      </a>{' '}
      and save once more. What you typed stays here.
    </p>
  )
}

type Typed = { quantity: string; description: string; maxPerBuyer: string; images: File[] }

/** Returns only the fields that changed. */
function readEdit(drop: SellerDropView, typed: Typed): { fields: Omit<DropEdit, 'images'> } | { errors: Errors } {
  const { images: _images, ...fields } = typed
  const input = editDropSchema.safeParse(fields)
  if (!input.success) {
    const textOf = (field: keyof Errors) => input.error.issues.find(({ path }) => path[0] === field)?.message
    return { errors: { quantity: textOf('quantity'), description: textOf('description') } }
  }
  const { quantity, description, maxPerBuyer } = input.data
  if (quantity !== undefined && quantity < drop.quantity) return { errors: { quantity: dropTexts.quantityLower } }
  return {
    fields: {
      ...(quantity === drop.quantity ? {} : { quantity }),
      ...(description === drop.description ? {} : { description }),
      ...(maxPerBuyer === drop.maxPerBuyer ? {} : { maxPerBuyer }),
    },
  }
}
