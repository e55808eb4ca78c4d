'use client'

import { zodResolver } from '@hookform/resolvers/zod'
import { Controller, useForm } from 'react-hook-form'
import { Choice } from '@/components/drops/create/choice'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { DialogSheet } from '@/components/ui/dialog-sheet'
import { FieldLegend, FieldSet } from '@/components/ui/field'
import { ApiError } from '@/lib/client/call-api'
import { Input } from '@/components/ui/input'
import { LabelledField } from '@/components/ui/labelled-field'
import { writeValues } from '@/lib/drops/option-rules'
import { DURATIONS, nextQuantity } from '@/lib/drops/rules'
import { relaunchSchema } from '@/lib/drops/schema'
import type { SellerDropView } from '@/lib/drops/view'
import { useRelaunch } from './use-relaunch'

type RelaunchDialogProps = { drop: SellerDropView; isOpen: boolean; onClose: () => void }

/**
 * Asks for how long and with how many units the drop runs again. The link stays the same and the timer is new
 * (docs/product.md#relaunching).
 */
export function RelaunchDialog({ drop, isOpen, onClose }: RelaunchDialogProps) {
  const { control, handleSubmit, setError } = useForm({
    resolver: zodResolver(relaunchSchema),
    defaultValues: {
      duration: drop.duration,
      ...(drop.option ? { options: leftValues(drop) } : { quantity: String(nextQuantity(drop) || '') }),
    },
  })
  const { run, isPending } = useRelaunch(drop.id, onClose)
  const atTheField = (error: unknown) => {
    if (error instanceof ApiError && error.field === 'options') setError('options', { message: error.text })
  }
  const relaunch = handleSubmit((input) => run(input, { onError: atTheField }))

  return (
    <Dialog open={isOpen} onOpenChange={(open) => (open ? undefined : onClose())}>
      <DialogSheet
        title="Relaunch"
        description={`${drop.title} goes live again at the same link with a fresh timer.`}
        footer={
          <Button form={`relaunch-${drop.id}`} type="submit" variant="buy" size="lg" disabled={isPending}>
            {isPending ? 'Relaunching...' : 'Relaunch Now'}
          </Button>
        }
      >
        <form
          id={`relaunch-${drop.id}`}
          noValidate
          onSubmit={(event) => void relaunch(event)}
          className="grid gap-5 py-1"
        >
          <Controller
            control={control}
            name="duration"
            render={({ field }) => (
              <FieldSet>
                <FieldLegend variant="label">Duration</FieldLegend>
                <div className="grid grid-cols-3 gap-2">
                  {DURATIONS.map((hours) => (
                    <Choice
                      key={hours}
                      name={`duration-${drop.id}`}
                      value={String(hours)}
                      label={`${hours} h`}
                      isChecked={field.value === hours}
                      onSelect={() => field.onChange(hours)}
                    />
                  ))}
                </div>
              </FieldSet>
            )}
          />
          {drop.option ? (
            <LabelledField
              control={control}
              name="options"
              id={`relaunch-options-${drop.id}`}
              label={`${drop.option.name} with units`}
              hint={leftText(drop)}
            >
              {({ value, ...field }) => <Input {...field} value={String(value)} autoComplete="off" />}
            </LabelledField>
          ) : (
            <LabelledField
              control={control}
              name="quantity"
              id={`relaunch-quantity-${drop.id}`}
              label="Quantity"
              hint={leftText(drop)}
            >
              {({ value, ...field }) => (
                <Input {...field} value={String(value)} inputMode="numeric" autoComplete="off" />
              )}
            </LabelledField>
          )}
        </form>
      </DialogSheet>
    </Dialog>
  )
}

/** Returns the initial text of the options field: the values with the units that are left of each. */
function leftValues({ productType, values }: SellerDropView): string {
  return writeValues(values.map((value) => ({ ...value, quantity: nextQuantity({ productType, ...value }) })))
}

function leftText(drop: SellerDropView): string {
  if (drop.productType !== 'physical') return 'How many are for sale this time.'
  const left = nextQuantity(drop)
  return left > 0 ? `${left} left from the last run.` : 'All sold last time. Enter how many you have now.'
}
