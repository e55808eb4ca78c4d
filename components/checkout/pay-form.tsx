'use client'

import { zodResolver } from '@hookform/resolvers/zod'
import { Elements, PaymentElement } from '@stripe/react-stripe-js'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { FieldLegend, FieldSet } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { LabelledField } from '@/components/ui/labelled-field'
import { loadPayments } from './load-payments'
import { formatUsd } from '@/lib/kernel/money'
import { type BuyerDetails, buyerDetailsSchema, parcelDetailsSchema } from '@/lib/orders/schema'
import { AddressFields } from './address-fields'
import { PaymentProblem } from './payment-problem'
import { type Attempt, useConfirmPayment } from './use-confirm-payment'

type PayFormProps = {
  clientSecret: string
  publishableKey: string | null
  totalCents: number
  needsAddress: boolean
  /** What the buyer typed on the form of an earlier hold. Card data is never part of it. */
  typed: BuyerDetails
  onType: (details: BuyerDetails) => void
  onAttempt: (attempt: Attempt) => void
}

/**
 * Shows the form of the embedded checkout: the buyer's details, and Stripe's own card fields. In the sandbox, a script
 * of ours with the same interface provides the card fields (ADR 0024).
 */
export function PayForm({ clientSecret, publishableKey, ...rest }: PayFormProps) {
  const [stripe] = useState(() => loadPayments(publishableKey))
  return (
    <Elements stripe={stripe} options={{ clientSecret, appearance: { variables: { fontSizeBase: '16px' } } }}>
      <Fields clientSecret={clientSecret} {...rest} />
    </Elements>
  )
}

type FieldsProps = Omit<PayFormProps, 'publishableKey'>

function Fields({ clientSecret, totalCents, needsAddress, typed, onType, onAttempt }: FieldsProps) {
  const [isReady, setIsReady] = useState(false)
  const { confirm, problem, setProblem, isPaid } = useConfirmPayment({ clientSecret, needsAddress, onAttempt })
  const { control, handleSubmit, formState, getValues } = useForm<BuyerDetails>({
    resolver: zodResolver(needsAddress ? parcelDetailsSchema : buyerDetailsSchema),
    defaultValues: typed,
  })
  const pay = handleSubmit(confirm)
  const isBusy = formState.isSubmitting || isPaid
  return (
    <Card className="p-5">
      <form
        onSubmit={(event) => void pay(event)}
        onChange={() => onType(getValues())}
        noValidate
        className="grid gap-4"
        aria-label="Pay"
      >
        <LabelledField
          control={control}
          name="email"
          id="buyer-email"
          label="Email"
          hint="We'll send your receipt and order link here."
        >
          {(field) => <Input {...field} type="email" autoComplete="email" inputMode="email" enterKeyHint="next" />}
        </LabelledField>
        {needsAddress ? <AddressFields control={control} /> : null}
        <FieldSet className="grid gap-3">
          <FieldLegend>Card</FieldLegend>
          <PaymentElement
            options={{ fields: { billingDetails: { email: 'never' } } }}
            onReady={() => setIsReady(true)}
            onLoadError={() =>
              setProblem("We couldn't load the card form. You weren't charged. Please reload the page.")
            }
          />
        </FieldSet>
        <PaymentProblem text={problem} />
        <Button type="submit" variant="buy" size="lg" disabled={!isReady || isBusy}>
          {isBusy ? 'Processing...' : `Pay ${formatUsd(totalCents)}`}
        </Button>
      </form>
    </Card>
  )
}
