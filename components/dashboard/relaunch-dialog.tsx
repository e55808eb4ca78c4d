'use client'

import { zodResolver } from '@hookform/resolvers/zod'
import { type Control, Controller, useForm } from 'react-hook-form'
import { KeyField } from '@/components/drops/key-field'
import { Choice } from '@/components/drops/create/choice'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { DialogSheet } from '@/components/ui/dialog-sheet'
import { FieldLegend, FieldSet } from '@/components/ui/field'
import { ApiError, failureText } from '@/lib/client/call-api'
import { Input } from '@/components/ui/input'
import { LabeledField } from '@/components/ui/labeled-field'
import { countedText, keyTexts } from '@/lib/drops/keys/key-messages'
import { editionTexts } from '@/lib/drops/editions/edition-messages'
import { writeValues } from '@/lib/drops/options/option-rules'
import { demandText, suggestionText } from '@/lib/drops/analytics/demand-messages'
import { DURATIONS, nextQuantity } from '@/lib/drops/rules'
import { type RelaunchInput, relaunchSchema, type RelaunchTexts } from '@/lib/drops/schema'
import type { SellerDropView } from '@/lib/drops/view'
import { formatCount } from '@/lib/kernel/format-count'
import { useRelaunch } from './use-relaunch'

type RelaunchDialogProps = { drop: SellerDropView; isOpen: boolean; onClose: () => void }

/**
 * Asks how long and with how many units the drop runs again. The link stays the same and the timer is new
 * (docs/product.md#relaunching).
 */
export function RelaunchDialog({ drop, isOpen, onClose }: RelaunchDialogProps) {
  const { control, handleSubmit, setError, getValues } = useForm<RelaunchTexts, unknown, RelaunchInput>({
    resolver: zodResolver(relaunchSchema),
    defaultValues: {
      duration: drop.duration,
      ...(drop.option
        ? { options: leftValues(drop) }
        : drop.keys
          ? { keys: '' }
          : { quantity: String(nextQuantity(drop) || '') }),
    },
  })
  const { run, isPending } = useRelaunch(drop.id, onClose)
  const showAtField = (error: unknown) => {
    const field =
      error instanceof ApiError ? (['options', 'keys'] as const).find((name) => name === error.field) : undefined
    if (field) setError(field, { message: failureText(error) }, { shouldFocus: true })
  }
  // The keys are sent as they were typed, so that an error can name the line.
  const relaunch = handleSubmit(({ keys, ...input }) =>
    run({ ...input, ...(keys ? { keys: getValues('keys') } : {}) }, { onError: showAtField }),
  )

  return (
    <Dialog open={isOpen} onOpenChange={(open) => (open ? undefined : onClose())}>
      <DialogSheet
        title="Relaunch"
        description={`${drop.title} goes live again at the same link with a fresh timer.`}
        footer={
          <Button form={`relaunch-${drop.id}`} type="submit" variant="buy" size="lg" disabled={isPending}>
            {isPending ? 'Relaunching…' : 'Relaunch Now'}
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
                      label={`${hours} hours`}
                      isChecked={field.value === hours}
                      onSelect={() => field.onChange(hours)}
                    />
                  ))}
                </div>
              </FieldSet>
            )}
          />
          <UnitsField control={control} drop={drop} />
          {drop.isNumbered ? <p className="text-sm text-muted">{editionTexts.relaunch}</p> : null}
        </form>
      </DialogSheet>
    </Dialog>
  )
}

type RelaunchControl = Control<RelaunchTexts, unknown, RelaunchInput>

/** Asks for the units of each choice, for more keys, or for the units of any other drop. */
function UnitsField({ control, drop }: { control: RelaunchControl; drop: SellerDropView }) {
  return drop.option ? (
    <LabeledField
      control={control}
      name="options"
      id={`relaunch-options-${drop.id}`}
      label={`${drop.option.name} with units`}
      hint={leftText(drop)}
    >
      {({ value, ...field }) => <Input {...field} value={String(value)} autoComplete="off" />}
    </LabeledField>
  ) : drop.keys ? (
    <KeyField
      control={control}
      name="keys"
      id={`relaunch-keys-${drop.id}`}
      label={keyTexts.addLabel}
      optional={drop.keys.left > 0}
      hint={keysHint(drop, drop.keys.left)}
    />
  ) : (
    <LabeledField
      control={control}
      name="quantity"
      id={`relaunch-quantity-${drop.id}`}
      label="Quantity"
      hint={leftText(drop)}
    >
      {({ value, ...field }) => <Input {...field} value={String(value)} inputMode="numeric" autoComplete="off" />}
    </LabeledField>
  )
}

/** Returns the initial text of the options field, with the unsold units of each value. */
function leftValues({ productType, values }: SellerDropView): string {
  return writeValues(values.map((value) => ({ ...value, quantity: nextQuantity({ productType, ...value }) })))
}

/** Returns the hint for the quantity: what is left, who waits, and how many units we suggest. */
function leftText(drop: SellerDropView): string {
  return [leftUnits(drop), demandText(drop.waiting, false), suggestionText(drop.waiting)].filter(Boolean).join(' ')
}

/** Returns the hint for the keys: what is left, who waits, and how to write them. */
function keysHint(drop: SellerDropView, left: number): string {
  const leftKeys = `${countedText(left)} left from earlier runs.`
  return [leftKeys, demandText(drop.waiting, false), keyTexts.relaunchHint].filter(Boolean).join(' ')
}

function leftUnits(drop: SellerDropView): string {
  if (drop.productType !== 'physical') return 'Enter how many you have this time.'
  const left = nextQuantity(drop)
  return left > 0 ? `${formatCount(left)} left from the last run.` : 'All sold last time. Enter how many you have now.'
}
