'use client'

import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { type Control, useForm, useWatch } from 'react-hook-form'
import type { z } from 'zod/mini'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { DialogSheet } from '@/components/ui/dialog-sheet'
import { Input } from '@/components/ui/input'
import { LabeledField } from '@/components/ui/labeled-field'
import { NativeSelect } from '@/components/ui/native-select'
import { SwitchField } from '@/components/ui/switch-field'
import { callAction } from '@/lib/client/call-action'
import type { ServerAction } from '@/lib/kernel/action-outcome'
import { toast } from '@/lib/client/toast-store'
import { newId } from '@/lib/kernel/id'
import { formatUsd, parsePriceCents, toDecimal } from '@/lib/kernel/money'
import { refundTexts } from '@/lib/refunds/messages'
import type { EditionView } from '@/lib/drops/editions/edition-view'
import { restockableUnits, shippingLeftCents, shownKeysOf } from '@/lib/orders/refund-rules'
import { refundFormSchema, type RefundOrderInput } from '@/lib/refunds/schema'

export type RefundAction = ServerAction<RefundOrderInput, 'succeeded' | 'pending'>

export type RefundableOrder = {
  id: string
  amountCents: number
  unitPriceCents: number
  shipping: { cents: number } | null
  quantity: number
  /** The numbers of the order's units; null unless the drop is numbered. */
  edition: EditionView | null
  keys: { shownAt: string | null }[]
  /** The refunds that were already sent, including pending ones. */
  refunds: { amountCents: number; restockUnits: number; shippingCents: number }[]
}

/**
 * Refunds all or a part of the payment. Each opening of the dialog sends at most one refund, however often its button
 * is pressed.
 */
export function RefundDialog({ order, action }: { order: RefundableOrder; action: RefundAction }) {
  const leftCents = order.refunds.reduce((left, refund) => left - refund.amountCents, order.amountCents)
  const [refundId, setRefundId] = useState<string | null>(null)
  const blank = { amount: toDecimal(leftCents), restockUnits: 0, isForShipping: false }
  const { control, handleSubmit, formState, reset, setError, setValue } = useForm({
    resolver: zodResolver(refundFormSchema),
    defaultValues: blank,
  })
  const [typed, isForShipping] = useWatch({ control, name: ['amount', 'isForShipping'] })
  const amountCents = parsePriceCents(typed)
  const shippingCents = shippingLeftCents({ ...order, shippingCents: order.shipping?.cents ?? 0 }, order.refunds)
  const shownKeys = shownKeysOf(order)
  const stock = { ...order, isNumbered: order.edition !== null, shownKeys }
  const mostUnits = isForShipping ? 0 : restockableUnits(stock, order.refunds, amountCents ?? 0)
  const id = `refund-${order.id}`

  function setOpen(isOpen: boolean) {
    setRefundId(isOpen ? newId('ref') : null)
    reset(blank)
  }

  function chooseShipping(isChosen: boolean) {
    setValue('isForShipping', isChosen)
    setValue('amount', toDecimal(isChosen ? shippingCents : leftCents), { shouldValidate: true })
  }

  const send = handleSubmit(async ({ amount, restockUnits, ...choice }) => {
    if (!refundId) return
    const units = Math.min(restockUnits, mostUnits)
    const input = { orderId: order.id, refundId, amountCents: amount, restockUnits: units, ...choice }
    const outcome = await callAction(action, input)
    if (!outcome.ok) return setError('amount', { message: outcome.error }, { shouldFocus: true })
    setOpen(false)
    if (outcome.value === 'pending') toast({ title: 'Refund started', description: refundTexts.refundPending })
    else toast({ title: 'Refunded', description: "We've emailed the buyer." })
  })

  return (
    <>
      <Button variant="outline" onClick={() => setOpen(true)}>
        Refund
      </Button>
      <Dialog open={refundId !== null} onOpenChange={setOpen}>
        <DialogSheet
          title="Refund"
          description={`You can still refund ${formatUsd(leftCents)} of ${formatUsd(order.amountCents)}. We return our fee in proportion. Stripe keeps the card fee, so we deduct it from your payouts.`}
          footer={
            // Only a press of this button sends money; the Enter key in the field above does not.
            <Button className="w-full" isBusy={formState.isSubmitting} onClick={() => void send()}>
              {formState.isSubmitting ? 'Refunding…' : `Refund ${amountCents ? formatUsd(amountCents) : ''}`}
            </Button>
          }
        >
          <div className="grid gap-4">
            <LabeledField control={control} name="amount" id={id} label="Amount in USD">
              {(field) => <Input {...field} inputMode="decimal" autoComplete="off" />}
            </LabeledField>
            {shippingCents > 0 ? (
              <SwitchField
                label={refundTexts.refundsShipping}
                hint={refundTexts.refundsShippingHint}
                checked={isForShipping}
                onCheckedChange={chooseShipping}
              />
            ) : null}
            <RestockField control={control} id={`${id}-units`} most={mostUnits} hint={restockHint(order, shownKeys)} />
          </div>
        </DialogSheet>
      </Dialog>
    </>
  )
}

/** Why units of this order cannot go back on sale, or when they can. */
function restockHint(order: RefundableOrder, shownKeys: number): string {
  if (order.edition) return refundTexts.restockNumbered
  return shownKeys > 0 ? refundTexts.restockShown : refundTexts.restockHint
}

type RestockFieldProps = {
  control: Control<z.input<typeof refundFormSchema>, unknown, z.output<typeof refundFormSchema>>
  id: string
  most: number
  hint: string
}

/** Chooses how many of the refunded units go back on sale. */
function RestockField({ control, id, most, hint }: RestockFieldProps) {
  return (
    <LabeledField control={control} name="restockUnits" id={id} label="Restock" hint={hint}>
      {(field) => (
        <NativeSelect
          {...field}
          value={Math.min(field.value, most)}
          disabled={most === 0}
          onChange={(event) => field.onChange(Number(event.target.value))}
        >
          {Array.from({ length: most + 1 }, (_, count) => (
            <option key={count} value={count}>
              {count === 0 ? 'None' : `${count} ${count === 1 ? 'unit' : 'units'}`}
            </option>
          ))}
        </NativeSelect>
      )}
    </LabeledField>
  )
}
