'use client'

import { zodResolver } from '@hookform/resolvers/zod'
import { Download } from 'lucide-react'
import { useForm } from 'react-hook-form'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { FieldLabel } from '@/components/ui/field'
import { LabeledField } from '@/components/ui/labeled-field'
import { NativeSelect, NativeSelectOptGroup, NativeSelectOption } from '@/components/ui/native-select'
import { Textarea } from '@/components/ui/textarea'
import { callAction } from '@/lib/client/call-action'
import { toast } from '@/lib/client/toast-store'
import type { ServerAction } from '@/lib/kernel/action-outcome'
import { periodLabel, traderTexts } from '@/lib/traders/messages'
import { type TaxRatesInput, taxRatesSchema } from '@/lib/traders/schema'

type TaxSectionProps = {
  /** The stored rates, one line per country. */
  rates: string
  /** The months and quarters that can be downloaded. */
  periods: { months: string[]; quarters: string[] }
  onSave: ServerAction<TaxRatesInput>
}

/** Shows the seller's VAT rates, and downloads the tax report of a month or a quarter. */
export function TaxSection({ rates, periods, onSave }: TaxSectionProps) {
  return (
    <section aria-labelledby="taxes-heading" className="grid gap-4">
      <h2 id="taxes-heading" className="text-2xl font-bold">
        {traderTexts.ratesTitle}
      </h2>
      <p className="text-muted">{traderTexts.ratesIntro}</p>
      <RatesForm rates={rates} onSave={onSave} />
      {/* A plain form, so that the download works without a script. */}
      <form action="/payouts/taxes.csv" className="grid gap-3 sm:flex sm:items-end">
        <div className="grid gap-1.5 sm:min-w-56">
          <FieldLabel htmlFor="tax-period">{traderTexts.periodLabel}</FieldLabel>
          <NativeSelect id="tax-period" name="period" defaultValue={periods.quarters[0]}>
            <NativeSelectOptGroup label="Quarters">
              {periods.quarters.map((name) => (
                <NativeSelectOption key={name} value={name}>
                  {periodLabel(name)}
                </NativeSelectOption>
              ))}
            </NativeSelectOptGroup>
            <NativeSelectOptGroup label="Months">
              {periods.months.map((name) => (
                <NativeSelectOption key={name} value={name}>
                  {periodLabel(name)}
                </NativeSelectOption>
              ))}
            </NativeSelectOptGroup>
          </NativeSelect>
        </div>
        <Button type="submit" variant="outline">
          <Download aria-hidden />
          {traderTexts.downloadTaxes}
        </Button>
      </form>
    </section>
  )
}

function RatesForm({ rates, onSave }: Pick<TaxSectionProps, 'rates' | 'onSave'>) {
  const { control, handleSubmit, formState, setError } = useForm<TaxRatesInput>({
    resolver: zodResolver(taxRatesSchema),
    defaultValues: { rates },
  })
  const save = handleSubmit(async (input) => {
    const outcome = await callAction(onSave, input)
    if (outcome.ok) toast(traderTexts.ratesSaved)
    else setError('rates', { message: outcome.error }, { shouldFocus: true })
  })
  return (
    <Card className="p-4">
      <form noValidate onSubmit={(event) => void save(event)} className="grid gap-4">
        <LabeledField
          control={control}
          name="rates"
          id="tax-rates"
          label={traderTexts.ratesLabel}
          hint={traderTexts.ratesHint}
          optional
        >
          {(field) => <Textarea {...field} rows={3} autoCapitalize="characters" spellCheck={false} />}
        </LabeledField>
        <Button type="submit" variant="outline" className="justify-self-start" isBusy={formState.isSubmitting}>
          {formState.isSubmitting ? 'Saving…' : traderTexts.saveRates}
        </Button>
      </form>
    </Card>
  )
}
