'use client'

import { clsx } from 'clsx'
import { type Control, useWatch } from 'react-hook-form'
import { NumericFormat } from 'react-number-format'
import { FormControl, FormField, FormItem, FormLabel, FormMessage } from '@/components/ui/form'
import { Input } from '@/components/ui/input'
import { LabelledField } from '@/components/ui/labelled-field'
import { readValues, sumOfUnits } from '@/lib/drops/option-rules'
import type { CreateDropForm } from '@/lib/drops/schema'
import { estimateCardFeeCents, formatUsd, parsePriceCents, splitAmount } from '@/lib/kernel/money'

type PriceAndQuantityProps = { control: Control<CreateDropForm>; feeBps: number }

/** Price and quantity side by side, and below them what the seller receives of each sale. */
export function PriceAndQuantity({ control, feeBps }: PriceAndQuantityProps) {
  const options = useWatch({ control, name: 'options' })
  return (
    <div className="grid grid-cols-2 items-start gap-3">
      <PriceField control={control} />
      <LabelledField control={control} name="quantity" id="quantity" label="Quantity">
        {(field) => (
          <Input
            {...field}
            value={options.trim() ? sumText(options) : field.value}
            readOnly={options.trim() !== ''}
            onChange={(event) => field.onChange(event.target.value.replace(/\D/g, '').slice(0, 7))}
            inputMode="numeric"
            autoComplete="off"
            enterKeyHint="next"
            className="tabular"
          />
        )}
      </LabelledField>
      <NetPerSale price={useWatch({ control, name: 'price' })} feeBps={feeBps} className="col-span-full -mt-1" />
    </div>
  )
}

/** The quantity of a drop with options: the sum of its values, as far as they can be read. */
function sumText(options: string): string {
  const read = readValues(options, { least: 1 })
  return 'problem' in read ? '' : String(sumOfUnits(read.values))
}

/** NetPerSale, which stands below both fields, describes the price. */
function PriceField({ control }: { control: Control<CreateDropForm> }) {
  return (
    <FormField
      control={control}
      name="price"
      render={({ field: { ref, onChange, ...field } }) => (
        <FormItem id="price">
          <FormLabel>Price</FormLabel>
          <FormControl>
            <NumericFormat
              {...field}
              getInputRef={ref}
              prefix="$"
              thousandSeparator=","
              // On many phones the comma is the only decimal key.
              allowedDecimalSeparators={['.', ',']}
              decimalScale={2}
              allowNegative={false}
              inputMode="decimal"
              placeholder="$0.00"
              autoComplete="off"
              enterKeyHint="next"
              // The string is passed on and never the float: 19.99 × 100 is 1998.9999… as a float.
              onValueChange={(values) => onChange(values.value)}
              customInput={Input}
              className="tabular"
            />
          </FormControl>
          <FormMessage />
        </FormItem>
      )}
    />
  )
}

/** What the seller receives of a sale, while the price is typed. */
function NetPerSale({ price, feeBps, className }: { price: string; feeBps: number; className?: string }) {
  const cents = parsePriceCents(price)
  const classes = clsx('text-sm text-muted', className)
  if (!cents)
    return (
      <p id="price-hint" className={classes}>
        Enter a price to see what you&apos;ll earn.
      </p>
    )
  const { sellerPayoutCents } = splitAmount(cents, feeBps)
  const net = Math.max(0, sellerPayoutCents - estimateCardFeeCents(cents))
  return (
    <p id="price-hint" className={clsx('tabular', classes)}>
      You&apos;ll earn about <strong className="text-ink">{formatUsd(net)}</strong> per sale, after {feeBps / 100}% and
      the card fee.
    </p>
  )
}
