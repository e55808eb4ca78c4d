'use client'

import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { loadPayments } from '@/components/checkout/load-payments'
import { ApiError } from '@/lib/client/call-api'
import { toast } from '@/lib/client/toast-store'
import { quantityToBuy } from '@/lib/checkout/rules'
import { type BuyButtonProps, questionOfWallet, unitsForBuyer } from './buy-button'
import { forgetOpenCheckout, isCheckoutOver, noteOpenCheckout } from './use-open-checkout'
import { WalletButtons } from './wallet-buttons'
import { type WalletOffer, WalletUnits } from './wallet-units'

export type WalletCheckoutProps = Omit<BuyButtonProps, 'isInBar' | 'className' | 'onQuantity' | 'isBlocked'> & {
  /** Stripe's public key. It is null in the sandbox, where our own script replaces Stripe's. */
  publishableKey: string | null
  /** Receives whether a tap waits for our server, so that Buy waits, too. */
  onBusy: (isBusy: boolean) => void
}

/**
 * Loads Stripe's script and draws the buttons of the available wallets in whichever of the page's two slots is visible
 * (docs/product.md#wallets). The drop page loads this component after it has been painted.
 */
export function WalletCheckout(props: WalletCheckoutProps) {
  const { drop, isMine, publishableKey } = props
  const wallets = useRef<WalletButtons | null>(null)
  const slot = useVisibleSlot(wallets)
  const [isAvailable, setIsAvailable] = useState(false)
  const [hasSheet, setHasSheet] = useState(false)
  // While it is unclear whether the last payment succeeded, the page offers only to check that.
  const isOffered = isAvailable && (hasSheet || (props.unclearPath === null && (unitsForBuyer(props) > 0 || isMine)))

  const takeOffer = useEffectEvent(() => {
    if (props.unclearPath) {
      window.location.assign(props.unclearPath)
      return null
    }
    props.onCodeRefused(null)
    const ask = questionOfWallet(props)
    if (!ask) return offerOf(props)
    ask()
    return null
  })
  const onHeld = useEffectEvent(({ quantity }: WalletOffer) =>
    noteOpenCheckout(drop.id, { value: props.value, quantity }),
  )
  const onRefused = useEffectEvent((text: string, error?: unknown) => {
    const refusal = error instanceof ApiError ? error : null
    if (refusal?.url) return window.location.assign(refusal.url)
    // The normal checkout computes the requested proof of work, and waits in line.
    if (refusal?.work || refusal?.code === 'WALLET_BUSY') return pressBuy(slot)
    if (refusal?.field === 'code') return props.onCodeRefused(text)
    toast({ title: 'Error', description: text, tone: 'bad', durationMs: 5000 })
    if (isMine && isCheckoutOver(error)) forgetOpenCheckout(drop.id)
    props.onRefused()
  })
  const onReleased = useEffectEvent(() => {
    forgetOpenCheckout(drop.id)
    props.onRefused()
  })
  // flushSync() enables the Buy button right away, because onRefused() may press it next.
  const onBusy = useEffectEvent((isBusy: boolean) => flushSync(() => props.onBusy(isBusy)))
  const [units] = useState(() => new WalletUnits())
  useEffect(() => units.connect(() => onReleased()), [units])
  const firstOffer = useEffectEvent(() => offerOf(props))
  useEffect(() => {
    if (!slot) return
    let buttons: WalletButtons | null = null
    let isGone = false
    const page = {
      takeOffer: () => takeOffer(),
      onHeld: (offer: WalletOffer) => onHeld(offer),
      onRefused: (text: string, error?: unknown) => onRefused(text, error),
      onReady: setIsAvailable,
      onBusy: (isBusy: boolean) => onBusy(isBusy),
      onSheet: setHasSheet,
    }
    void loadPayments(publishableKey, false)
      .then((stripe) => {
        if (stripe && !isGone) wallets.current = buttons = new WalletButtons(stripe, units, page, slot, firstOffer())
      })
      // Without Stripe's script the page has only its Buy button.
      .catch(() => setIsAvailable(false))
    return () => {
      isGone = true
      buttons?.destroy()
    }
  }, [slot, units, publishableKey])
  useEffect(() => {
    slot?.toggleAttribute('data-ready', isOffered)
    return () => slot?.removeAttribute('data-ready')
  }, [slot, isOffered])
  return null
}

function offerOf(props: WalletCheckoutProps): WalletOffer {
  const { drop, value, code, shipping } = props
  const { option, title } = drop
  const quantity = quantityToBuy(props.quantity, unitsForBuyer(props))
  const selected = option && value !== null ? { name: option.name, value } : null
  const label = `${title}${selected ? ` (${selected.name} ${selected.value})` : ''}${quantity > 1 ? ` × ${quantity}` : ''}`
  return {
    dropId: drop.id,
    quantity,
    ...(selected ? { selectedVariants: { [selected.name]: selected.value } } : {}),
    ...(code === undefined ? {} : { code }),
    ...(props.early ? { early: props.early } : {}),
    label,
    ...(shipping?.country ? { country: shipping.country } : {}),
    shippingCents: shipping?.cents ?? 0,
    amountCents: drop.priceCents * quantity + (shipping?.cents ?? 0),
    isPhysical: drop.productType === 'physical',
  }
}

/**
 * Returns the slot that is visible at this width: beside the Buy button, or above the bar of a phone. It stays the same
 * while a sheet is visible.
 */
function useVisibleSlot(wallets: RefObject<WalletButtons | null>): HTMLElement | null {
  const [slot, setSlot] = useState<HTMLElement | null>(null)
  useEffect(() => {
    const find = () => {
      if (wallets.current?.isInUse) return
      const slots = [...document.querySelectorAll<HTMLElement>('[data-wallet-slot]')]
      setSlot(slots.find((one) => one.getClientRects().length > 0) ?? null)
    }
    find()
    window.addEventListener('resize', find)
    return () => window.removeEventListener('resize', find)
  }, [wallets])
  return slot
}

function pressBuy(slot: HTMLElement | null): void {
  slot?.parentElement?.querySelector<HTMLButtonElement>('button[type=submit]')?.click()
}
