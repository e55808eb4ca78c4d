import type { Control } from 'react-hook-form'
import { FormControl, FormField, FormItem, FormLabel, FormMessage } from '@/components/ui/form'
import { Input } from '@/components/ui/input'
import { LabeledField } from '@/components/ui/labeled-field'
import { Switch } from '@/components/ui/switch'
import { Textarea } from '@/components/ui/textarea'
import { traderTexts } from '@/lib/traders/messages'
import type { SellerDetailsInput } from '@/lib/traders/schema'

export type DetailsControl = Control<SellerDetailsInput>

/** The fields that only a business fills in. */
export function BusinessFields({ control }: { control: DetailsControl }) {
  return (
    <>
      <LabeledField
        control={control}
        name="legalName"
        id="seller-legalName"
        label={traderTexts.legalNameLabel}
        hint={traderTexts.legalNameHint}
      >
        {(field) => <Input {...field} autoComplete="organization" dir="auto" />}
      </LabeledField>
      <LabeledField
        control={control}
        name="address"
        id="seller-address"
        label={traderTexts.addressLabel}
        hint={traderTexts.addressHint}
      >
        {(field) => <Textarea {...field} rows={3} autoComplete="street-address" dir="auto" />}
      </LabeledField>
      <LabeledField control={control} name="email" id="seller-email" label={traderTexts.emailLabel}>
        {(field) => <Input {...field} type="email" inputMode="email" autoComplete="email" />}
      </LabeledField>
      <LabeledField control={control} name="phone" id="seller-phone" label={traderTexts.phoneLabel} optional>
        {(field) => <Input {...field} type="tel" autoComplete="tel" />}
      </LabeledField>
      <LabeledField
        control={control}
        name="register"
        id="seller-register"
        label={traderTexts.registerLabel}
        hint={traderTexts.registerHint}
        optional
      >
        {(field) => <Input {...field} dir="auto" />}
      </LabeledField>
      <LabeledField control={control} name="vatId" id="seller-vatId" label={traderTexts.vatIdLabel} optional>
        {(field) => <Input {...field} autoCapitalize="characters" spellCheck={false} />}
      </LabeledField>
      <Certification control={control} />
    </>
  )
}

function Certification({ control }: { control: DetailsControl }) {
  return (
    <FormField
      control={control}
      name="isCertified"
      render={({ field: { value, onChange, ...field } }) => (
        <FormItem id="seller-isCertified" hasDescription={false}>
          <span className="flex min-h-11 items-center gap-3">
            <FormControl>
              <Switch {...field} checked={value} onCheckedChange={onChange} />
            </FormControl>
            <FormLabel>{traderTexts.certifyLabel}</FormLabel>
          </span>
          <FormMessage />
        </FormItem>
      )}
    />
  )
}
