'use client'

import { type FormEvent, useId, useState } from 'react'
import { Button } from '@/components/ui/button'
import { Dialog, DialogContent } from '@/components/ui/dialog'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'

type TypedConfirmationProps = {
  title: string
  description: string
  /** What has to be typed. */
  word: string
  confirmLabel: string
  isBusy: boolean
  onConfirm: () => void
  onClose: () => void
}

/** For what nobody should do with one slip of the thumb. */
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
  const [typed, setTyped] = useState('')
  const isRight = typed.trim().toUpperCase() === word
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isRight && !isBusy) onConfirm()
  }
  return (
    <Dialog open onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}>
      <DialogContent title={title} description={description}>
        <form onSubmit={submit} className="grid gap-4 pb-2">
          <Field id={id} label={`Type ${word} to confirm`}>
            <Input
              id={id}
              autoComplete="off"
              autoCapitalize="characters"
              spellCheck={false}
              enterKeyHint="done"
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
            />
          </Field>
          <div className="flex flex-wrap justify-end gap-3">
            <Button variant="ghost" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" variant="outlineDestructive" disabled={!isRight} isBusy={isBusy}>
              {confirmLabel}
            </Button>
          </div>
        </form>
      </DialogContent>
    </Dialog>
  )
}
