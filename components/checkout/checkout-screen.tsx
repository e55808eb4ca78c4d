'use client'

import { useQuery } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import { useEffect, useState } from 'react'
import { Button } from '@/components/ui/button'
import { toast } from '@/lib/client/toast-store'
import { openPayment } from './open-payment'
import { useServerSecond } from '@/lib/client/use-server-clock'
import type { DropView } from '@/lib/drops/view'
import { SECOND_MS } from '@/lib/kernel/time'
import { orderTexts } from '@/lib/orders/messages'
import type { SelectedVariants } from '@/lib/orders/schema'
import type { Discount } from '@/lib/orders/view'
import { HoldOver } from './hold-over'
import { NotOpened } from './not-opened'
import { PurchaseSummary } from './purchase-summary'
import type { Attempt } from './use-confirm-payment'
import { useTypedDetails } from './use-typed-details'

// Stripe's script and the payment form are loaded only once there is something to pay.
const PayForm = dynamic(() => import('./pay-form').then((module) => module.PayForm), { ssr: false })

type CheckoutScreenProps = {
  drop: DropView
  variants: SelectedVariants
  /** The discount code in the page's address, and what it takes off; null without one. */
  discount: Discount | null
  /** The address of this page without the code. */
  withoutCode: string
  /** It is null in the sandbox, where the stand-in's script replaces Stripe's. */
  publishableKey: string | null
}

/**
 * The embedded checkout: holds the unit, and shows what is paid to whom and until when the unit is held
 * (docs/product.md#hosted-and-embedded-checkout).
 */
export function CheckoutScreen(props: CheckoutScreenProps) {
  const { drop, variants, discount, withoutCode, publishableKey } = props
  const { payment, error, isFetching, refetch } = usePayment(drop, variants, discount?.code)
  const second = useServerSecond(drop.serverTime)
  const [attempt, setAttempt] = useState<Attempt>('none')
  // Kept here and not in the form, because each new hold gets a new form.
  const [typed, setTyped] = useTypedDetails()
  const [isAgain, setIsAgain] = useState(false)
  const dropPath = `/drop/${drop.identifier}`
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
    <main className="mx-auto grid max-w-4xl gap-6 px-5 pt-2 pb-24 md:grid-cols-[1fr_1.2fr] md:items-start md:gap-10">
      <PurchaseSummary {...{ drop, variants, discount, second }} expiresAt={held?.expiresAt} isNews={isAgain} />
      {held ? (
        <PayForm
          key={held.clientSecret}
          clientSecret={held.clientSecret}
          publishableKey={publishableKey}
          totalCents={drop.priceCents - (discount?.cents ?? 0)}
          needsAddress={drop.productType === 'physical'}
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

/** Takes a unit and opens its payment. A failure is announced by a toast as well. */
function usePayment(drop: DropView, variants: SelectedVariants, code: string | undefined) {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['payment-intent', drop.id],
    // Without a code in its address the page asks for none, also when an open checkout has one: it shows the full price.
    queryFn: () => openPayment(drop.id, variants, code ?? ''),
    // The hold is not cached: another visit to this page asks again and gets the same unit.
    gcTime: 0,
  })
  useEffect(() => {
    if (error) toast({ title: 'Error', description: orderTexts.failedToInitialize, tone: 'bad' })
  }, [error])
  return { payment: data, error, isFetching, refetch: () => void refetch() }
}

/** Shown until the unit is held. Without JavaScript this page cannot hold one and leads back to the drop. */
function Holding({ dropPath }: { dropPath: string }) {
  return (
    <div>
      <p role="status" className="text-lg text-muted noscript:hidden">
        Reserving one for you…
      </p>
      <noscript>
        <p className="mb-4 text-lg">
          Paying on this page needs JavaScript. You can buy without it on the drop&apos;s page.
        </p>
        <Button asChild>
          <a href={dropPath}>Back to the drop</a>
        </Button>
      </noscript>
    </div>
  )
}
