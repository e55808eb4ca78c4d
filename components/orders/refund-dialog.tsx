'use client'

import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { Dialog, DialogContent } from '@/components/ui/dialog'
import { describedBy, Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { callAction } from '@/lib/client/call-action'
import { toast } from '@/lib/client/toast-store'
import { useRefusal } from '@/lib/client/use-refusal'
import type { ServerAction } from '@/lib/kernel/action-outcome'
import { newId } from '@/lib/kernel/id'
import { formatUsd, parsePriceCents, toDecimal } from '@/lib/kernel/money'
import { orderTexts } from '@/lib/orders/messages'
import { restockableUnits } from '@/lib/orders/rules'
import type { RefundOrderInput } from '@/lib/orders/schema'

export type RefundAction = ServerAction<RefundOrderInput, 'succeeded' | 'pending'>

export type RefundableOrder = {
  id: string
  amountCents: number
  unitPriceCents: number
  quantity: number
  /** The refunds that were already sent, including pending ones. */
  refunds: { amountCents: number; restockUnits: number }[]
}

/**
 * Refunds all or a part of the payment. Each time the dialog is opened stands for one refund, however often its button
 * is pressed.
 */
export function RefundDialog({ order, action }: { order: RefundableOrder; action: RefundAction }) {
  const leftCents = order.refunds.reduce((left, refund) => left - refund.amountCents, order.amountCents)
  const [refundId, setRefundId] = useState<string | null>(null)
  const [amount, setAmount] = useState(toDecimal(leftCents))
  const [units, setUnits] = useState(0)
  const [isSending, setIsSending] = useState(false)
  const amountCents = parsePriceCents(amount)
  const mostUnits = restockableUnits(order, order.refunds, amountCents ?? 0)
  const id = `refund-${order.id}`
  const [problem, setProblem] = useRefusal(id)

  function open(isOpen: boolean) {
    setRefundId(isOpen ? newId('ref') : null)
    setAmount(toDecimal(leftCents))
    setUnits(0)
    setProblem(null)
  }

  async function send() {
    if (!refundId) return
    if (!amountCents) return setProblem(orderTexts.badRefund)
    setIsSending(true)
    setProblem(null)
    const restockUnits = Math.min(units, mostUnits)
    const outcome = await callAction(action, { orderId: order.id, refundId, amountCents, restockUnits })
    setIsSending(false)
    if (!outcome.ok) return setProblem(outcome.error)
    open(false)
    if (outcome.value === 'pending') toast({ title: 'Refund started', description: orderTexts.refundPending })
    else toast({ title: 'Refunded', description: 'The buyer gets a mail.' })
  }

  return (
    <>
      <Button variant="outline" onClick={() => open(true)}>
        Refund
      </Button>
      <Dialog open={refundId !== null} onOpenChange={open}>
        <DialogContent
          title="Refund"
          description={`${formatUsd(leftCents)} of ${formatUsd(order.amountCents)} can go back. The platform fee is returned in proportion. The card fee is not: Stripe keeps it, and it counts against your payouts.`}
          footer={
            <Button className="w-full" isBusy={isSending} onClick={() => void send()}>
              {isSending ? 'Refunding...' : `Refund ${amountCents ? formatUsd(amountCents) : ''}`}
            </Button>
          }
        >
          <div className="grid gap-4">
            <Field id={id} label="Amount in USD" error={problem}>
              <Input
                id={id}
                value={amount}
                inputMode="decimal"
                autoComplete="off"
                aria-invalid={problem ? true : undefined}
                aria-describedby={describedBy(id, { error: Boolean(problem) })}
                onChange={(event) => setAmount(event.target.value)}
              />
            </Field>
            <Field id={`${id}-units`} label="Back on sale" hint={orderTexts.restockHint}>
              <Select
                id={`${id}-units`}
                aria-describedby={`${id}-units-hint`}
                value={Math.min(units, mostUnits)}
                disabled={mostUnits === 0}
                onChange={(event) => setUnits(Number(event.target.value))}
              >
                {Array.from({ length: mostUnits + 1 }, (_, count) => (
                  <option key={count} value={count}>
                    {count === 0 ? 'Nothing' : `${count} ${count === 1 ? 'unit' : 'units'}`}
                  </option>
                ))}
              </Select>
            </Field>
          </div>
        </DialogContent>
      </Dialog>
    </>
  )
}
