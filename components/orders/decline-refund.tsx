'use client'

import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { Dialog, DialogContent } from '@/components/ui/dialog'
import { describedBy, Field } from '@/components/ui/field'
import { Textarea } from '@/components/ui/input'
import { callAction } from '@/lib/client/call-action'
import { toast } from '@/lib/client/toast-store'
import { useRefusal } from '@/lib/client/use-refusal'
import type { ServerAction } from '@/lib/kernel/action-outcome'
import { orderTexts } from '@/lib/orders/messages'
import type { DeclineRefundInput } from '@/lib/orders/schema'

export type DeclineRefundAction = ServerAction<DeclineRefundInput>

type DeclineRefundProps = { orderId: string; requestId: string; action: DeclineRefundAction }

/** Declines a refund request with a reason, which the buyer reads word for word. */
export function DeclineRefund({ orderId, requestId, action }: DeclineRefundProps) {
  const [isOpen, setIsOpen] = useState(false)
  const [answer, setAnswer] = useState('')
  const [isSending, setIsSending] = useState(false)
  const id = `decline-${requestId}`
  const [problem, setProblem] = useRefusal(id)

  async function send() {
    if (answer.trim() === '') return setProblem(orderTexts.emptyAnswer)
    setIsSending(true)
    setProblem(null)
    const outcome = await callAction(action, { orderId, requestId, answer })
    setIsSending(false)
    if (!outcome.ok) return setProblem(outcome.error)
    setIsOpen(false)
    toast({ title: 'Request declined', description: 'The buyer gets your reason by mail.' })
  }

  return (
    <>
      <Button variant="outline" onClick={() => setIsOpen(true)}>
        Decline
      </Button>
      <Dialog open={isOpen} onOpenChange={setIsOpen}>
        <DialogContent
          title="Decline the refund"
          description="Your buyer gets the reason by mail and can write back. They may also turn to their bank."
          footer={
            <Button className="w-full" isBusy={isSending} onClick={() => void send()}>
              {isSending ? 'Sending...' : 'Decline the request'}
            </Button>
          }
        >
          <Field id={id} label="Why, in your words" error={problem}>
            <Textarea
              id={id}
              value={answer}
              maxLength={2000}
              aria-invalid={problem ? true : undefined}
              aria-describedby={describedBy(id, { error: Boolean(problem) })}
              onChange={(event) => setAnswer(event.target.value)}
            />
          </Field>
        </DialogContent>
      </Dialog>
    </>
  )
}
