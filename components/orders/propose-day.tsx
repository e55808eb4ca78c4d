'use client'

import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { Button } from '@/components/ui/button'
import { FormProblem } from '@/components/ui/form-problem'
import { Input } from '@/components/ui/input'
import { LabeledField } from '@/components/ui/labeled-field'
import { callAction } from '@/lib/client/call-action'
import { toast } from '@/lib/client/toast-store'
import type { ServerAction } from '@/lib/kernel/action-outcome'
import { type ProposeShipDayInput, proposeShipDaySchema } from '@/lib/shipping/schema'

export type ProposeDayAction = ServerAction<ProposeShipDayInput>

/** Lets the seller name a later day to ship, once for each promised day. The buyer is asked to wait for it. */
export function ProposeDay({ orderId, action }: { orderId: string; action: ProposeDayAction }) {
  const { control, handleSubmit, formState, setError } = useForm<ProposeShipDayInput>({
    resolver: zodResolver(proposeShipDaySchema),
    defaultValues: { orderId, day: '' },
  })
  const send = handleSubmit(async (input) => {
    const outcome = await callAction(action, input)
    if (outcome.ok) return toast({ title: 'We asked your buyer', description: "We've emailed them the new day." })
    setError(outcome.field === 'day' ? 'day' : 'root', { message: outcome.error }, { shouldFocus: true })
  })
  return (
    <form onSubmit={(event) => void send(event)} className="grid gap-3">
      <FormProblem error={formState.errors.root} takesFocus />
      <LabeledField
        control={control}
        name="day"
        id={`new-day-${orderId}`}
        label="New day to ship"
        hint="You can name a new day only once. Your buyer can wait or get a refund."
      >
        {(field) => <Input {...field} type="date" className="tabular" />}
      </LabeledField>
      <Button type="submit" variant="outline" isBusy={formState.isSubmitting} className="justify-self-start">
        Ask your buyer to wait
      </Button>
    </form>
  )
}
