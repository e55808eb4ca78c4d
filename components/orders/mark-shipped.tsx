'use client'

import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { Button } from '@/components/ui/button'
import { Dialog, DialogContent } from '@/components/ui/dialog'
import { describedBy, Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { callAction } from '@/lib/client/call-action'
import { toast } from '@/lib/client/toast-store'
import { useRefusal } from '@/lib/client/use-refusal'
import { CARRIERS } from '@/lib/orders/rules'
import { type MarkShippedInput, markShippedSchema } from '@/lib/orders/schema'

export type MarkShippedAction = (input: MarkShippedInput) => Promise<{ ok: true } | { ok: false; error: string }>

type ShippingFormProps = {
  orderId: string
  action: MarkShippedAction
  carrier: string | null
  trackingNumber: string | null
  submit: string
  onDone?: () => void
}

/** Says that an order is on its way; carrier and tracking number when there are any. */
export function ShippingForm({ orderId, action, carrier, trackingNumber, submit, onDone }: ShippingFormProps) {
  const { register, handleSubmit, formState } = useForm<MarkShippedInput>({
    resolver: zodResolver(markShippedSchema),
    defaultValues: { orderId, carrier: carrier ?? '', trackingNumber: trackingNumber ?? '' },
  })
  const problemId = `shipping-problem-${orderId}`
  const [problem, setProblem] = useRefusal(problemId)
  const send = handleSubmit(async (input) => {
    setProblem(null)
    const outcome = await callAction(action, input)
    if (!outcome.ok) return setProblem(outcome.error)
    onDone?.()
    if (carrier === null) toast({ title: 'Marked as shipped', description: 'The buyer gets a mail.' })
    else toast({ title: 'Tracking updated' })
  })
  const ids = { carrier: `carrier-${orderId}`, trackingNumber: `tracking-${orderId}` }
  const control = (name: 'carrier' | 'trackingNumber') => ({
    id: ids[name],
    autoComplete: 'off',
    'aria-invalid': formState.errors[name] ? true : undefined,
    'aria-describedby': describedBy(ids[name], { error: Boolean(formState.errors[name]) }),
    ...register(name),
  })
  return (
    <form onSubmit={(event) => void send(event)} className="grid gap-4">
      {problem ? (
        <p
          id={problemId}
          tabIndex={-1}
          role="alert"
          className="rounded-control bg-bad/10 px-4 py-3 text-sm font-medium text-bad"
        >
          {problem}
        </p>
      ) : null}
      <Field id={ids.carrier} label="Carrier" optional error={formState.errors.carrier?.message}>
        <Input {...control('carrier')} placeholder="USPS" list={`${ids.carrier}-known`} />
        <datalist id={`${ids.carrier}-known`}>
          {CARRIERS.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      </Field>
      <Field id={ids.trackingNumber} label="Tracking number" optional error={formState.errors.trackingNumber?.message}>
        <Input {...control('trackingNumber')} enterKeyHint="send" autoCapitalize="characters" />
      </Field>
      <Button type="submit" size="lg" isBusy={formState.isSubmitting}>
        {submit}
      </Button>
    </form>
  )
}

type MarkShippedProps = Pick<ShippingFormProps, 'orderId' | 'action' | 'carrier' | 'trackingNumber'> & {
  isShipped: boolean
}

/** The way to that form from an order: the one thing to do before it is sent, a quiet correction afterwards. */
export function MarkShipped({ isShipped, ...form }: MarkShippedProps) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button variant={isShipped ? 'outline' : 'default'} onClick={() => setIsOpen(true)}>
        {isShipped ? 'Correct tracking' : 'Mark as shipped'}
      </Button>
      <Dialog open={isOpen} onOpenChange={setIsOpen}>
        <DialogContent
          title={isShipped ? 'Correct tracking' : 'Mark as shipped'}
          description={
            isShipped ? 'The order page shows it at once.' : 'The buyer gets a mail, and your share is sent.'
          }
        >
          <ShippingForm {...form} submit={isShipped ? 'Save' : 'Shipped'} onDone={() => setIsOpen(false)} />
        </DialogContent>
      </Dialog>
    </>
  )
}
