'use client'

import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { describedBy, Field } from '@/components/ui/field'
import { Input, Textarea } from '@/components/ui/input'
import { callAction } from '@/lib/client/call-action'
import { useRefusal } from '@/lib/client/use-refusal'
import { orderTexts } from '@/lib/orders/messages'
import type { TrackingImportView, TrackingRowView } from '@/lib/orders/seller-view'
import { TrackingRows } from './tracking-rows'

type TrackingAction = (input: {
  csv: string
}) => Promise<{ ok: true; value: TrackingImportView } | { ok: false; error: string }>

type TrackingImportProps = { onPreview: TrackingAction; onApply: TrackingAction }

/** A file of tracking numbers: looked at first, done afterwards. */
export function TrackingImport({ onPreview, onApply }: TrackingImportProps) {
  const [csv, setCsv] = useState('')
  const [shown, setShown] = useState<TrackingImportView | null>(null)
  const [problem, setProblem] = useRefusal('tracking-csv')
  const [isBusy, setIsBusy] = useState(false)

  async function run(action: TrackingAction) {
    if (!csv.trim()) return setProblem(orderTexts.emptyFile)
    setIsBusy(true)
    setProblem(null)
    const outcome = await callAction(action, { csv })
    setIsBusy(false)
    if (outcome.ok) setShown(outcome.value)
    else setProblem(outcome.error)
  }

  async function take(file: File | undefined) {
    if (!file) return
    setShown(null)
    setCsv(await file.text())
    setProblem(null)
  }

  const isReady = shown?.isDry && shown.ship + shown.correct > 0
  return (
    <div className="grid gap-5">
      <Field id="tracking-file" label="CSV file">
        <Input
          id="tracking-file"
          type="file"
          accept=".csv,text/csv,text/plain"
          className="py-2.5"
          onChange={(event) => void take(event.target.files?.[0])}
        />
      </Field>
      <Field id="tracking-csv" label="or its lines" error={problem}>
        <Textarea
          id="tracking-csv"
          value={csv}
          spellCheck={false}
          placeholder={'order,carrier,tracking_number\nA1B2C3D4,USPS,9400 1000 0000'}
          className="tabular font-mono text-base"
          aria-invalid={problem ? true : undefined}
          aria-describedby={describedBy('tracking-csv', { error: Boolean(problem) })}
          onChange={(event) => {
            setCsv(event.target.value)
            setShown(null)
          }}
        />
      </Field>
      {shown ? (
        <section aria-label={shown.isDry ? 'What would happen' : 'What happened'} className="grid gap-3">
          <p role="status" className="text-lg font-semibold">
            {summary(shown)}
          </p>
          <TrackingRows rows={shown.rows} />
        </section>
      ) : null}
      {isReady ? (
        <Button size="lg" isBusy={isBusy} onClick={() => void run(onApply)}>
          {isBusy ? 'Saving...' : applyText(shown)}
        </Button>
      ) : (
        <Button variant={shown ? 'outline' : 'default'} size="lg" isBusy={isBusy} onClick={() => void run(onPreview)}>
          {isBusy ? 'Reading...' : 'Look at it first'}
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
    [same, 'same', 'as they are'],
    [errors, 'error', 'with a problem'],
  ]
  const said = effects.filter(([count]) => count > 0).map(([count, , text]) => `${count} ${text}`)
  return said.length > 0 ? said.join(', ') : 'There is no line with a tracking number.'
}
