'use client'

import { clsx } from 'clsx'
import { type SyntheticEvent, useEffect, useState } from 'react'
import { Button } from '@/components/ui/button'
import { ApiError, callApi } from '@/lib/client/call-api'
import { withWork } from '@/lib/client/with-work'
import { BUY_FORM } from './option-chips'
import { forgetOpenCheckout, noteCheckoutAddress } from './use-open-checkout'
import { toast } from '@/lib/client/toast-store'
import { NativeSelect } from '@/components/ui/native-select'
import type { DropView } from '@/lib/drops/view'
import { formatUsd } from '@/lib/kernel/money'
import { SECOND_MS } from '@/lib/kernel/time'
import { startFailedText, waitText } from '@/lib/orders/messages'
import { unitsOnOffer } from '@/lib/orders/rules'

type BuyButtonProps = {
  drop: DropView
  /** The chosen value of the drop's option; `drop` is then the drop as it stands for this value. */
  value: string | null
  /** Says that a value has to be chosen first. */
  askForChoice: () => void
  /** True in the bottom bar. If the drop has options, that button belongs to the other button's form, which has the chips. */
  isInBar?: boolean
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

/** The longest time until the place in the line is asked for again, so that the place shown is current. */
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
export function BuyButton(props: BuyButtonProps) {
  const { drop, value, askForChoice, isInBar = false, isMine, quantity, onQuantity, onRefused, className } = props
  const [isProcessing, setIsProcessing] = useState(false)
  const [wait, setWait] = useState<WaitingInLine | null>(null)
  const canBuy = (drop.state === 'live' && drop.available > 0) || isMine
  const onOffer = drop.state === 'live' ? unitsOnOffer(drop) : 0
  // Other buyers may have taken units since the quantity was chosen.
  const chosen = Math.max(1, Math.min(quantity, onOffer))

  useEffect(() => {
    // Going back from the payment page restores this page as it was left, with the button still processing.
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
      const selectedVariants = drop.option && value !== null ? { [drop.option.name]: value } : undefined
      const body = { dropId: drop.id, productType: drop.productType, quantity: chosen, selectedVariants }
      const address = await openCheckout(body, setWait)
      noteCheckoutAddress(drop.id, address, value)
      window.location.assign(address)
    } catch (error) {
      setIsProcessing(false)
      setWait(null)
      const description = error instanceof ApiError ? error.text : startFailedText(navigator.onLine)
      toast({ title: 'Error', description, tone: 'bad', durationMs: 5000 })
      // A buyer who wanted something else, and was refused, keeps the checkout they have.
      if (isMine) forgetOpenCheckout()
      onRefused()
    }
  }

  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    if (isProcessing) return
    if (drop.option && value === null && !isMine) askForChoice()
    else void buy()
  }

  return (
    <form
      id={drop.option && !isInBar ? BUY_FORM : undefined}
      method="post"
      action={`/drop/${drop.identifier}/buy`}
      className={clsx('flex flex-wrap gap-2', className)}
      onSubmit={submit}
    >
      {onOffer > 1 ? (
        <QuantityChoice
          most={onOffer}
          value={chosen}
          isDisabled={isProcessing}
          onChange={onQuantity}
          {...(drop.option && isInBar ? { form: BUY_FORM, name: 'barQuantity' } : {})}
        />
      ) : null}
      <Button
        type="submit"
        form={drop.option && isInBar ? BUY_FORM : undefined}
        // Without this, a press would submit the other form, and only the button of that form would show the progress.
        onClick={drop.option && isInBar ? submit : undefined}
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

type QuantityChoiceProps = {
  most: number
  value: number
  isDisabled: boolean
  onChange: (quantity: number) => void
  name?: string
  form?: string
}

function QuantityChoice({ most, value, isDisabled, onChange, name = 'quantity', form }: QuantityChoiceProps) {
  return (
    <span className="w-21 shrink-0">
      <NativeSelect
        name={name}
        form={form}
        aria-label="Quantity"
        value={value}
        disabled={isDisabled}
        onChange={(event) => onChange(Number(event.target.value))}
        size="lg"
        className="tabular font-semibold"
      >
        {Array.from({ length: most }, (_, position) => (
          <option key={position} value={position + 1}>
            {position + 1}
          </option>
        ))}
      </NativeSelect>
    </span>
  )
}
