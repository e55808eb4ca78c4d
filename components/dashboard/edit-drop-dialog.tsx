'use client'

import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { type Control, Controller, useController, useForm } from 'react-hook-form'
import { Button } from '@/components/ui/button'
import { BuyerLimit } from '@/components/drops/buyer-limit'
import { Dialog } from '@/components/ui/dialog'
import { DialogSheet } from '@/components/ui/dialog-sheet'
import { Input } from '@/components/ui/input'
import { LabelledField } from '@/components/ui/labelled-field'
import { Textarea } from '@/components/ui/textarea'
import { ApiError, failureText } from '@/lib/client/call-api'
import { dropTexts } from '@/lib/drops/messages'
import { writeValues } from '@/lib/drops/option-rules'
import { isAhead, MAX_DESCRIPTION } from '@/lib/drops/rules'
import { type EditDropFields, type EditDropForm, editDropFormSchema } from '@/lib/drops/schema'
import type { SellerDropView } from '@/lib/drops/view'
import { AddedPictures } from './added-pictures'
import { changesOf, earlyChangesOf, earlyValues } from './changes-of'
import { ScheduledFields } from './scheduled-fields'
import { useEditDrop } from './use-edit-drop'

type EditDropDialogProps = { drop: SellerDropView; timezone: string; onClose: () => void }

/**
 * Edits what may change while a drop runs. Price, type and end are fixed, because buyers were promised them
 * (docs/product.md#editing-a-live-drop). Until a scheduled drop starts, they can be edited, too.
 */
export function EditDropDialog({ drop, timezone, onClose }: EditDropDialogProps) {
  const isOver = drop.state === 'ended'
  return (
    <Dialog open onOpenChange={(open) => (open ? undefined : onClose())}>
      <DialogSheet
        title="Edit drop"
        description={
          isAhead(drop)
            ? 'Name, price, type, start and photos can change until the start.'
            : "Price, type and end time can't change while a drop is live."
        }
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
        <EditForm drop={drop} timezone={timezone} isOver={isOver} onDone={onClose} />
      </DialogSheet>
    </Dialog>
  )
}

type EditFormProps = { drop: SellerDropView; timezone: string; isOver: boolean; onDone: () => void }

type EditedDrop = EditDropFields & { images: File[] }

type EditControl = Control<EditDropForm, unknown, EditedDrop>

/** This form is mounted when the dialog opens, so that it starts from the current state of the drop. */
function EditForm({ drop, timezone, isOver, onDone }: EditFormProps) {
  // The fields stay as they are while somebody types, also when the drop starts or another tab changes it meanwhile.
  const [opened] = useState(drop)
  const isScheduled = isAhead(opened)
  const { run, isPending, isSignedOut } = useEditDrop(drop.id, onDone)
  const schema = editDropFormSchema(isScheduled ? 1 : opened.quantity, Boolean(drop.option))
  const { control, handleSubmit, setError } = useForm<EditDropForm, unknown, EditedDrop>({
    resolver: zodResolver(schema),
    defaultValues: {
      ...(drop.option ? { options: writeValues(drop.values) } : { quantity: String(drop.quantity) }),
      description: drop.description,
      maxPerBuyer: String(drop.maxPerBuyer ?? ''),
      images: [],
      ...(isScheduled ? earlyValues(drop, timezone) : {}),
    },
  })
  const save = handleSubmit((typed) => {
    if (isPending || isOver) return
    const early = isScheduled ? earlyChangesOf({ opened, current: drop }, typed, timezone) : {}
    const edit = { ...changesOf(opened, typed), ...early }
    if (Object.keys(edit).length === 0 && typed.images.length === 0) return onDone()
    const atTheField = (error: unknown) => {
      const field = error instanceof ApiError ? FIELDS_OF_SERVER.find((name) => name === error.field) : undefined
      if (field) setError(field, { message: failureText(error) }, { shouldFocus: true })
    }
    run({ ...edit, images: typed.images }, { onError: atTheField })
  })

  return (
    <form id={`edit-${drop.id}`} noValidate onSubmit={(event) => void save(event)} className="grid gap-5 py-1">
      {/* The container is there from the start, so that screen readers announce what is put into it. */}
      <div role="status" className="text-sm font-medium text-bad empty:-mb-5">
        {isOver ? <p>{dropTexts.endedWhileEdited}</p> : isSignedOut && !isPending ? <LogInFirst /> : null}
      </div>
      {isScheduled ? (
        <ScheduledFields
          control={control}
          dropId={drop.id}
          timezone={timezone}
          hasFile={drop.productType === 'digital'}
        />
      ) : null}
      <StockField control={control} drop={drop} isScheduled={isScheduled} />
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
      <Pictures control={control} drop={isScheduled ? opened : drop} />
      {isPending ? <p className="text-sm text-muted">Saving...</p> : null}
    </form>
  )
}

type FieldProps = { control: EditControl; drop: SellerDropView }

/** The units: of the choices, or of the drop. */
function StockField({ control, drop, isScheduled }: FieldProps & { isScheduled: boolean }) {
  return drop.option ? (
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
      hint={isScheduled ? undefined : `${drop.sold} sold so far. You can only increase it.`}
    >
      {({ value, ...field }) => <Input {...field} value={String(value)} inputMode="numeric" autoComplete="off" />}
    </LabelledField>
  )
}

/** The pictures. Until a scheduled drop starts, those it has can be removed, too. */
function Pictures({ control, drop }: FieldProps) {
  const { field: images } = useController({ control, name: 'images' })
  const { field: keepImages } = useController({ control, name: 'keepImages' })
  const kept = Array.isArray(keepImages.value) ? (keepImages.value as string[]) : null
  return (
    <AddedPictures
      existing={drop.images.filter(({ src }) => kept === null || kept.includes(src))}
      added={images.value}
      onChange={images.onChange}
      onRemove={kept ? ({ src }) => keepImages.onChange(kept.filter((other) => other !== src)) : undefined}
    />
  )
}

/** Before the first sale all choices can change. Afterwards the hint says how many units of each choice were sold. */
function optionsHint({ purchases, values }: SellerDropView): string {
  if (purchases === 0) return 'You can change, add and remove choices until the first sale.'
  const sold = values.filter((value) => value.sold > 0).map((value) => `${value.value} ${value.sold}`)
  return `Sold so far: ${sold.join(', ') || 'none in this run'}. You can only increase the units.`
}

/** The fields of which the server says what is wrong with them. */
const FIELDS_OF_SERVER = ['options', 'startsAt', 'productType', 'digitalFileUrl', 'price', 'title', 'quantity'] as const

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
