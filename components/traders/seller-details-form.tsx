'use client'

import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { PasswordField } from '@/components/accounts/password-field'
import { Choice } from '@/components/drops/create/choice'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { FieldLegend, FieldSet } from '@/components/ui/field'
import { FormControl, FormField, FormItem, FormMessage } from '@/components/ui/form'
import { FormProblem } from '@/components/ui/form-problem'
import { LabeledField } from '@/components/ui/labeled-field'
import { NativeSelect, NativeSelectOption } from '@/components/ui/native-select'
import { callAction } from '@/lib/client/call-action'
import { toast } from '@/lib/client/toast-store'
import type { ServerAction } from '@/lib/kernel/action-outcome'
import { countryName, ORIGIN_COUNTRIES } from '@/lib/kernel/country'
import { traderTexts } from '@/lib/traders/messages'
import { type SellerDetailsInput, sellerDetailsSchema } from '@/lib/traders/schema'
import type { SellerDetailsView } from '@/lib/traders/view'
import { BusinessFields, type DetailsControl } from './business-fields'

type SellerDetailsFormProps = {
  /** What the seller states now; null before the first time. */
  details: SellerDetailsView | null
  /** The email address of the seller's account, which is the first value of the contact email. */
  email: string
  onSave: ServerAction<SellerDetailsInput>
}

const countries = ORIGIN_COUNTRIES.map((code) => [code, countryName(code)] as const).sort((a, b) =>
  a[1].localeCompare(b[1], 'en'),
)

/**
 * Returns the values with which the form starts. Details that are not stated start empty, except the email address,
 * which starts with that of the account.
 */
function startOf(details: SellerDetailsView | null, email: string): Partial<SellerDetailsInput> {
  const { statedAt: _, ...stated } = details ?? { statedAt: '' }
  const empty = { legalName: '', address: '', email, phone: '', register: '', vatId: '', isCertified: false }
  const filled = Object.entries(stated).filter(([, value]) => value !== '')
  return { ...empty, ...(Object.fromEntries(filled) as Partial<SellerDetailsInput>) }
}

/** Asks a seller who they are (docs/product.md#seller-details). Nothing that was typed is lost when saving fails. */
export function SellerDetailsForm({ details, email, onSave }: SellerDetailsFormProps) {
  const [asksPassword, setAsksPassword] = useState(false)
  const { control, handleSubmit, formState, setError, resetField } = useForm<SellerDetailsInput>({
    resolver: zodResolver(sellerDetailsSchema),
    defaultValues: startOf(details, email),
  })
  const kind = useWatch({ control, name: 'kind' })
  const save = handleSubmit(async ({ password, ...input }) => {
    const outcome = await callAction(onSave, asksPassword ? { ...input, password: password ?? '' } : input)
    if (outcome.ok) {
      setAsksPassword(false)
      resetField('password')
      return toast(traderTexts.saved)
    }
    if (outcome.code === 'PROOF_REQUIRED') return setAsksPassword(true)
    const field = outcome.field && outcome.field in input ? (outcome.field as keyof SellerDetailsInput) : null
    const isPassword = outcome.field === 'password'
    setError(isPassword ? 'password' : (field ?? 'root'), { message: outcome.error }, { shouldFocus: true })
  })
  return (
    <Card className="p-4">
      <form noValidate onSubmit={(event) => void save(event)} className="grid gap-5" aria-label={traderTexts.title}>
        <KindField control={control} />
        <LabeledField control={control} name="country" id="seller-country" label={traderTexts.countryLabel}>
          {({ value, ...field }) => (
            <NativeSelect {...field} value={value ?? ''} autoComplete="country">
              <NativeSelectOption value="" disabled>
                {traderTexts.countryMissing}
              </NativeSelectOption>
              {countries.map(([code, name]) => (
                <NativeSelectOption key={code} value={code}>
                  {name}
                </NativeSelectOption>
              ))}
            </NativeSelect>
          )}
        </LabeledField>
        {kind === 'business' ? <BusinessFields control={control} /> : null}
        {asksPassword ? (
          <PasswordField
            control={control}
            name="password"
            id="seller-password"
            label={traderTexts.passwordLabel}
            hint={traderTexts.passwordHint}
            autoComplete="current-password"
          />
        ) : null}
        <FormProblem error={formState.errors.root} takesFocus />
        <div className="grid gap-3">
          <p className="text-sm text-muted">{traderTexts.shownTo}</p>
          <Button type="submit" className="justify-self-start" isBusy={formState.isSubmitting}>
            {formState.isSubmitting ? 'Saving…' : traderTexts.save}
          </Button>
        </div>
      </form>
    </Card>
  )
}

const kinds = [
  ['private', traderTexts.private, traderTexts.privateHint],
  ['business', traderTexts.business, traderTexts.businessHint],
] as const

function KindField({ control }: { control: DetailsControl }) {
  return (
    <FormField
      control={control}
      name="kind"
      render={({ field }) => (
        <FormItem id="seller-kind" hasDescription={false}>
          <FieldSet>
            <FieldLegend variant="label">{traderTexts.kindLabel}</FieldLegend>
            <FormControl>
              <div ref={field.ref} tabIndex={-1} className="grid gap-3">
                {kinds.map(([kind, label, hint]) => (
                  <Choice
                    key={kind}
                    name="kind"
                    value={kind}
                    label={label}
                    hint={hint}
                    isChecked={field.value === kind}
                    onSelect={() => field.onChange(kind)}
                  />
                ))}
              </div>
            </FormControl>
            <FormMessage />
          </FieldSet>
        </FormItem>
      )}
    />
  )
}
