'use client'

import { useQuery } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import { type ReactNode, useEffect, useState } from 'react'
import { noteOpenCheckout } from '@/components/drop-page/use-open-checkout'
import { Button } from '@/components/ui/button'
import { ApiError } from '@/lib/client/call-api'
import { toast } from '@/lib/client/toast-store'
import { openPayment } from './open-payment'
import { useServerSecond } from '@/lib/client/use-server-clock'
import { pathWithEarly } from '@/lib/drops/start/early-rules'
import type { DropView } from '@/lib/drops/view'
import { SECOND_MS } from '@/lib/kernel/time'
import { checkoutTexts } from '@/lib/checkout/messages'
import type { SelectedVariants } from '@/lib/checkout/schema'
import type { OrderDiscount, Shipping } from '@/lib/orders/view'
import { HoldOver } from './hold-over'
import { NotOpened } from './not-opened'
import { PurchaseSummary } from './purchase-summary'
import type { ConfirmState } from './use-confirm-payment'
import { useTypedDetails } from './use-typed-details'

// Stripe's script and the payment form are loaded only once a unit is held.
const PayForm = dynamic(() => import('./pay-form').then((module) => module.PayForm), { ssr: false })

type CheckoutScreenProps = {
  drop: DropView
  variants: SelectedVariants
  /** The discount code in the page's URL, with its discount. It is null when the URL has no code. */
  discount: OrderDiscount | null
  /** The country that the order is shipped to, with the surcharge; null when the price includes shipping. */
  shipping: Shipping | null
  /** The URL of this page without the code. */
  withoutCode: string
  /** The token of a follower's link in the URL, or undefined without one. */
  early: string | undefined
  /** Stripe's public key. It is null in the sandbox, where our own script replaces Stripe's. */
  publishableKey: string | null
  /** Who sells, as stated by the seller; null when nothing was stated. */
  soldBy: ReactNode
}

/**
 * Holds a unit and shows the embedded checkout, with the price, the seller and the time until which the unit is held
 * (docs/product.md#hosted-and-embedded-checkout).
 */
export function CheckoutScreen(props: CheckoutScreenProps) {
  const { drop, variants, discount, shipping, withoutCode, early, publishableKey, soldBy } = props
  const { payment, error, isFetching, refetch } = usePayment(drop, {
    selectedVariants: variants,
    code: discount?.code ?? '',
    country: shipping?.country,
    early,
  })
  const second = useServerSecond(drop.serverTime)
  const [attempt, setAttempt] = useState<ConfirmState>('none')
  // The typed details are kept here and not in the form, because each new hold gets a new form.
  const [typed, setTyped] = useTypedDetails()
  const [isAgain, setIsAgain] = useState(false)
  const dropPath = pathWithEarly(`/drop/${drop.identifier}`, early)
  const isOver = payment !== undefined && Date.parse(payment.expiresAt) <= second * SECOND_MS

  if (error && !isFetching) {
    return <NotOpened error={error} dropPath={dropPath} withoutCode={withoutCode} onTryAgain={refetch} />
  }
  // While a payment is being confirmed, the end of the hold is not reported, because the payment may still succeed.
  if (isOver && attempt !== 'running' && !isFetching) {
    const startAgain = () => {
      setIsAgain(true)
      refetch()
    }
    return (
      <HoldOver
        clientSecret={payment.clientSecret}
        isUnclear={attempt === 'unclear'}
        dropPath={dropPath}
        onStartAgain={startAgain}
      />
    )
  }
  const held = isOver && isFetching ? undefined : payment
  return (
    <main className="mx-auto grid max-w-4xl gap-6 px-5 pt-2 pb-10 md:grid-cols-[1fr_1.2fr] md:items-start md:gap-10">
      <PurchaseSummary
        drop={drop}
        variants={variants}
        discount={discount}
        shipping={shipping}
        second={second}
        soldBy={soldBy}
        expiresAt={held?.expiresAt}
        isReplacement={isAgain}
      />
      {held ? (
        <PayForm
          key={held.clientSecret}
          clientSecret={held.clientSecret}
          publishableKey={publishableKey}
          totalCents={drop.priceCents - (discount?.cents ?? 0) + (shipping?.cents ?? 0)}
          needsAddress={drop.productType === 'physical'}
          country={shipping?.country}
          typed={typed}
          onType={setTyped}
          onAttempt={setAttempt}
        />
      ) : (
        <Holding dropPath={dropPath} />
      )}
    </main>
  )
}

/** Holds a unit and opens its payment. A failure without a reason of the server is also announced by a toast. */
function usePayment(drop: DropView, wanted: Parameters<typeof openPayment>[1]) {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['payment-intent', drop.id, wanted.country],
    // When the page's URL has no code, an empty code is sent. The buyer then pays the full price that the page shows,
    // even if an open checkout had a code.
    queryFn: () => openPayment(drop.id, wanted),
    // The response is not cached. Another visit to this page asks the server again, and gets the same unit while the
    // hold lasts.
    gcTime: 0,
  })
  useEffect(() => {
    // The page shows the server's reason. A toast with a second reason would contradict it.
    const hasReason = error instanceof ApiError && error.serverText !== undefined
    if (error && !hasReason) toast({ title: 'Error', description: checkoutTexts.failedToInitialize, tone: 'bad' })
  }, [error])
  // The drop page then says that the unit is reserved.
  useEffect(() => {
    const [value = null] = Object.values(wanted.selectedVariants)
    if (data) noteOpenCheckout(drop.id, { value, quantity: 1 })
  }, [data, drop.id, wanted.selectedVariants])
  return { payment: data, error, isFetching, refetch: () => void refetch() }
}

/**
 * Says that the unit is being reserved. Without JavaScript this page cannot hold a unit, so it links back to the drop.
 */
function Holding({ dropPath }: { dropPath: string }) {
  return (
    <div>
      <p role="status" className="text-lg text-muted noscript:hidden">
        {checkoutTexts.reserving}
      </p>
      <noscript>
        <p className="mb-4 text-lg">
          Paying on this page needs JavaScript. On the drop&apos;s page you can buy without JavaScript.
        </p>
        <Button asChild>
          <a href={dropPath}>Back to the drop</a>
        </Button>
      </noscript>
    </div>
  )
}
