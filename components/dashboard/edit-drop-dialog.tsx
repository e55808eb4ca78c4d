'use client'

import { zodResolver } from '@hookform/resolvers/zod'
import { useEffect, useState } from 'react'
import { type Control, Controller, useController, useForm } from 'react-hook-form'
import { Button } from '@/components/ui/button'
import { BuyerLimit } from '@/components/drops/buyer-limit'
import { Dialog } from '@/components/ui/dialog'
import { DialogSheet } from '@/components/ui/dialog-sheet'
import { LabeledField } from '@/components/ui/labeled-field'
import { Textarea } from '@/components/ui/textarea'
import { ApiError, failureText } from '@/lib/client/call-api'
import { dropTexts } from '@/lib/drops/messages'
import { isAhead, MAX_DESCRIPTION } from '@/lib/drops/rules'
import { type EditDropForm, type EditedDrop, editDropFormSchema } from '@/lib/drops/edit-schema'
import type { SellerDropView } from '@/lib/drops/view'
import { AddedPictures } from './added-pictures'
import { changesOf, beforeStartChangesOf, beforeStartValues, stockValues } from './changes-of'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { DeliveryFields } from './delivery-fields'
import { LinkField } from './link-field'
import { ScheduledFields } from './scheduled-fields'
import { StockFields } from './stock-fields'
import { useEditDrop } from './use-edit-drop'

type EditDropDialogProps = { drop: SellerDropView; timezone: string; onClose: () => void }

/**
 * Edits a drop. While it runs, its name, price, type and end are fixed, because they were promised to buyers
 * (docs/product.md#editing-a-live-drop). Until a scheduled drop starts, these fields, its choices and the start can
 * also be edited, and photos can be removed and moved.
 */
export function EditDropDialog({ drop, timezone, onClose }: EditDropDialogProps) {
  const isOver = drop.state === 'ended'
  const edit = useEditDrop(drop.id, onClose)
  const isSaving = edit.isPending
  const [isDirty, setIsDirty] = useState(false)
  const [isAsking, setIsAsking] = useState(false)
  // A tap beside the sheet or the browser's back button must not lose what was typed.
  const close = () => {
    if (isSaving) return
    if (isDirty && !isOver) setIsAsking(true)
    else onClose()
  }
  return (
    <Dialog open onOpenChange={(open) => (open ? undefined : close())}>
      <DialogSheet
        title="Edit drop"
        description={
          isAhead(drop)
            ? 'You can change the name, price, type, choices, start and photos until the start.'
            : "You can't change the price, type or end time while a drop is live."
        }
        footer={
          isOver ? (
            <Button size="lg" variant="outline" onClick={onClose}>
              Close
            </Button>
          ) : (
            <Button form={`edit-${drop.id}`} type="submit" size="lg" isBusy={isSaving}>
              {isSaving ? 'Saving…' : 'Save'}
            </Button>
          )
        }
      >
        <EditForm drop={drop} timezone={timezone} isOver={isOver} edit={edit} onDirty={setIsDirty} onDone={onClose} />
      </DialogSheet>
      <ConfirmDialog
        title="Discard your changes?"
        text="What you changed in this drop isn't saved yet."
        confirm="Discard"
        keep="Keep editing"
        isOpen={isAsking}
        isPending={false}
        onConfirm={onClose}
        onClose={() => setIsAsking(false)}
      />
    </Dialog>
  )
}

type EditFormProps = {
  drop: SellerDropView
  timezone: string
  isOver: boolean
  edit: ReturnType<typeof useEditDrop>
  onDirty: (isDirty: boolean) => void
  onDone: () => void
}

type EditControl = Control<EditDropForm, unknown, EditedDrop>

