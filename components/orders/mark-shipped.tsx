'use client'

import { zodResolver } from '@hookform/resolvers/zod'
import { useRouter } from 'next/navigation'
import { useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { DialogSheet } from '@/components/ui/dialog-sheet'
import { FormProblem } from '@/components/ui/form-problem'
import { Input } from '@/components/ui/input'
import { LabeledField } from '@/components/ui/labeled-field'
import { callAction } from '@/lib/client/call-action'
import type { ServerAction } from '@/lib/kernel/action-outcome'
import { toast } from '@/lib/client/toast-store'
import { SETTLE_MS } from '@/lib/client/use-settling'
import { CARRIERS } from '@/lib/shipping/rules'
import { type MarkShippedInput, markShippedSchema } from '@/lib/shipping/schema'
import { lastCarrier } from './last-carrier'

export type MarkShippedAction = ServerAction<MarkShippedInput>

type ShippingFormProps = {
  orderId: string
  action: MarkShippedAction
  carrier: string | null
  trackingNumber: string | null
  /** The version of the address that the page shows; undefined for corrections of the tracking number. */
  addressVersion?: number | undefined
  submit: string
  /** The page of the next parcel, which is opened once this one is marked as shipped. */
  nextPath?: string | undefined
  /**
   * True when the page was opened from the parcel before. The button then ignores taps for a moment, because they may
   * be meant for the button of that parcel, which was in the same place.
   */
  isNext?: boolean
  onDone?: () => void
}

/**
 * Marks an order as shipped, with the carrier and tracking number when there are any. The form begins with the carrier
 * that was last used on this device.
 */
export function ShippingForm({
  orderId,
  action,
  carrier,
  trackingNumber,
  addressVersion,
  submit,
  nextPath,
  isNext = false,
  onDone,
}: ShippingFormProps) {
  const router = useRouter()
  const [isSettling, setIsSettling] = useState(isNext)
  const { control, handleSubmit, formState, setError, setValue, getValues } = useForm<MarkShippedInput>({
    resolver: zodResolver(markShippedSchema),
    defaultValues: { orderId, carrier: carrier ?? '', trackingNumber: trackingNumber ?? '', addressVersion },
  })
  const isFirstTime = carrier === null
  useEffect(() => {
    // The server does not know what this device remembers, so the field is filled in after hydration.
    if (isFirstTime && getValues('carrier') === '') setValue('carrier', lastCarrier.get())
  }, [isFirstTime, getValues, setValue])
  useEffect(() => {
    const timer = setTimeout(() => setIsSettling(false), SETTLE_MS)
    return () => clearTimeout(timer)
  }, [])
  const send = handleSubmit(async (input) => {
    const outcome = await callAction(action, input)
    if (!outcome.ok) return setError('root', { message: outcome.error })
    lastCarrier.set(input.carrier ?? '')
    onDone?.()
    if (nextPath) router.push(nextPath)
    if (isFirstTime) toast({ title: 'Marked as shipped', description: "We've emailed the buyer." })
    else toast({ title: 'Tracking updated' })
  })
  const ids = { carrier: `carrier-${orderId}`, trackingNumber: `tracking-${orderId}` }
  return (
    <form onSubmit={(event) => void send(event)} className="grid gap-4">
      <FormProblem error={formState.errors.root} takesFocus />
      <LabeledField control={control} name="carrier" id={ids.carrier} label="Carrier" optional>
        {(field) => <Input {...field} autoComplete="off" placeholder="USPS" list={`${ids.carrier}-known`} />}
      </LabeledField>
      <datalist id={`${ids.carrier}-known`}>
        {CARRIERS.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <LabeledField control={control} name="trackingNumber" id={ids.trackingNumber} label="Tracking number" optional>
        {(field) => <Input {...field} autoComplete="off" enterKeyHint="send" autoCapitalize="characters" />}
      </LabeledField>
      <Button type="submit" size="lg" isBusy={formState.isSubmitting} disabled={isSettling}>
        {submit}
      </Button>
    </form>
  )
}

type MarkShippedProps = Pick<
  ShippingFormProps,
  'orderId' | 'action' | 'carrier' | 'trackingNumber' | 'addressVersion'
> & {
  isShipped: boolean
  /** True when the seller's payout account can receive the payout. */
  isPayoutReady: boolean
}

/**
 * Opens the shipping form. Its button is the main action until the order is shipped, and a less prominent one for
 * corrections afterwards.
 */
export function MarkShipped({ isShipped, isPayoutReady, ...form }: MarkShippedProps) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button variant={isShipped ? 'outline' : 'default'} onClick={() => setIsOpen(true)}>
        {isShipped ? 'Correct tracking' : 'Mark as shipped'}
      </Button>
      <Dialog open={isOpen} onOpenChange={setIsOpen}>
        <DialogSheet
          title={isShipped ? 'Correct tracking' : 'Mark as shipped'}
          description={
            isShipped
              ? 'The buyer sees the new number right away.'
              : isPayoutReady
                ? "We'll email the buyer and send your payout."
                : "We'll email the buyer. Your payout waits until you connect payouts."
          }
        >
          <ShippingForm {...form} submit={isShipped ? 'Save' : 'Mark as shipped'} onDone={() => setIsOpen(false)} />
        </DialogSheet>
      </Dialog>
    </>
  )
}
