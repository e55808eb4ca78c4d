import type {
  ClickResolveDetails,
  Stripe,
  StripeElements,
  StripeError,
  StripeExpressCheckoutElement,
  StripeExpressCheckoutElementClickEvent,
  StripeExpressCheckoutElementConfirmEvent,
} from '@stripe/stripe-js'
import { paymentPath } from '@/components/checkout/open-payment'
import { later, type PaymentResult, readResult, resultOf } from '@/components/checkout/payment-result'
import { noteUnclearPayment } from '@/components/checkout/use-unclear-payment'
import { ApiError, callApi } from '@/lib/client/call-api'
import { shippingLabel } from '@/lib/drops/delivery/zone-messages'
import { brand } from '@/lib/kernel/brand'
import { SHIPPING_COUNTRIES } from '@/lib/kernel/country'
import { SECOND_MS } from '@/lib/kernel/time'
import { startFailedText, checkoutTexts } from '@/lib/checkout/messages'
import { walletDeclinedText } from '@/lib/checkout/wallet/wallet-messages'
import { settled, type WalletTap, type WalletOffer, type WalletUnits } from './wallet-units'

type WalletPage = {
  /**
   * Returns the offer that a tap buys, or null when nothing can be bought now, for example because no value is chosen.
   * The page then says so.
   */
  takeOffer: () => WalletOffer | null
  /** Called when units are held for a tap. */
  onHeld: (offer: WalletOffer) => void
  /** Receives why nothing was bought, with the error of our own server if there is one. */
  onRefused: (text: string, error?: unknown) => void
  /** Receives whether a wallet is available. */
  onReady: (isAvailable: boolean) => void
  /** Receives whether a tap waits for our server. A press on Buy must wait, too. */
  onBusy: (isBusy: boolean) => void
  /** Receives whether a sheet is visible. */
  onSheet: (isVisible: boolean) => void
}

/**
 * Stripe opens the sheet only if its click event is resolved within one second. The wait for our server ends after 800
 * ms, which leaves time for the browser's own work. After 950 ms the click counts as too late.
 */
const ANSWER_CLICK_MS = 800
const LAST_ANSWER_MS = 950
/** After this time, the check before the payment counts as failed. */
const CHECK_MS = 6 * SECOND_MS

/**
 * The buttons of wallets on the drop page, drawn by Stripe's Express Checkout Element (docs/product.md#wallets, ADR
 * 0059). A tap holds the units, and closing the sheet releases them.
 */
export class WalletButtons {
  private readonly elements: StripeElements
  private readonly element: StripeExpressCheckoutElement
  /** Whether a tap waits for our server. */
  private isOpening = false
  private isSheetVisible = false

  constructor(
    private readonly stripe: Stripe,
    private readonly units: WalletUnits,
    private readonly page: WalletPage,
    place: HTMLElement,
    offer: Pick<WalletOffer, 'amountCents' | 'isPhysical'>,
  ) {
    const { amountCents: amount, isPhysical } = offer
    // These options must match the payment that our server creates, or Stripe refuses it. A wallet pays by card.
    const intent = { currency: 'usd', captureMethod: 'automatic' } as const
    this.elements = stripe.elements({ mode: 'payment', amount, ...intent, allowedPaymentMethodTypes: ['card'] })
    const isDark = window.matchMedia('(prefers-color-scheme: dark)').matches
    this.element = this.elements.create('expressCheckout', {
      business: { name: brand.name },
      emailRequired: true,
      phoneNumberRequired: isPhysical,
      shippingAddressRequired: isPhysical,
      ...(isPhysical ? { allowedShippingCountries: [...SHIPPING_COUNTRIES], shippingRates: INCLUDED } : {}),
      buttonHeight: 52,
      buttonTheme: isDark ? { applePay: 'white', googlePay: 'white' } : { applePay: 'black', googlePay: 'black' },
      layout: { maxColumns: 2, maxRows: 1, overflow: 'never' },
    })
    this.element.on('ready', ({ availablePaymentMethods }) => {
      if (availablePaymentMethods) units.prepare()
      page.onReady(availablePaymentMethods !== undefined)
    })
    this.element.on('loaderror', () => page.onReady(false))
    this.element.on('click', (event) => void this.open(event))
    this.element.on('confirm', (event) => void this.pay(event))
    this.element.on('cancel', this.cancel)
    this.element.mount(place)
    window.addEventListener('pageshow', this.wake)
  }

  /** Whether the buttons must stay where they are. */
  get isInUse(): boolean {
    return this.isOpening || this.isSheetVisible
  }

