'use client'

import { clsx } from 'clsx'
import { type SyntheticEvent, useEffect, useState } from 'react'
import { Button } from '@/components/ui/button'
import { ApiError } from '@/lib/client/call-api'
import { requestCheckout, type WaitingInLine } from '@/lib/client/request-checkout'
import { BUY_FORM } from './option-chips'
import type { ChosenCountry } from './use-chosen-country'
import { forgetOpenCheckout, isCheckoutOver, noteOpenCheckout } from './use-open-checkout'
import { toast } from '@/lib/client/toast-store'
import { NativeSelect } from '@/components/ui/native-select'
import { dropTexts } from '@/lib/drops/messages'
import { openTexts } from '@/lib/drops/editions/open-messages'
import { isCanceled } from '@/lib/drops/rules'
import type { DropView } from '@/lib/drops/view'
import { formatUsd } from '@/lib/kernel/money'
import { startFailedText, checkoutTexts } from '@/lib/checkout/messages'
import { waitText } from '@/lib/checkout/hold/line-messages'
import { quantityToBuy, unitsOnOffer } from '@/lib/checkout/rules'

export type BuyButtonProps = {
  drop: DropView
  /** The chosen value of the drop's option. When it is set, the stock and state in `drop` are those of this value. */
  value: string | null
  /** Shows the buyer that a value has to be chosen first. */
  askForChoice: () => void
  /**
   * True for the button in the bottom bar. Without JavaScript this button submits the form of the other buy button,
   * because the option chips and the discount code belong to that form.
   */
  isInBar?: boolean
  /**
   * True when no unit of a live drop is free and this browser seems to hold some in an open checkout. The button then
   * leads back to that checkout.
   */
  isMine: boolean
  /** The chosen quantity. The two buy buttons of the page share it. */
  quantity: number
  onQuantity: (quantity: number) => void
  onRefused: () => void
  /**
   * The discount code that is sent. It is undefined when the buyer neither typed a code nor followed a link with one.
   */
  code: string | undefined
  /** The token of a follower's link, while the link can be used to buy (docs/product.md#early-access). */
  early?: string | undefined
  /** Receives why the code could not be used, or null when the buyer tries again. */
  onCodeRefused: (problem: string | null) => void
  /** How many units of this value the buyer's open checkout holds. They count as free for this buyer. */
  heldForBuyer: number
  /**
   * The page that shows the result of a payment whose response was lost. Until the buyer opens it, nothing else can be
   * bought.
   */
  unclearPath: string | null
  /** The country that the order is shipped to; null for a drop whose price includes shipping. */
  shipping: ChosenCountry | null
  /** True while a tap on a wallet button is being handled. */
  isBlocked: boolean
  className?: string
}

/** How many units this buyer may buy right now. */
export function unitsForBuyer({
  drop,
  heldForBuyer,
  shipping,
}: Pick<BuyButtonProps, 'drop' | 'heldForBuyer' | 'shipping'>): number {
  const available = drop.available + heldForBuyer
  return drop.state === 'live' ? unitsOnOffer({ ...drop, available }, shipping?.cents) : 0
}

export function label({ drop, isMine, code, shipping }: BuyButtonProps, quantity: number): string {
  if (drop.state === 'ended' && isCanceled(drop)) return 'Canceled'
  if (drop.state === 'ended') return drop.isOpenEdition ? openTexts.closedBadge : 'Drop Expired'
  if (drop.state === 'soldOut') return drop.isOpenEdition ? openTexts.fullBadge : 'Sold out'
  if (drop.state === 'paused') return 'Paused'
  if (drop.state === 'upcoming') return 'Not started yet'
  if (drop.available === 0) return isMine ? dropTexts.continueToCheckout : 'All in checkout'
  const buy = `Buy${quantity > 1 ? ` ${quantity}` : ''}`
  // The discount is known only after the code was checked, so the button shows no price.
  if (code) return `${buy} with code`
  // Before the choice of a country, only the price is known.
  const more = shipping?.mayCostMore && shipping.country === null && !isMine ? ' + shipping' : ''
  return `${buy} – ${formatUsd(drop.priceCents * quantity + (shipping?.cents ?? 0))}${more}`
}

/** Returns the function that asks for the missing choice, or null when nothing is missing. */
export function questionOf({
  drop,
  value,
  isMine,
  askForChoice,
  shipping,
}: Pick<BuyButtonProps, 'drop' | 'value' | 'isMine' | 'askForChoice' | 'shipping'>): (() => void) | null {
  if (isMine) return null
  if (drop.option && value === null) return askForChoice
  return shipping && shipping.country === null ? shipping.ask : null
}

