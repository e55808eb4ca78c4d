'use client'

import { zodResolver } from '@hookform/resolvers/zod'
import { Elements, PaymentElement } from '@stripe/react-stripe-js'
import type { Stripe } from '@stripe/stripe-js'
import { useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { FieldLegend, FieldSet } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { LabeledField } from '@/components/ui/labeled-field'
import { loadPayments } from './load-payments'
import { formatUsd } from '@/lib/kernel/money'
import { type BuyerDetails, buyerDetailsSchema, parcelDetailsSchema } from '@/lib/orders/address-schema'
import { AddressFields } from './address-fields'
import { PaymentProblem } from './payment-problem'
import { type ConfirmState, useConfirmPayment } from './use-confirm-payment'

type PayFormProps = {
  clientSecret: string
  publishableKey: string | null
  totalCents: number
  needsAddress: boolean
  /** The only country that the address may be in; undefined when the order may go to all countries. */
  country: string | undefined
  /** What the buyer typed on the form of an earlier hold. Card data is never part of it. */
  typed: BuyerDetails
  onType: (details: BuyerDetails) => void
  onAttempt: (attempt: ConfirmState) => void
}

/**
 * Shows the form of the embedded checkout with the buyer's details and Stripe's card fields. In the sandbox, our own
 * script with the same interface provides the card fields (ADR 0024).
 */
export function PayForm({ clientSecret, publishableKey, ...rest }: PayFormProps) {
  // <Elements> does not catch a rejected promise. Null leaves its fields empty, and <Fields> says why.
  const [stripe] = useState(() => loadPayments(publishableKey, true).catch(() => null))
  return (
    <Elements stripe={stripe} options={{ clientSecret, appearance: { variables: { fontSizeBase: '16px' } } }}>
      <Fields stripe={stripe} clientSecret={clientSecret} {...rest} />
    </Elements>
  )
}

type FieldsProps = Omit<PayFormProps, 'publishableKey'> & { stripe: Promise<Stripe | null> }

const NOT_LOADED = "We couldn't load the card form. You weren't charged. Please reload the page."

function Fields({ stripe, clientSecret, totalCents, needsAddress, country, typed, onType, onAttempt }: FieldsProps) {
  const [isReady, setIsReady] = useState(false)
  const { confirm, problem, setProblem, isPaid } = useConfirmPayment({ clientSecret, needsAddress, onAttempt })
  useEffect(() => {
    void stripe.then((loaded) => (loaded ? undefined : setProblem(NOT_LOADED)))
  }, [stripe, setProblem])
  const { control, handleSubmit, formState, getValues } = useForm<BuyerDetails>({
    resolver: zodResolver(needsAddress ? parcelDetailsSchema : buyerDetailsSchema),
    defaultValues: country ? { ...typed, country } : typed,
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
        <LabeledField
          control={control}
          name="email"
          id="buyer-email"
          label="Email"
          hint="We'll send your receipt and order link here."
        >
          {(field) => <Input {...field} type="email" autoComplete="email" inputMode="email" enterKeyHint="next" />}
        </LabeledField>
        {needsAddress ? <AddressFields control={control} countries={country ? [country] : null} /> : null}
        <FieldSet className="grid gap-3">
          <FieldLegend>Card</FieldLegend>
          <p role="status" className={isReady || problem ? 'sr-only' : 'text-sm text-muted'}>
            {isReady || problem ? '' : 'Loading the card form…'}
          </p>
          <PaymentElement
            options={{ fields: { billingDetails: { email: 'never' } } }}
            onReady={() => setIsReady(true)}
            onLoadError={() => setProblem(NOT_LOADED)}
          />
        </FieldSet>
        <PaymentProblem text={problem} />
        <Button type="submit" variant="buy" size="lg" disabled={!isReady || isBusy}>
          {isBusy ? 'Processing...' : `Pay ${formatUsd(totalCents)}`}
        </Button>
        <p className="text-sm text-muted">
          Secure payment through Stripe. By paying you agree to the <TermsLink>Terms</TermsLink>.{' '}
          <TermsLink part="#refunds">How refunds work</TermsLink>
        </p>
      </form>
    </Card>
  )
}

/** The link opens in a new tab, so that the buyer keeps the form. */
function TermsLink({ part = '', children }: { part?: string; children: string }) {
  return (
    <a
      href={`/terms-of-service${part}`}
      target="_blank"
      rel="noreferrer noopener"
      className="font-medium underline underline-offset-2"
    >
      {children}
    </a>
  )
}
