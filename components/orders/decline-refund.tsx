'use client'

import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { z } from 'zod/mini'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { DialogSheet } from '@/components/ui/dialog-sheet'
import { LabeledField } from '@/components/ui/labeled-field'
import { Textarea } from '@/components/ui/textarea'
import { callAction } from '@/lib/client/call-action'
import type { ServerAction } from '@/lib/kernel/action-outcome'
import { toast } from '@/lib/client/toast-store'
import { type DeclineRefundInput, declineRefundSchema } from '@/lib/refunds/schema'

export type DeclineRefundAction = ServerAction<DeclineRefundInput>

const formSchema = z.pick(declineRefundSchema, { answer: true })

type DeclineRefundProps = { orderId: string; requestId: string; action: DeclineRefundAction }

/** Declines a refund request with a reason, which is sent to the buyer word for word. */
export function DeclineRefund({ orderId, requestId, action }: DeclineRefundProps) {
  const [isOpen, setIsOpen] = useState(false)
  const { control, handleSubmit, formState, setError } = useForm({
    resolver: zodResolver(formSchema),
    defaultValues: { answer: '' },
  })
  const id = `decline-${requestId}`

  const send = handleSubmit(async ({ answer }) => {
    const outcome = await callAction(action, { orderId, requestId, answer })
    if (!outcome.ok) return setError('answer', { message: outcome.error }, { shouldFocus: true })
    setIsOpen(false)
    toast({ title: 'Request declined', description: "We've emailed your reason to the buyer." })
  })

  return (
    <>
      <Button variant="outline" onClick={() => setIsOpen(true)}>
        Decline
      </Button>
      <Dialog open={isOpen} onOpenChange={setIsOpen}>
        <DialogSheet
          title="Decline the refund"
          description="We'll email your reason to the buyer, who can reply. They may also contact their bank."
          footer={
            <Button type="submit" form={`${id}-form`} className="w-full" isBusy={formState.isSubmitting}>
              {formState.isSubmitting ? 'Sending…' : 'Decline the request'}
            </Button>
          }
        >
          <form id={`${id}-form`} noValidate onSubmit={(event) => void send(event)}>
            <LabeledField control={control} name="answer" id={id} label="Your reason">
              {(field) => <Textarea {...field} maxLength={2000} />}
            </LabeledField>
          </form>
        </DialogSheet>
      </Dialog>
    </>
  )
}
