'use client'

import { clsx } from 'clsx'
import { useEffect, useState } from 'react'
import { Button } from '@/components/ui/button'
import { ApiError, callApi } from '@/lib/client/call-api'
import { withWork } from '@/lib/client/with-work'
import { forgetOpenCheckout } from './use-open-checkout'
import { toast } from '@/lib/client/toast-store'
import { NativeSelect } from '@/components/ui/native-select'
import type { DropView } from '@/lib/drops/view'
import { formatUsd } from '@/lib/kernel/money'
import { SECOND_MS } from '@/lib/kernel/time'
import { orderTexts, waitText } from '@/lib/orders/messages'
import { unitsOnOffer } from '@/lib/orders/rules'

type BuyButtonProps = {
  drop: DropView
  /** True when this browser holds units of the drop in an open checkout. */
  isMine: boolean
  /** The chosen quantity. The two buy buttons of the page share it. */
  quantity: number
  onQuantity: (quantity: number) => void
  onRefused: () => void
  className?: string
}

function label({ drop, isMine }: Pick<BuyButtonProps, 'drop' | 'isMine'>, quantity: number): string {
  if (drop.state === 'ended') return 'Drop Expired'
  if (drop.state === 'soldOut') return 'Sold out'
  if (drop.state === 'paused') return 'Paused'
  if (drop.available === 0) return isMine ? 'Continue to checkout' : 'All in checkout'
  return `Buy${quantity > 1 ? ` ${quantity}` : ''} – ${formatUsd(drop.priceCents * quantity)}`
}

type WaitingInLine = { ahead: number; seconds: number }

/** A place in the line is asked for again this often, so that it is a true one. */
const LOOK_AGAIN_S = 5

/**
 * Asks for the card page until it is there: when many buy at once, the units are held and each buyer waits in line.
 * @param onWait is called with the buyer's place each time it is known.
 * @returns the address of the card page
 */
async function openCheckout(body: object, onWait: (wait: WaitingInLine) => void): Promise<string> {
  for (;;) {
    const answer = await withWork((work) =>
      callApi<{ url: string } | { wait: WaitingInLine }>('POST', '/api/checkout/create-session', {
        ...body,
        ...(work ? { work } : {}),
      }),
    )
    if ('url' in answer) return answer.url
    onWait(answer.wait)
    const seconds = Math.min(LOOK_AGAIN_S, answer.wait.seconds)
    await new Promise((resolve) => setTimeout(resolve, seconds * SECOND_MS))
  }
}

/**
 * A form that works without JavaScript. With it, the button shows its progress, and a refused purchase does not leave
 * the page.
 */
export function BuyButton({ drop, isMine, quantity, onQuantity, onRefused, className }: BuyButtonProps) {
  const [isProcessing, setIsProcessing] = useState(false)
  const [wait, setWait] = useState<WaitingInLine | null>(null)
  const canBuy = (drop.state === 'live' && drop.available > 0) || isMine
  const onOffer = drop.state === 'live' ? unitsOnOffer(drop) : 0
  // Other buyers may have taken units since the quantity was chosen.
  const chosen = Math.max(1, Math.min(quantity, onOffer))

  useEffect(() => {
    // Back from the payment page restores this page as it was left, with the button still processing.
    const wake = (event: PageTransitionEvent) => {
      if (!event.persisted) return
      setIsProcessing(false)
      setWait(null)
    }
    window.addEventListener('pageshow', wake)
    return () => window.removeEventListener('pageshow', wake)
  }, [])

  async function buy() {
    setIsProcessing(true)
    try {
      const body = { dropId: drop.id, productType: drop.productType, quantity: chosen }
      window.location.assign(await openCheckout(body, setWait))
    } catch (error) {
      setIsProcessing(false)
      setWait(null)
      const description = error instanceof ApiError ? error.text : orderTexts.failedToStart
      toast({ title: 'Error', description, tone: 'bad', durationMs: 5000 })
      forgetOpenCheckout()
      onRefused()
    }
  }

  return (
    <form
      method="post"
      action={`/drop/${drop.identifier}/buy`}
      className={clsx('flex flex-wrap gap-2', className)}
      onSubmit={(event) => {
        event.preventDefault()
        if (!isProcessing) void buy()
      }}
    >
      {onOffer > 1 ? (
        <span className="w-21 shrink-0">
          <NativeSelect
            name="quantity"
            aria-label="Quantity"
            value={chosen}
            disabled={isProcessing}
            onChange={(event) => onQuantity(Number(event.target.value))}
            size="lg"
            className="tabular font-semibold"
          >
            {Array.from({ length: onOffer }, (_, position) => (
              <option key={position} value={position + 1}>
                {position + 1}
              </option>
            ))}
          </NativeSelect>
        </span>
      ) : null}
      <Button
        type="submit"
        variant={canBuy ? 'buy' : 'outline'}
        size="bar"
        disabled={!canBuy || isProcessing}
        className="tabular min-w-28 flex-1"
      >
        {isProcessing ? 'Processing...' : label({ drop, isMine }, chosen)}
      </Button>
      {wait ? (
        <p role="status" className="tabular w-full text-sm text-muted">
          {waitText(wait)}
        </p>
      ) : null}
    </form>
  )
}
