'use client'

import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { Button } from '@/components/ui/button'
import { Field, FieldLabel } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { LabeledField } from '@/components/ui/labeled-field'
import { Textarea } from '@/components/ui/textarea'
import { callAction } from '@/lib/client/call-action'
import type { ServerAction } from '@/lib/kernel/action-outcome'
import { trackingFileSchema } from '@/lib/shipping/schema'
import type { TrackingImportView, TrackingRowView } from '@/lib/shipping/view'
import { TrackingRows } from './tracking-rows'

type TrackingAction = ServerAction<{ csv: string }, TrackingImportView>

type TrackingImportProps = { onPreview: TrackingAction; onApply: TrackingAction }

/** Imports a file of tracking numbers. The seller sees a preview before anything is changed. */
export function TrackingImport({ onPreview, onApply }: TrackingImportProps) {
  const [shown, setShown] = useState<TrackingImportView | null>(null)
  const { control, handleSubmit, formState, setError, setValue, clearErrors } = useForm({
    resolver: zodResolver(trackingFileSchema),
    defaultValues: { csv: '' },
  })
  const isBusy = formState.isSubmitting

  const run = (action: TrackingAction) =>
    handleSubmit(async (input) => {
      const outcome = await callAction(action, input)
      if (outcome.ok) setShown(outcome.value)
      else setError('csv', { message: outcome.error }, { shouldFocus: true })
    })()

  async function take(file: File | undefined) {
    if (!file) return
    setShown(null)
    setValue('csv', await file.text())
    clearErrors()
  }

  const isReady = shown?.isDry && shown.ship + shown.correct > 0
  return (
    <div className="grid gap-5">
      <Field>
        <FieldLabel htmlFor="tracking-file">CSV file</FieldLabel>
        <Input
          id="tracking-file"
          type="file"
          accept=".csv,text/csv,text/plain"
          className="py-2.5"
          onChange={(event) => void take(event.target.files?.[0])}
        />
      </Field>
      <LabeledField control={control} name="csv" id="tracking-csv" label="Or paste its lines">
        {(field) => (
          <Textarea
            {...field}
            spellCheck={false}
            placeholder={'order,carrier,tracking_number\nA1B2C3D4,USPS,9400 1000 0000'}
            className="tabular font-mono text-base"
            onChange={(event) => {
              field.onChange(event)
              setShown(null)
            }}
          />
        )}
      </LabeledField>
      {/* The text stays in the page, so that screen readers announce what is put into it. */}
      <p role="status" className="text-lg font-semibold empty:sr-only">
        {shown ? summary(shown) : null}
      </p>
      {shown ? (
        <section aria-label={shown.isDry ? 'Preview' : 'Result'}>
          <TrackingRows rows={shown.rows} />
        </section>
      ) : null}
      {isReady ? (
        <Button size="lg" isBusy={isBusy} onClick={() => void run(onApply)}>
          {isBusy ? 'Saving…' : applyText(shown)}
        </Button>
      ) : (
        <Button variant={shown ? 'outline' : 'default'} size="lg" isBusy={isBusy} onClick={() => void run(onPreview)}>
          {isBusy ? 'Reading…' : 'Preview changes'}
        </Button>
      )}
    </div>
  )
}

const plural = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`

function applyText({ ship, correct }: TrackingImportView): string {
  if (ship === 0) return `Correct ${plural(correct, 'number', 'numbers')}`
  return `Mark ${plural(ship, 'order', 'orders')} as shipped`
}

function summary({ isDry, ship, correct, same, errors }: TrackingImportView): string {
  const effects: [number, TrackingRowView['effect'], string][] = [
    [ship, 'ship', isDry ? 'to mark as shipped' : 'marked as shipped'],
    [correct, 'correct', isDry ? 'to correct' : 'corrected'],
    [same, 'same', 'unchanged'],
    [errors, 'error', 'with a problem'],
  ]
  const said = effects.filter(([count]) => count > 0).map(([count, , text]) => `${count} ${text}`)
  return said.length > 0 ? said.join(', ') : 'No line has a tracking number.'
}
