'use client'

import { zodResolver } from '@hookform/resolvers/zod'
import { useId } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { DialogSheet } from '@/components/ui/dialog-sheet'
import { Input } from '@/components/ui/input'
import { LabeledField } from '@/components/ui/labeled-field'
import { typedWordSchema } from '@/lib/admin/schema'

type TypedConfirmationProps = {
  title: string
  description: string
  /** The word that must be typed. */
  word: string
  confirmLabel: string
  isBusy: boolean
  onConfirm: () => void
  onClose: () => void
}

/** Asks for a typed word before an action that nobody should trigger by accident. */
export function TypedConfirmation({
  word,
  title,
  description,
  confirmLabel,
  isBusy,
  onConfirm,
  onClose,
}: TypedConfirmationProps) {
  const id = useId()
  const schema = typedWordSchema(word)
  const { control, handleSubmit } = useForm({ resolver: zodResolver(schema), defaultValues: { word: '' } })
  const isRight = schema.safeParse(useWatch({ control })).success
  const submit = handleSubmit(() => (isBusy ? undefined : onConfirm()))
  return (
    <Dialog open onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}>
      <DialogSheet title={title} description={description}>
        <form onSubmit={(event) => void submit(event)} className="grid gap-4 pb-2">
          <LabeledField control={control} name="word" id={id} label={`Type ${word} to confirm`}>
            {(field) => (
              <Input {...field} autoComplete="off" autoCapitalize="characters" spellCheck={false} enterKeyHint="done" />
            )}
          </LabeledField>
          <div className="flex flex-wrap justify-end gap-3">
            <Button variant="ghost" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" variant="outlineDestructive" disabled={!isRight} isBusy={isBusy}>
              {confirmLabel}
            </Button>
          </div>
        </form>
      </DialogSheet>
    </Dialog>
  )
}