/**
 * Returns the function that asks for what a wallet still needs to know, or null. A reloaded page does not know the
 * country of the buyer's open checkout, and the wallet's sheet needs it for the amount and the address.
 */
export function questionOfWallet(props: Parameters<typeof questionOf>[0]): (() => void) | null {
  const { shipping } = props
  return questionOf(props) ?? (shipping && shipping.country === null ? shipping.ask : null)
}

/** Returns what is sent to start the checkout. */
function orderOf({ drop, value, code, early, shipping }: BuyButtonProps, quantity: number) {
  const selectedVariants = drop.option && value !== null ? { [drop.option.name]: value } : undefined
  const country = shipping?.country ?? undefined
  return { dropId: drop.id, productType: drop.productType, quantity, selectedVariants, code, country, early }
}

/**
 * Starts the checkout of the chosen units and sends the browser to the payment page.
 * @returns `wait` is the buyer's place in the line, while the buyer waits for the payment page
 */
function useBuy(props: BuyButtonProps, chosen: number) {
  const { drop, value, isMine, onRefused, onCodeRefused } = props
  const [isProcessing, setIsProcessing] = useState(false)
  const [wait, setWait] = useState<WaitingInLine | null>(null)

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
    // The last refusal is removed first, so that the same refusal is announced again.
    onCodeRefused(null)
    try {
      const url = await requestCheckout(orderOf(props, chosen), setWait)
      noteOpenCheckout(drop.id, { value, quantity: chosen, address: url })
      window.location.assign(url)
    } catch (error) {
      // The buyer has already paid.
      if (error instanceof ApiError && error.url) return window.location.assign(error.url)
      setIsProcessing(false)
      setWait(null)
      if (error instanceof ApiError && error.field === 'code') return onCodeRefused(error.text)
      const reason = error instanceof ApiError ? error.serverText : undefined
      const description = reason ?? startFailedText(navigator.onLine)
      toast({ title: 'Error', description, tone: 'bad', durationMs: 5000 })
      // The hint of an open checkout is removed only when continuing that checkout was refused. A refused attempt to
      // buy another value keeps the hint.
      if (isMine && isCheckoutOver(error)) forgetOpenCheckout(drop.id)
      onRefused()
    }
  }

  return { buy, isProcessing, wait }
}

/**
 * Shows a form to buy the drop, which works without JavaScript. With JavaScript, the button shows its progress, and a
 * buyer whose purchase is refused stays on the page.
 */
export function BuyButton(props: BuyButtonProps) {
  const { drop, isInBar = false, isMine, quantity, onQuantity, className } = props
  const { early, unclearPath, isBlocked } = props
  const canBuy = (drop.state === 'live' && drop.available > 0) || isMine
  const onOffer = unitsForBuyer(props)
  const chosen = quantityToBuy(quantity, onOffer)
  const { buy, isProcessing, wait } = useBuy(props, chosen)

  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    if (isProcessing || isBlocked) return
    void (questionOf(props) ?? buy)()
  }

  if (unclearPath) return <UnclearPayment path={unclearPath} isInBar={isInBar} className={className} />
  return (
    <form
      id={isInBar ? undefined : BUY_FORM}
      method="post"
      action={`/drop/${drop.identifier}/buy`}
      className={clsx('flex flex-wrap gap-2', className)}
      onSubmit={submit}
    >
      {early && !isInBar ? <input type="hidden" name="early" value={early} /> : null}
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
        // Without this handler, a press would submit the other form, and only the button of that form would show the
        // progress.
        onClick={isInBar ? submit : undefined}
        variant={canBuy ? 'buy' : 'outline'}
        size="bar"
        disabled={!canBuy || isBlocked}
        isBusy={isProcessing}
        className="tabular min-w-28 flex-1"
      >
        {isProcessing ? 'Processing...' : label(props, chosen)}
      </Button>
      {wait ? <InLine wait={wait} /> : null}
      <span aria-live="polite" className="sr-only">
        {isProcessing && !wait ? checkoutTexts.reserving : null}
      </span>
    </form>
  )
}

/** Says how long the buyer still waits for the payment page. */
function InLine({ wait }: { wait: WaitingInLine }) {
  return (
    <p role="status" className="tabular w-full text-sm text-muted">
      {waitText(wait)}
    </p>
  )
}

/** Replaces the Buy button after a payment whose response was lost, so that the buyer does not pay twice. */
function UnclearPayment({ path, isInBar, className }: { path: string; isInBar: boolean; className?: string }) {
  return (
    <div className={clsx('grid gap-2', className)}>
      <p role={isInBar ? undefined : 'status'} className="text-sm">
        {checkoutTexts.walletUnclear}
      </p>
      <Button asChild variant="buy" size="bar">
        <a href={path}>Check your payment</a>
      </Button>
    </div>
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
