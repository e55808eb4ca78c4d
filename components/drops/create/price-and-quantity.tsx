'use client'

import { clsx } from 'clsx'
import { type Control, useWatch } from 'react-hook-form'
import { NumericFormat } from 'react-number-format'
import { FormControl, FormField, FormItem, FormLabel, FormMessage } from '@/components/ui/form'
import { Input } from '@/components/ui/input'
import { LabeledField } from '@/components/ui/labeled-field'
import { countKeys } from '@/lib/drops/keys/key-rules'
import { readValues, sumOfUnits } from '@/lib/drops/options/option-rules'
import { openTexts } from '@/lib/drops/editions/open-messages'
import type { CreateDropForm } from '@/lib/drops/schema'
import { estimateCardFeeCents, formatUsd, parsePriceCents, splitAmount } from '@/lib/kernel/money'
import { PriceInput } from './price-input'

type PriceAndQuantityProps = { control: Control<CreateDropForm>; feeBps: number }

/** Shows price and quantity side by side, and below them what the seller earns per sale. */
export function PriceAndQuantity({ control, feeBps }: PriceAndQuantityProps) {
  const [options, keys, productType, isOpenEdition] = useWatch({
    control,
    name: ['options', 'keys', 'productType', 'isOpenEdition'],
  })
  const fixedQuantity = options.trim()
    ? unitsOfChoices(options)
    : productType === 'digital' && keys.trim()
      ? unitsOfKeys(keys)
      : null
  return (
    <div className="grid grid-cols-2 items-start gap-3">
      <PriceField control={control} />
      {isOpenEdition ? (
        <OpenQuantity />
      ) : (
        <LabeledField control={control} name="quantity" id="quantity" label="Quantity">
          {(field) => (
            <Input
              {...field}
              value={fixedQuantity ?? field.value}
              readOnly={fixedQuantity !== null}
              onChange={(event) => field.onChange(event.target.value.replace(/\D/g, '').slice(0, 7))}
              inputMode="numeric"
              autoComplete="off"
              enterKeyHint="next"
              className="tabular h-14 text-xl md:text-xl"
            />
          )}
        </LabeledField>
      )}
      <NetPerSale price={useWatch({ control, name: 'price' })} feeBps={feeBps} className="col-span-full -mt-1" />
    </div>
  )
}

/**
 * Replaces the quantity field of an open edition, which sells as many units as are ordered. Its cap is in a collapsed
 * field below (EditionChoice).
 */
function OpenQuantity() {
  return (
    <div className="grid gap-2 text-sm">
      <p className="font-semibold">Quantity</p>
      <p className="flex min-h-12 items-center text-muted">{openTexts.openHint}</p>
    </div>
  )
}

/** Returns the total units of a drop with choices, or an empty string while the typed choices cannot be read. */
function unitsOfChoices(options: string): string {
  const read = readValues(options, { least: 1 })
  return 'problem' in read ? '' : String(sumOfUnits(read.values))
}

/** Returns the number of keys in a list, or an empty string while the list cannot be read. */
const unitsOfKeys = (keys: string) => String(countKeys(keys) ?? '')

/** Shows the field for the price. NetPerSale below both fields is its description for screen readers. */
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
              // The string is passed on instead of the number, because 19.99 × 100 gives 1998.9999… in floating point.
              onValueChange={(values) => onChange(values.value)}
              customInput={PriceInput}
              className="tabular h-14 font-display text-2xl font-bold md:text-2xl"
            />
          </FormControl>
          <FormMessage />
        </FormItem>
      )}
    />
  )
}

/** Shows what the seller earns per sale at the typed price, or asks for a price. */
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
      You&apos;ll earn about <strong className="font-display text-lg text-ink">{formatUsd(net)}</strong> per sale, after{' '}
      {feeBps / 100}% and the card fee.
    </p>
  )
}
