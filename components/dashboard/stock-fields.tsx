'use client'

import { useState } from 'react'
import { type Control, useFormState, useWatch } from 'react-hook-form'
import { KeyField } from '@/components/drops/key-field'
import { Fold } from '@/components/ui/fold'
import { Input } from '@/components/ui/input'
import { LabeledField } from '@/components/ui/labeled-field'
import { countedText, keyTexts } from '@/lib/drops/keys/key-messages'
import { capHintText, openTexts } from '@/lib/drops/editions/open-messages'
import { openOptionTexts } from '@/lib/drops/options/option-messages'
import { MAX_OPTION_NAME } from '@/lib/drops/options/option-rules'
import type { EditDropForm } from '@/lib/drops/edit-schema'
import type { EditDropFields } from '@/lib/drops/schema'
import type { SellerDropView } from '@/lib/drops/view'
import { formatCount } from '@/lib/kernel/format-count'

type StockFieldsProps = {
  control: Control<EditDropForm, unknown, EditDropFields & { images: File[] }>
  drop: SellerDropView
  isScheduled: boolean
}

/**
 * Shows the field for the units of each choice, for more keys, or for the units of any other drop. Until the start of a
 * drop that may have choices, choices can also be added and removed.
 */
export function StockFields({ control, drop, isScheduled }: StockFieldsProps) {
  if (drop.keys) {
    const hint = `${keyTexts.addHint} ${countedText(drop.keys.left)} left so far.`
    return <KeyField control={control} name="keys" id={`edit-keys-${drop.id}`} label={keyTexts.addLabel} hint={hint} />
  }
  if (isScheduled) return <ScheduledStock control={control} drop={drop} />
  if (drop.isOpenEdition) return <OpenStock control={control} drop={drop} />
  if (drop.option) {
    return <Choices control={control} drop={drop} label={`${drop.option.name} with units`} hint={optionsHint(drop)} />
  }
  return <Quantity control={control} drop={drop} label="Quantity" hint={increaseHint(drop)} />
}

type FieldProps = Omit<StockFieldsProps, 'isScheduled'>

/** Shows the cap of an open edition, and its choices until the first sale. After that, the choices are fixed. */
function OpenStock({ control, drop }: FieldProps) {
  return (
    <>
      <Quantity control={control} drop={drop} label={openTexts.capLabel} hint={capHintText(drop)} />
      {drop.option && drop.purchases === 0 ? (
        <Choices control={control} drop={drop} label={drop.option.name} hint={openOptionTexts.liveHint} />
      ) : null}
    </>
  )
}

/**
 * Shows the quantity, and a section for choices that is collapsed while there are none. With choices, there is no field
 * for the quantity, because the quantity is the sum of the units of all choices. That of an open edition is its cap.
 */
function ScheduledStock({ control, drop }: FieldProps) {
  const [isOpened, setIsOpened] = useState(drop.option !== undefined)
  const options = useWatch({ control, name: 'options' })
  const { errors } = useFormState({ control, name: ['optionName', 'options'] })
  const hasProblem = Boolean(errors.optionName ?? errors.options)
  const hasChoices = typeof options === 'string' && options.trim() !== ''
  return (
    <>
      {drop.isOpenEdition ? (
        <Quantity control={control} drop={drop} label={openTexts.capLabel} hint={capHintText(drop)} />
      ) : hasChoices ? null : (
        <Quantity control={control} drop={drop} label="Quantity" />
      )}
      <Fold line="Sizes, colors or other choices" isOpen={isOpened || hasProblem} onToggle={setIsOpened}>
        <LabeledField control={control} name="optionName" id={`edit-option-${drop.id}`} label="What buyers choose">
          {({ value, ...field }) => (
            <Input {...field} value={String(value ?? '')} maxLength={MAX_OPTION_NAME} autoComplete="off" />
          )}
        </LabeledField>
        <Choices
          control={control}
          drop={drop}
          label={drop.isOpenEdition ? openOptionTexts.label : 'Choices with their units'}
          hint={
            drop.isOpenEdition
              ? openOptionTexts.editHint
              : 'Up to 12, such as “S 5, M 10, L 5”. Leave this empty to sell without choices.'
          }
        />
      </Fold>
    </>
  )
}

function Choices({ control, drop, label, hint }: FieldProps & { label: string; hint: string }) {
  return (
    <LabeledField control={control} name="options" id={`edit-options-${drop.id}`} label={label} hint={hint}>
      {({ value, ...field }) => <Input {...field} value={String(value ?? '')} autoComplete="off" />}
    </LabeledField>
  )
}

function Quantity({ control, drop, label, hint }: FieldProps & { label: string; hint?: string }) {
  return (
    <LabeledField control={control} name="quantity" id={`edit-quantity-${drop.id}`} label={label} hint={hint}>
      {({ value, ...field }) => <Input {...field} value={String(value ?? '')} inputMode="numeric" autoComplete="off" />}
    </LabeledField>
  )
}

const increaseHint = ({ sold }: SellerDropView) =>
  `${formatCount(sold)} sold so far. You can only increase the quantity.`

/** Before the first sale all choices can change. Afterwards the hint says how many units of each choice were sold. */
function optionsHint({ purchases, values }: SellerDropView): string {
  if (purchases === 0) return 'You can change, add and remove choices until the first sale.'
  const sold = values.filter((value) => value.sold > 0).map((value) => `${value.value} ${formatCount(value.sold)}`)
  return `Sold so far: ${sold.join(', ') || 'none in this run'}. You can only increase the units.`
}