  destroy(): void {
    window.removeEventListener('pageshow', this.wake)
    this.element.destroy()
  }

  private async open(event: StripeExpressCheckoutElementClickEvent): Promise<void> {
    const tappedAt = performance.now()
    const isBusy = this.isOpening || this.units.tap?.stage === 'paying'
    const offer = isBusy ? null : this.page.takeOffer()
    if (!offer) return event.reject()
    const tap = this.units.take(offer)
    this.setOpening(true)
    tap.payment.then(() => tap.isReleased || this.page.onHeld(offer)).catch(() => undefined)
    const answer = await Promise.race([settled(tap.payment), later(ANSWER_CLICK_MS)])
    this.setOpening(false)
    // The page was left in the meantime.
    if (tap.isReleased) return quietly(() => event.reject())
    if (answer && 'error' in answer) {
      quietly(() => event.reject())
      this.refuse(tap, answer.error)
    } else if (!answer && offer.code) {
      // Only the server knows the price with a code, so the sheet cannot be opened without its response.
      event.reject()
      this.units.keep(tap)
      this.page.onRefused(checkoutTexts.walletLate)
    } else {
      tap.amountCents = answer ? answer.value.amountCents : offer.amountCents
      this.show(event, tap, performance.now() - tappedAt)
    }
  }

  /** Opens the sheet. Stripe throws when the click was not resolved in time, for example because the page was busy. */
  private show(event: StripeExpressCheckoutElementClickEvent, tap: WalletTap, waitedMs: number): void {
    const { amountCents, offer } = tap
    try {
      if (waitedMs > LAST_ANSWER_MS) throw new Error('the tap was handled too late')
      this.elements.update({ amount: amountCents })
      event.resolve(sheetOf(offer, amountCents))
    } catch {
      quietly(() => event.reject())
      this.units.release(tap)
      return this.page.onRefused(checkoutTexts.walletLate)
    }
    tap.stage = 'open'
    this.setSheet(true)
  }

  /**
   * Pays after the buyer has confirmed in the sheet. Until the payment is sent to the bank, closing the sheet stops it.
   */
  private async pay(event: StripeExpressCheckoutElementConfirmEvent): Promise<void> {
    const { tap } = this.units
    if (!tap) return quietly(() => event.paymentFailed())
    let clientSecret: string
    try {
      const submitted = await this.elements.submit()
      if (submitted.error) throw new Error(submitted.error.message)
      clientSecret = (await tap.payment).clientSecret
      if (!tap.isReleased) await checkPayment(tap, event)
    } catch (error) {
      if (!tap.isReleased) this.refuseDetails(event, tap, error)
      return
    }
    if (tap.isReleased) return quietly(() => event.paymentFailed())
    tap.stage = 'paying'
    const done = paymentPath(clientSecret)
    const confirmParams = { return_url: new URL(done, window.location.origin).href }
    let error: StripeError | undefined
    try {
      error = (
        await this.stripe.confirmPayment({
          elements: this.elements,
          clientSecret,
          redirect: 'if_required',
          confirmParams,
        })
      ).error
    } catch (thrown) {
      return this.giveUp(event, tap, thrown)
    }
    await this.end(tap, clientSecret, error)
  }

  /** Shows why the payment failed, or opens the page that shows its result. */
  private async end(tap: WalletTap, clientSecret: string, error: StripeError | undefined): Promise<void> {
    const { dropId } = tap.offer
    const path = paymentPath(clientSecret)
    let result: PaymentResult = resultOf(error)
    let text = error?.code === 'token_already_used' ? checkoutTexts.walletUsed : walletDeclinedText(error?.message)
    if (result === 'unclear') {
      noteUnclearPayment({ dropId, path })
      result = await readResult(this.stripe, clientSecret)
      text = checkoutTexts.walletNotSent
    }
    this.setSheet(false)
    if (result === 'sent') return window.location.assign(path)
    if (result === 'unclear') return this.page.onRefused(checkoutTexts.walletUnclear)
    noteUnclearPayment(null)
    // After a decline the units stay held, so that the buyer can try another card.
    tap.stage = 'declined'
    if (result === 'over') this.units.forget()
    this.page.onRefused(result === 'over' ? checkoutTexts.holdOver : text)
  }

  /** Ends the use of wallets on this page after Stripe has thrown an error, which it does before it sends anything. */
  private giveUp(event: StripeExpressCheckoutElementConfirmEvent, tap: WalletTap, thrown: unknown): void {
    reportError(thrown)
    quietly(() => event.paymentFailed())
    tap.stage = 'open'
    this.refuse(tap, thrown, checkoutTexts.walletBroken)
    this.page.onReady(false)
  }