/** This form is mounted when the dialog opens, so that it starts from the current state of the drop. */
function EditForm({ drop, timezone, isOver, edit, onDirty, onDone }: EditFormProps) {
  // `opened` stays the same while the seller types, even when the drop starts or is edited in another tab.
  const [opened] = useState(drop)
  const isScheduled = isAhead(opened)
  const { run, isPending, isSignedOut } = edit
  const schema = editDropFormSchema(isScheduled || opened.isOpenEdition ? 1 : opened.quantity, {
    hasOption: opened.option !== undefined,
    isScheduled,
    isOpenEdition: opened.isOpenEdition,
  })
  const { control, handleSubmit, setError, getValues, formState } = useForm<EditDropForm, unknown, EditedDrop>({
    resolver: zodResolver(schema),
    defaultValues: {
      ...stockValues(drop, isScheduled),
      description: drop.description,
      maxPerBuyer: String(drop.maxPerBuyer ?? ''),
      digitalFileUrl: drop.digitalFileUrl ?? '',
      images: [],
      digitalFile: null,
      // Without a value the form would count as changed as soon as it is shown.
      ...(isScheduled ? beforeStartValues(drop, timezone) : { keepImages: undefined }),
    },
  })
  const { isDirty } = formState
  useEffect(() => onDirty(isDirty), [isDirty, onDirty])
  const save = handleSubmit((typed) => {
    if (isPending || isOver) return
    const early = isScheduled ? beforeStartChangesOf({ opened, current: drop }, typed, timezone) : {}
    const changes = { ...changesOf(opened, typed), ...early }
    // The keys are sent as they were typed, so that an error can name the line.
    const keys = typed.keys ? { keys: getValues('keys') } : {}
    const digitalFile = (typed.productType ?? opened.productType) === 'digital' ? typed.digitalFile : null
    const hasFiles = typed.images.length > 0 || digitalFile !== null
    if (Object.keys({ ...changes, ...keys }).length === 0 && !hasFiles) return onDone()
    const showAtField = (error: unknown) => {
      const field = error instanceof ApiError ? FIELDS_OF_SERVER.find((name) => name === error.field) : undefined
      if (field) setError(field, { message: failureText(error) }, { shouldFocus: true })
    }
    run({ ...changes, ...keys, images: typed.images, digitalFile }, { onError: showAtField })
  })

  return (
    <form id={`edit-${drop.id}`} noValidate onSubmit={(event) => void save(event)} className="grid gap-5 py-1">
      {/* The container is rendered from the start, so that screen readers announce the text that is put into it. */}
      <div role="status" className="text-sm font-medium text-bad empty:-mb-5">
        {isOver ? <p>{dropTexts.endedWhileEdited}</p> : isSignedOut && !isPending ? <LogInFirst /> : null}
      </div>
      {isScheduled ? (
        <ScheduledFields
          control={control}
          dropId={drop.id}
          timezone={timezone}
          delivery={drop}
          isOpenEdition={drop.isOpenEdition}
        />
      ) : drop.purchases === 0 && (opened.digitalFileName ?? opened.digitalFileUrl) ? (
        <DeliveryFields control={control} drop={opened} />
      ) : drop.digitalFileUrl ? (
        <LinkField control={control} dropId={drop.id} current="link" />
      ) : null}
      <StockFields control={control} drop={drop} isScheduled={isScheduled} />
      <LabeledField control={control} name="description" id={`edit-description-${drop.id}`} label="Description">
        {(field) => <Textarea {...field} rows={5} maxLength={MAX_DESCRIPTION} />}
      </LabeledField>
      <Controller
        control={control}
        name="maxPerBuyer"
        render={({ field }) => (
          <BuyerLimit id={`edit-limit-${drop.id}`} value={String(field.value ?? '')} onChange={field.onChange} />
        )}
      />
      <Pictures control={control} drop={isScheduled ? opened : drop} />
    </form>
  )
}

type FieldProps = { control: EditControl; drop: SellerDropView }

/** Shows the pictures. Existing pictures can be removed and moved until a scheduled drop starts. */
function Pictures({ control, drop }: FieldProps) {
  const { field: images } = useController({ control, name: 'images' })
  const { field: keepImages } = useController({ control, name: 'keepImages' })
  const kept = Array.isArray(keepImages.value) ? (keepImages.value as string[]) : null
  const existing = kept?.flatMap((src) => drop.images.filter((image) => image.src === src)) ?? drop.images
  const moveEarlier = (sources: string[], src: string) => {
    const others = sources.filter((other) => other !== src)
    const place = Math.max(0, sources.indexOf(src) - 1)
    keepImages.onChange([...others.slice(0, place), src, ...others.slice(place)])
  }
  return (
    <AddedPictures
      existing={existing}
      added={images.value}
      onChange={images.onChange}
      onMoveEarlier={kept ? ({ src }) => moveEarlier(kept, src) : undefined}
      onRemove={kept ? ({ src }) => keepImages.onChange(kept.filter((other) => other !== src)) : undefined}
    />
  )
}

/** The fields that can show an error from the server. */
const FIELDS_OF_SERVER = [
  'optionName',
  'options',
  'keys',
  'startsAt',
  'earlyMinutes',
  'earlyUnits',
  'productType',
  'digitalFileUrl',
  'digitalFile',
  'condition',
  'shipsFrom',
  'shipsWithin',
  'shippingZones',
  'price',
  'title',
  'quantity',
] as const

/** Links to the login in a new tab, so that the typed text stays here. */
function LogInFirst() {
  return (
    <p>
      Your session has ended. Please{' '}
      <a href="/login" target="_blank" rel="noopener" className="underline underline-offset-4">
        sign in again
        <span className="sr-only"> in a new tab</span>
      </a>{' '}
      and save again. What you typed stays here.
    </p>
  )
}
