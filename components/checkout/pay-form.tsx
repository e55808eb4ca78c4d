'use client'

import { zodResolver } from '@hookform/resolvers/zod'
import { Elements, PaymentElement, useElements, useStripe } from '@stripe/react-stripe-js'
import type { StripeError } from '@stripe/stripe-js'
import { useEffect, useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { describedBy, Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { countryName, SHIPPING_COUNTRIES } from '@/lib/kernel/country'
import { formatUsd } from '@/lib/kernel/money'
import { orderTexts } from '@/lib/orders/messages'
import { type BuyerDetails, buyerDetailsSchema, parcelDetailsSchema } from '@/lib/orders/schema'
import { loadPayments } from './load-payments'
import { paymentPath } from './open-payment'

/**
 * The state of a payment attempt: `running` while the bank has it, `unclear` when its answer was lost. A declined
 * attempt returns to `none`.
 */
export type Attempt = 'none' | 'running' | 'unclear'

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

/** Stripe's own card fields. In the sandbox a script with the same interface provides them (ADR 0024). */
export function PayForm({ clientSecret, publishableKey, ...rest }: PayFormProps) {
  const [stripe] = useState(() => loadPayments(publishableKey))
  return (
    <Elements stripe={stripe} options={{ clientSecret, appearance: { variables: { fontSizeBase: '16px' } } }}>
      <Fields clientSecret={clientSecret} {...rest} />
    </Elements>
  )
}

function Fields({
  clientSecret,
  totalCents,
  needsAddress,
  typed,
  onType,
  onAttempt,
}: Omit<PayFormProps, 'publishableKey'>) {
  const stripe = useStripe()
  const elements = useElements()
  const [problem, setProblem] = useState<string | null>(null)
  const [isReady, setIsReady] = useState(false)
  const [isPaid, setIsPaid] = useState(false)
  const problemRef = useRef<HTMLParagraphElement>(null)
  const { register, handleSubmit, formState, getValues } = useForm<BuyerDetails>({
    resolver: zodResolver(needsAddress ? parcelDetailsSchema : buyerDetailsSchema),
    defaultValues: typed,
  })
  useEffect(() => {
    if (problem) problemRef.current?.focus()
  }, [problem])

  const pay = handleSubmit(async (details) => {
    if (!stripe || !elements) return
    setProblem(null)
    onAttempt('running')
    const done = new URL(paymentPath(clientSecret), window.location.origin)
    const { email } = details
    const { error } = await stripe.confirmPayment({
      elements,
      redirect: 'if_required',
      confirmParams: {
        return_url: done.href,
        receipt_email: email,
        payment_method_data: { billing_details: { email } },
        ...(needsAddress ? { shipping: toShipping(details) } : {}),
      },
    })
    // An error about a payment that succeeded is ignored: it was paid in another tab, or by a press whose answer was
    // lost.
    if (error && error.payment_intent?.status !== 'succeeded') {
      onAttempt(isUnheard(error) ? 'unclear' : 'none')
      return setProblem(problemText(error))
    }
    setIsPaid(true)
    // The page is replaced, so that Back does not return to it: it would hold another unit.
    window.location.replace(done)
  })

  const isBusy = formState.isSubmitting || isPaid
  const control = (name: keyof BuyerDetails, autoComplete: string) => ({
    id: `buyer-${name}`,
    autoComplete,
    'aria-invalid': formState.errors[name] ? true : undefined,
    'aria-describedby': describedBy(`buyer-${name}`, { error: Boolean(formState.errors[name]) }),
    ...register(name),
  })
  const field = (name: keyof BuyerDetails, label: string, isOptional = false) => ({
    id: `buyer-${name}`,
    label,
    optional: isOptional,
    error: formState.errors[name]?.message,
  })
  return (
    <Card className="p-5">
      <form
        onSubmit={(event) => void pay(event)}
        onChange={() => onType(getValues())}
        noValidate
        className="grid gap-4"
        aria-label="Pay"
      >
        <Field {...field('email', 'Email')} hint="Your receipt and the link to your order go here.">
          <Input {...control('email', 'email')} type="email" inputMode="email" enterKeyHint="next" />
        </Field>
        {needsAddress ? (
          <fieldset className="grid gap-4">
            <legend className="mb-3 text-lg font-bold">Where it goes</legend>
            <Field {...field('name', 'Full name')}>
              <Input {...control('name', 'shipping name')} />
            </Field>
            <Field {...field('country', 'Country')}>
              <Select {...control('country', 'shipping country')}>
                {SHIPPING_COUNTRIES.map((code) => (
                  <option key={code} value={code}>
                    {countryName(code)}
                  </option>
                ))}
              </Select>
            </Field>
            <Field {...field('line1', 'Address line 1')}>
              <Input {...control('line1', 'shipping address-line1')} />
            </Field>
            <Field {...field('line2', 'Address line 2', true)}>
              <Input {...control('line2', 'shipping address-line2')} />
            </Field>
            <div className="grid grid-cols-2 gap-3">
              <Field {...field('city', 'City')}>
                <Input {...control('city', 'shipping address-level2')} />
              </Field>
              <Field {...field('postalCode', 'Postal code')}>
                <Input {...control('postalCode', 'shipping postal-code')} />
              </Field>
            </div>
            <Field {...field('state', 'State or region', true)}>
              <Input {...control('state', 'shipping address-level1')} />
            </Field>
            <Field {...field('phone', 'Phone')} hint="For the carrier only.">
              <Input {...control('phone', 'tel')} type="tel" inputMode="tel" />
            </Field>
          </fieldset>
        ) : null}
        <fieldset className="grid gap-3">
          <legend className="mb-3 text-lg font-bold">Card</legend>
          <PaymentElement
            options={{ fields: { billingDetails: { email: 'never' } } }}
            onReady={() => setIsReady(true)}
            onLoadError={() => setProblem('The card fields could not be loaded. Nothing was charged. Please reload.')}
          />
        </fieldset>
        {problem ? (
          <p ref={problemRef} tabIndex={-1} role="alert" className="rounded-control bg-bad/8 px-4 py-3 text-bad">
            {problem}
          </p>
        ) : null}
        <Button type="submit" variant="buy" size="large" disabled={!isReady || isBusy}>
          {isBusy ? 'Processing...' : `Pay ${formatUsd(totalCents)}`}
        </Button>
      </form>
    </Card>
  )
}

/** Returns true when the answer was lost. The payment itself may have gone through. */
function isUnheard({ type }: StripeError): boolean {
  return type === 'api_connection_error' || type === 'api_error'
}

/** Returns Stripe's message about the card, and adds that nothing was charged unless Stripe said so. */
function problemText(error: StripeError): string {
  const { type, message } = error
  if (isUnheard(error)) return orderTexts.noAnswer
  if (!message) return 'Your card was not charged. Please try again.'
  const isSaid = type !== 'card_error' || /charged|try again/i.test(message)
  return isSaid ? message : `${message} Nothing was charged: try again or use another card.`
}

function toShipping(details: BuyerDetails) {
  const { name = '', phone, line1 = '', line2, city, state, postalCode: postal_code, country } = details
  return { name, phone, address: { line1, line2, city, state, postal_code, country } }
}
