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
import { formatUsd } from '@/lib/kernel/money'
import { handRefundTexts } from '@/lib/refunds/messages'
import { handRefundFormSchema, type HandRefundInput } from '@/lib/refunds/schema'
import { useStepUp } from '@/components/accounts/step-up-provider'

export type HandRefundAction = ServerAction<HandRefundInput, void>

type HandRefundProps = { order: AdminOrderView; onSend: HandRefundAction }

/**
 * Shows a button that opens the form for recording a refund that Stripe could not make and that was paid to the buyer
 * in another way (docs/product.md#refunds).
 */
export function HandRefund({ order, onSend }: HandRefundProps) {
  const [isOpen, setIsOpen] = useState(false)
  const stepUp = useStepUp()
  const { control, handleSubmit, formState, setError, reset } = useForm({
    resolver: zodResolver(handRefundFormSchema),
    defaultValues: { reference: '' },
  })
  const amount = formatUsd(order.failedRefundCents)
  const buyer = order.buyerEmail ?? 'the buyer'

  function open(isNow: boolean) {
    setIsOpen(isNow)
    reset()
  }

  const send = handleSubmit(async ({ reference }) => {
    try {
      const outcome = await stepUp(() => callGuardedAction(onSend, { orderId: order.id, reference }))
      if (!outcome.ok) return setError('reference', { message: outcome.error }, { shouldFocus: true })
      setIsOpen(false)
      toast({ title: handRefundTexts.recorded, description: `${amount} to ${buyer}` })
    } catch (error) {
      setError('reference', { message: failureText(error) }, { shouldFocus: true })
    }
  })

  return (
    <>
      <Button variant="outline" size="sm" onClick={() => open(true)}>
        Record a manual refund
      </Button>
      <Dialog open={isOpen} onOpenChange={open}>
        <DialogSheet
          title="Record a manual refund"
          description={handRefundTexts.owed(amount, buyer)}
          footer={
            // Only a press of this button records the refund; the Enter key in the field does not.
            <Button className="w-full" isBusy={formState.isSubmitting} onClick={() => void send()}>
              Record refund
            </Button>
          }
        >
          <LabeledField control={control} name="reference" id={`refund-${order.id}`} label="Payment reference">
            {(field) => <Input {...field} autoComplete="off" maxLength={100} />}
          </LabeledField>
        </DialogSheet>
      </Dialog>
    </>
  )
}