  /** Says in the sheet why the payment was not made. The buyer may correct the details of the wallet there. */
  private refuseDetails(event: StripeExpressCheckoutElementConfirmEvent, tap: WalletTap, error: unknown): void {
    const details = error instanceof ApiError && error.code === 'WALLET_DETAILS' ? error : null
    quietly(() => event.paymentFailed({ reason: reasonOf(details?.field), message: failureOf(error) }))
    if (details) this.page.onRefused(details.text)
    else this.refuse(tap, error)
  }

  /** Says why nothing was bought, and releases the units, which our server may hold although its response was lost. */
  private refuse(tap: WalletTap, error: unknown, text = failureOf(error)): void {
    this.setSheet(false)
    this.units.release(tap)
    this.page.onRefused(text, error)
  }

  /**
   * The buyer has closed the sheet. Its units are released, unless the payment was already sent to the bank. After a
   * decline they stay held, because some wallets keep their sheet open, and the buyer has to close it to pay with a
   * second card.
   */
  private readonly cancel = (): void => {
    this.setSheet(false)
    const { tap } = this.units
    if (tap?.stage === 'open') this.units.release(tap)
  }

  /** Going back restores this page as it was left, with a payment that has ended in the meantime. */
  private readonly wake = (event: PageTransitionEvent): void => {
    if (!event.persisted) return
    if (this.units.tap?.stage === 'paying') this.units.forget()
    this.setOpening(false)
    this.setSheet(false)
  }

  private setOpening(isOpening: boolean): void {
    this.isOpening = isOpening
    this.page.onBusy(isOpening)
  }

  private setSheet(isVisible: boolean): void {
    this.isSheetVisible = isVisible
    this.page.onSheet(isVisible)
  }
}

/** The wallets show this as the only shipping rate. */
const INCLUDED = [{ id: 'included', amount: 0, displayName: 'Shipping included' }]

/** The sheet accepts an address in the chosen country only, and shows the surcharge for it as a line of its own. */
function sheetOf({ label, isPhysical, country, shippingCents }: WalletOffer, amount: number): ClickResolveDetails {
  if (!isPhysical) return { lineItems: [{ name: label, amount }] }
  if (!country) return { lineItems: [{ name: label, amount }], shippingRates: INCLUDED }
  const goods = { name: label, amount: amount - shippingCents }
  const surcharge = shippingCents > 0 ? [{ name: shippingLabel(country), amount: shippingCents }] : []
  return {
    lineItems: [goods, ...surcharge],
    shippingRates: [{ id: 'included', amount: 0, displayName: 'Shipping is included in the total' }],
    allowedShippingCountries: [country],
  }
}

function failureOf(error: unknown): string {
  return error instanceof ApiError ? error.text : startFailedText(navigator.onLine)
}

/**
 * Resolves or rejects Stripe's event. Stripe throws when the sheet is already closed or the time has run out. That
 * changes nothing.
 */
function quietly(answer: () => void): void {
  try {
    answer()
  } catch {
    // There is no sheet to act on anymore.
  }
}

/** Checks units, amount and address before the money moves. */
function checkPayment({ paymentIntentId, amountCents }: WalletTap, event: StripeExpressCheckoutElementConfirmEvent) {
  const body = { paymentIntentId, amountCents, details: detailsOf(event) }
  return callApi('POST', '/api/checkout/wallet/check', body, { signal: AbortSignal.timeout(CHECK_MS) })
}

/** The reason that Stripe gives to the wallet, so that the wallet points at the field that the buyer has to change. */
function reasonOf(field: string | undefined) {
  if (field === 'country') return 'address_unserviceable'
  const isAddress = ['name', 'line1', 'line2', 'city', 'state', 'postalCode'].includes(field ?? '')
  return isAddress ? 'invalid_shipping_address' : 'fail'
}

/** What the wallet knows about the buyer, as the form of the embedded checkout would send it. */
function detailsOf(event: StripeExpressCheckoutElementConfirmEvent): object {
  const { billingDetails: payer, shippingAddress: parcel } = event
  const { line1, line2, city, state, postal_code: postalCode, country } = parcel?.address ?? {}
  const given = { email: payer?.email, name: parcel?.name ?? payer?.name, phone: payer?.phone }
  const all = { ...given, line1, line2, city, state, postalCode, country }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => Boolean(value)))
}
