'use client'

import { clsx } from 'clsx'
import { type SyntheticEvent, useEffect, useState } from 'react'
import { Button } from '@/components/ui/button'
import { ApiError } from '@/lib/client/call-api'
import { requestCheckout, type WaitingInLine } from '@/lib/client/request-checkout'
import { BUY_FORM } from './option-chips'
import { forgetOpenCheckout, isCheckoutOver, noteCheckoutAddress } from './use-open-checkout'
import { toast } from '@/lib/client/toast-store'
import { NativeSelect } from '@/components/ui/native-select'
import type { DropView } from '@/lib/drops/view'
import { formatUsd } from '@/lib/kernel/money'
import { startFailedText, waitText } from '@/lib/orders/messages'
import { unitsOnOffer } from '@/lib/orders/rules'

type BuyButtonProps = {
  drop: DropView
  /** The chosen value of the drop's option. When it is set, the stock and state in `drop` are those of this value. */
  value: string | null
  /** Shows the buyer that a value has to be chosen first. */
  askForChoice: () => void
  /**
   * True for the button in the bottom bar. It submits the form of the other buy button, because the option chips and the
   * discount code belong to that form.
   */
  isInBar?: boolean
  /**
   * True when no unit is free and this browser seems to hold some in an open checkout, so the button leads back to that
   * checkout.
   */
  isMine: boolean
  /** The chosen quantity. The two buy buttons of the page share it. */
  quantity: number
  onQuantity: (quantity: number) => void
  onRefused: () => void
  /** The discount code that is sent; undefined where the buyer has nothing to do with codes. */
  code: string | undefined
  /** Says why the code could not be used; null while it is tried (again). */
  onCodeRefused: (problem: string | null) => void
  className?: string
}

function label({ drop, isMine, code }: Pick<BuyButtonProps, 'drop' | 'isMine' | 'code'>, quantity: number): string {
  if (drop.state === 'ended') return 'Drop Expired'
  if (drop.state === 'soldOut') return 'Sold out'
  if (drop.state === 'paused') return 'Paused'
  if (drop.state === 'scheduled') return 'Not started yet'
  if (drop.available === 0) return isMine ? 'Continue to checkout' : 'All in checkout'
  const buy = `Buy${quantity > 1 ? ` ${quantity}` : ''}`
  // What the code takes off is known once it was checked, so the button promises no price.
  return code ? `${buy} with code` : `${buy} – ${formatUsd(drop.priceCents * quantity)}`
}

/**
 * A form that works without JavaScript. With JavaScript, the button shows its progress, and a buyer whose purchase is
 * refused stays on the page.
 */
export function BuyButton(props: BuyButtonProps) {
  const { drop, value, askForChoice, isInBar = false, isMine, quantity, onQuantity, onRefused, className } = props
  const { code, onCodeRefused } = props
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
    // The same refusal twice is a new one, which is announced again.
    onCodeRefused(null)
    try {
      const selectedVariants = drop.option && value !== null ? { [drop.option.name]: value } : undefined
      const body = { dropId: drop.id, productType: drop.productType, quantity: chosen, selectedVariants, code }
      const address = await requestCheckout(body, setWait)
      noteCheckoutAddress(drop.id, address, value)
      window.location.assign(address)
    } catch (error) {
      setIsProcessing(false)
      setWait(null)
      if (error instanceof ApiError && error.field === 'code') return onCodeRefused(error.text)
      const description = error instanceof ApiError ? error.text : startFailedText(navigator.onLine)
      toast({ title: 'Error', description, tone: 'bad', durationMs: 5000 })
      // Only a refused attempt to continue the open checkout removes the hint. A refused attempt to buy another value keeps
      // it.
      if (isMine && isCheckoutOver(error)) forgetOpenCheckout()
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
      id={isInBar ? undefined : BUY_FORM}
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
          {...(isInBar ? { form: BUY_FORM, name: 'barQuantity' } : {})}
        />
      ) : null}
      <Button
        type="submit"
        form={isInBar ? BUY_FORM : undefined}
        // Without this, a press would submit the other form, and only the button of that form would show the progress.
        onClick={isInBar ? submit : undefined}
        variant={canBuy ? 'buy' : 'outline'}
        size="bar"
        disabled={!canBuy || isProcessing}
        className="tabular min-w-28 flex-1"
      >
        {isProcessing ? 'Processing...' : label({ drop, isMine, code }, chosen)}
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
