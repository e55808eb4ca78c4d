'use client'

import { useQuery } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import { useEffect, useState } from 'react'
import { DropImage } from '@/components/drops/drop-image'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { ApiError, failureText } from '@/lib/client/api'
import { toast } from '@/lib/client/toast-store'
import { useServerSecond } from '@/lib/client/use-server-clock'
import type { DropView } from '@/lib/drops/view'
import { formatUsd } from '@/lib/kernel/money'
import { SECOND_MS } from '@/lib/kernel/time'
import { orderTexts } from '@/lib/orders/messages'
import type { BuyerDetails } from '@/lib/orders/schema'
import { CheckoutProblem } from './checkout-problem'
import { HoldTimer } from './hold-timer'
import { NewsHeading } from './news-heading'
import { openPayment, paymentPath } from './open-payment'
import type { Attempt } from './pay-form'

// Stripe's script and the payment form are loaded only once there is something to pay.
const PayForm = dynamic(() => import('./pay-form').then((module) => module.PayForm), { ssr: false })

type CheckoutScreenProps = {
  drop: DropView
  variants: Record<string, never>
  /** It is null in the sandbox, where the stand-in's script replaces Stripe's. */
  publishableKey: string | null
}

/**
 * The embedded checkout: holds the unit, and shows what is paid to whom and until when the unit is held
 * (docs/product.md#hosted-and-embedded-checkout).
 */
export function CheckoutScreen({ drop, variants, publishableKey }: CheckoutScreenProps) {
  const payment = useQuery({
    queryKey: ['payment-intent', drop.id],
    queryFn: () => openPayment(drop.id, variants),
    // The unit is held for this page only. The next visit asks again, and the server answers with the same unit.
    gcTime: 0,
  })
  const second = useServerSecond(drop.serverTime)
  const [attempt, setAttempt] = useState<Attempt>('none')
  // The buyer's details are kept here, because every hold gets a new form and would otherwise lose them.
  const [typed, setTyped] = useState<BuyerDetails>({ email: '', country: 'US' })
  const [isAgain, setIsAgain] = useState(false)
  const dropPath = `/drop/${drop.identifier}`

  const { error, refetch, isFetching } = payment
  useEffect(() => {
    if (error) toast({ title: 'Error', description: orderTexts.failedToInitialize, tone: 'bad' })
  }, [error])

  if (error && !isFetching) {
    const isOff = error instanceof ApiError && error.code === 'PAYMENTS_OFF'
    const canRetry = !(error instanceof ApiError) || error.status === 503 || error.code === 'ALL_IN_CHECKOUT'
    return (
      <CheckoutProblem
        title={isOff ? orderTexts.paymentNotAvailableTitle : orderTexts.checkoutErrorTitle}
        text={error instanceof ApiError ? failureText(error) : orderTexts.failedToInitialize}
        dropPath={dropPath}
        isNews
      >
        {canRetry && !isOff ? <Button onClick={() => void refetch()}>Try again</Button> : null}
      </CheckoutProblem>
    )
  }
  const isOver = payment.data !== undefined && Date.parse(payment.data.expiresAt) <= second * SECOND_MS
  // While the bank processes the payment its outcome is unknown. It may still be paid, so the form must stay.
  if (isOver && attempt !== 'running' && !isFetching) {
    const isUnclear = attempt === 'unclear'
    const startAgain = () => {
      setIsAgain(true)
      void refetch()
    }
    return (
      <CheckoutProblem
        title={orderTexts.checkoutErrorTitle}
        text={isUnclear ? orderTexts.holdOverUnclear : orderTexts.holdOver}
        dropPath={dropPath}
        isNews
      >
        {isUnclear ? (
          <Button asChild>
            <a href={paymentPath(payment.data.clientSecret)}>See whether it is paid</a>
          </Button>
        ) : (
          <Button onClick={startAgain}>Start again</Button>
        )}
      </CheckoutProblem>
    )
  }
  const held = isOver && isFetching ? undefined : payment.data
  const Heading = isAgain ? NewsHeading : 'h1'
  const [image] = drop.images
  return (
    <main className="mx-auto grid max-w-4xl gap-6 px-5 pt-2 pb-24 md:grid-cols-[1fr_1.2fr] md:items-start md:gap-10">
      <section aria-label="What you are buying" className="grid gap-4 md:sticky md:top-6">
        <Heading className="text-3xl font-extrabold">Checkout</Heading>
        <Card className="flex items-center gap-4 p-4">
          {image ? (
            <div className="aspect-[4/5] w-20 shrink-0 overflow-hidden rounded-control">
              <DropImage image={image} alt="" sizes="80px" />
            </div>
          ) : null}
          <div className="grid gap-0.5">
            <p className="font-display text-lg leading-snug font-bold">{drop.title}</p>
            <p className="text-sm text-muted">by @{drop.user.username ?? drop.user.firstName}</p>
          </div>
        </Card>
        <dl className="tabular flex items-baseline justify-between gap-4">
          <dt className="text-muted">
            Total{drop.productType === 'physical' ? <span className="block text-xs">Shipping included</span> : null}
          </dt>
          <dd className="text-2xl font-bold">{formatUsd(drop.priceCents)} USD</dd>
        </dl>
        {held ? <HoldTimer expiresAt={held.expiresAt} second={second} /> : null}
        <p className="text-sm text-muted">{whatHappensNext[drop.productType]}</p>
      </section>
      {held ? (
        <PayForm
          key={held.clientSecret}
          clientSecret={held.clientSecret}
          publishableKey={publishableKey}
          totalCents={drop.priceCents}
          needsAddress={drop.productType === 'physical'}
          typed={typed}
          onType={setTyped}
          onAttempt={setAttempt}
        />
      ) : (
        <div>
          <p role="status" className="text-lg text-muted noscript:hidden">
            Holding one for you…
          </p>
          <noscript>
            <p className="mb-4 text-lg">
              This page pays with JavaScript. You can buy without it on the page of the drop.
            </p>
            <Button asChild>
              <a href={dropPath}>Back to the drop</a>
            </Button>
          </noscript>
        </div>
      )}
    </main>
  )
}

const whatHappensNext = {
  physical: 'The seller packs it and sends it to you. You get a mail now and another when it ships.',
  digital: 'Your file is on your order page the moment you have paid.',
  service: 'You get a mail, and the seller writes to you to arrange everything.',
} as const
