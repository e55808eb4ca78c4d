import { describedBy, Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { MAX_SHIPPING_NOTE } from '@/lib/drops/rules'
import { Choice } from './choice'
import { FilePicker } from './file-picker'
import type { Errors, Values } from './form-values'

type TypeSectionProps = {
  values: Values
  digitalFile: File | null
  errors: Errors
  onChange: <Name extends keyof Values>(name: Name, value: Values[Name]) => void
  onFile: (file: File | null) => void
}

/** The fields that only one type of product needs. */
export function TypeSection({ values, digitalFile, errors, onChange, onFile }: TypeSectionProps) {
  if (values.productType === 'physical') {
    return (
      <Field
        id="shippingNote"
        label="Shipping Note"
        optional
        error={errors.shippingNote}
        hint="Shipping is included in the price. Buyers give their address when they pay."
      >
        <Input
          id="shippingNote"
          name="shippingNote"
          value={values.shippingNote}
          onChange={(event) => onChange('shippingNote', event.target.value)}
          maxLength={MAX_SHIPPING_NOTE}
          placeholder="Ships within 3 days"
          aria-invalid={errors.shippingNote ? true : undefined}
          aria-describedby={describedBy('shippingNote', { hint: true, error: Boolean(errors.shippingNote) })}
        />
      </Field>
    )
  }
  if (values.productType === 'service') {
    return (
      <section className="rounded-card bg-sunken p-4" aria-labelledby="service-title">
        <h2 id="service-title" className="font-sans text-sm font-semibold tracking-normal">
          How a service works
        </h2>
        <p className="mt-1 text-sm text-muted">
          Each unit is one booking. Buyers leave their e-mail address when they pay, and you arrange the rest with them.
          Say in the description how long it takes and where it happens.
        </p>
      </section>
    )
  }
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-2 text-sm font-semibold">Digital File</legend>
      <div className="grid grid-cols-2 gap-2">
        {(['link', 'upload'] as const).map((source) => (
          <Choice
            key={source}
            name="digitalSource"
            value={source}
            label={source === 'link' ? 'External Link' : 'Upload File'}
            isChecked={values.digitalSource === source}
            onSelect={() => onChange('digitalSource', source)}
          />
        ))}
      </div>
      {values.digitalSource === 'upload' ? (
        <FilePicker file={digitalFile} onChange={onFile} error={errors.digitalFile} />
      ) : (
        <Field
          id="digitalFileUrl"
          label="Link to the file"
          error={errors.digitalFileUrl}
          hint="Buyers get it after paying. Nobody else sees it."
        >
          <Input
            id="digitalFileUrl"
            name="digitalFileUrl"
            value={values.digitalFileUrl}
            onChange={(event) => onChange('digitalFileUrl', event.target.value)}
            type="url"
            inputMode="url"
            autoComplete="off"
            autoCapitalize="none"
            placeholder="https://"
            aria-invalid={errors.digitalFileUrl ? true : undefined}
            aria-describedby={describedBy('digitalFileUrl', { hint: true, error: Boolean(errors.digitalFileUrl) })}
          />
        </Field>
      )}
    </fieldset>
  )
}
