'use client'

import { clsx } from 'clsx'
import { NumericFormat } from 'react-number-format'
import { Input } from '@/components/ui/input'
import { describedBy, Field } from '@/components/ui/field'
import { estimateCardFeeCents, formatUsd, parsePriceCents, splitAmount } from '@/lib/kernel/money'

type PriceFieldProps = { value: string; onChange: (price: string) => void; error?: string | undefined }

/** The price field. NetPerSale shows what the seller receives of it. */
export function PriceField({ value, onChange, error }: PriceFieldProps) {
  return (
    <Field id="price" label="Price" error={error}>
      <NumericFormat
        id="price"
        name="price"
        prefix="$"
        thousandSeparator=","
        decimalScale={2}
        allowNegative={false}
        inputMode="decimal"
        placeholder="$0.00"
        autoComplete="off"
        enterKeyHint="next"
        value={value}
        // Uses the string and not the float, because 19.99 × 100 is 1998.9999… as a float.
        onValueChange={(values) => onChange(values.value)}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy('price', { hint: true, error: Boolean(error) })}
        customInput={Input}
        className="tabular"
      />
    </Field>
  )
}

/** Shows what the seller receives per sale while the price is typed. */
export function NetPerSale({ price, feeBps, className }: { price: string; feeBps: number; className?: string }) {
  const cents = parsePriceCents(price)
  const classes = clsx('text-sm text-muted', className)
  if (!cents)
    return (
      <p id="price-hint" className={classes}>
        You see here what you receive of each sale.
      </p>
    )
  const { sellerPayoutCents } = splitAmount(cents, feeBps)
  const net = Math.max(0, sellerPayoutCents - estimateCardFeeCents(cents))
  return (
    <p id="price-hint" className={clsx('tabular', classes)}>
      You receive about <strong className="text-ink">{formatUsd(net)}</strong> per sale, after {feeBps / 100}% and the
      card fee.
    </p>
  )
}
