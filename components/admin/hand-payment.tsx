'use client'

import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { DialogSheet } from '@/components/ui/dialog-sheet'
import { Input } from '@/components/ui/input'
import { LabeledField } from '@/components/ui/labeled-field'
import type { AdminOrderView } from '@/lib/admin/view'
import { failureText } from '@/lib/client/call-api'
import { callGuardedAction } from '@/lib/client/call-guarded-action'
import { toast } from '@/lib/client/toast-store'
import type { ServerAction } from '@/lib/kernel/action-outcome'
import { formatUsd, toDecimal } from '@/lib/kernel/money'
import { handPaymentTexts } from '@/lib/payouts/messages'
import { handPaymentFormSchema, type HandPaymentInput } from '@/lib/payouts/schema'
import { useStepUp } from '@/components/accounts/step-up-provider'

export type HandPaymentAction = ServerAction<HandPaymentInput, { recordedBefore: string | null }>

type HandPaymentProps = { order: AdminOrderView; onSend: HandPaymentAction }

/**
 * Shows a button that opens the form for recording a payout that was paid outside of Stripe
 * (docs/product.md#payouts-in-another-currency).
 */
export function HandPayment({ order, onSend }: HandPaymentProps) {
  const [isOpen, setIsOpen] = useState(false)
  const stepUp = useStepUp()
  const { control, handleSubmit, formState, setError, reset } = useForm({
    resolver: zodResolver(handPaymentFormSchema),
    defaultValues: emptyPayment(order),
  })
  const id = `by-hand-${order.id}`
  const seller = `@${order.seller ?? 'deleted'}`

  function open(isNow: boolean) {
    setIsOpen(isNow)
    reset(emptyPayment(order))
  }

  const send = handleSubmit(async ({ amount, reference }) => {
    try {
      const outcome = await stepUp(() =>
        callGuardedAction(onSend, { orderId: order.id, amountCents: amount, reference }),
      )
      if (!outcome.ok) {
        const field = outcome.field === 'reference' ? 'reference' : 'amount'
        return setError(field, { message: outcome.error }, { shouldFocus: true })
      }
      const { recordedBefore } = outcome.value
      if (recordedBefore) {
        const message = handPaymentTexts.recordedBefore(new Date(recordedBefore))
        return setError('reference', { message }, { shouldFocus: true })
      }
      setIsOpen(false)
      toast({ title: 'Payment recorded', description: `${formatUsd(amount)} to ${seller}` })
    } catch (error) {
      setError('amount', { message: failureText(error) }, { shouldFocus: true })
    }
  })

  return (
    <>
      <Button variant="outline" size="sm" onClick={() => open(true)}>
        Record a manual payout
      </Button>
      <Dialog open={isOpen} onOpenChange={open}>
        <DialogSheet
          title="Record a manual payout"
          description={
            order.byHandCents > 0
              ? handPaymentTexts.due(formatUsd(order.byHandCents), seller)
              : handPaymentTexts.nothingDue(seller)
          }
          footer={
            // Only a press of this button records the payment; the Enter key in a field does not.
            <Button className="w-full" isBusy={formState.isSubmitting} onClick={() => void send()}>
              Record payment
            </Button>
          }
        >
          <div className="grid gap-4">
            <LabeledField control={control} name="amount" id={id} label="Amount in USD">
              {(field) => <Input {...field} inputMode="decimal" autoComplete="off" />}
            </LabeledField>
            <LabeledField control={control} name="reference" id={`${id}-reference`} label="Payment reference">
              {(field) => <Input {...field} autoComplete="off" maxLength={100} />}
            </LabeledField>
          </div>
        </DialogSheet>
      </Dialog>
    </>
  )
}

/**
 * The form's first values. When nothing is due anymore, the administrator types the amount of a payment that was made
 * before.
 */
const emptyPayment = ({ byHandCents }: AdminOrderView) => ({
  amount: byHandCents > 0 ? toDecimal(byHandCents) : '',
  reference: '',
})
