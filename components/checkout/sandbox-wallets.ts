// This script stands in for Stripe's Express Checkout Element in the sandbox, with a wallet called "Demo Pay". It
// refuses what Stripe refuses (docs/stripe-rules.md). A test turns the wallet off with the cookie `sandbox-wallet=off`.

import { SandboxElement } from './sandbox-element'
import {
  openSandboxSheet,
  type SandboxSheet,
  type SheetAnswer,
  type SheetDetails,
  type WalletOptions,
} from './sandbox-sheet'

type Options = {
  mode: 'payment'
  amount: number
  currency: string
  paymentMethodTypes?: string[]
  captureMethod?: string
}

/** Stripe rejects a click event that the page has not resolved or rejected within this time. */
const CLICK_MS = 1_000

function integrationError(message: string): Error {
  return Object.assign(new Error(message), { name: 'IntegrationError' })
}

/** Whether these options create Elements without a payment. */
export function isDeferred(options: object): options is Options {
  return 'mode' in options
}

/** The Elements object for wallets. It is created without a payment, which is passed later to confirmPayment(). */
export class SandboxWallets {
  readonly options: Options
  element: ExpressCheckoutElement | null = null
  isSubmitted = false

  constructor(options: Options) {
    if (options.paymentMethodTypes) {
      throw integrationError('paymentMethodTypes is not supported. Use allowedPaymentMethodTypes.')
    }
    if (!Number.isInteger(options.amount) || options.amount <= 0) {
      throw integrationError('Invalid value for elements(): amount should be a positive integer.')
    }
    if (options.captureMethod !== 'automatic') {
      throw integrationError('Elements and the PaymentIntent must have the same capture method.')
    }
    this.options = { ...options }
  }

  create(_kind: 'expressCheckout', options: WalletOptions): ExpressCheckoutElement {
    return (this.element = new ExpressCheckoutElement(this, options))
  }

  update({ amount }: { amount?: number }): void {
    if (amount !== undefined) this.options.amount = amount
  }

  submit(): Promise<object> {
    this.isSubmitted = true
    return Promise.resolve({})
  }

  /**
   * Pays with the card that is chosen in the sheet. Like Stripe's script, it throws when a rule for wallets is broken.
   */
  async pay(confirm: (fields: Record<string, string | undefined>) => Promise<object>): Promise<object> {
    const answer = this.element?.confirmed
    if (!answer) throw integrationError('stripe.confirmPayment() was not called within the "confirm" event.')
    if (!this.isSubmitted) throw integrationError('elements.submit() must be called before stripe.confirmPayment().')
    this.isSubmitted = false
    const { amount, currency } = this.options
    const result = this.element?.takeToken()
      ? await confirm({ ...fieldsOf(answer), elementsAmount: String(amount), elementsCurrency: currency })
      : TOKEN_USED
    this.element?.finish(result)
    return result
  }
}

/** Stripe's error for a second card in one sheet of Google Pay (github.com/stripe/react-stripe-js/issues/581). */
const TOKEN_USED = {
  error: {
    type: 'invalid_request_error',
    code: 'token_already_used',
    message: 'You cannot use a Stripe token more than once.',
  },
}

function fieldsOf({ email, phone, name, card, address }: SheetAnswer): Record<string, string | undefined> {
  const payer = { email, name, cardNumber: card, expiry: '12 / 34', cvc: '123' }
  if (!address) return payer
  const { line1, line2, city, state, postal_code: postalCode, country } = address
  return { ...payer, phone, shippingName: name, line1, line2: line2 ?? '', city, state, postalCode, country }
}

class ExpressCheckoutElement extends SandboxElement {
  private readonly root = document.createElement('div')
  private sheet: SandboxSheet | null = null
  /** Whether the card of the open sheet can still be used. */
  private hasToken = false
  /** What the buyer confirmed, until the payment has ended. */
  confirmed: SheetAnswer | null = null

  constructor(
    private readonly elements: SandboxWallets,
    private readonly options: WalletOptions,
  ) {
    super('expressCheckout')
  }

  mount(place: HTMLElement): void {
    const isAvailable = !document.cookie.includes('sandbox-wallet=off')
    if (isAvailable) this.root.append(this.button())
    place.append(this.root)
    const methods = { applePay: false, googlePay: false, link: false, amazonPay: false, paypal: false, klarna: false }
    const availablePaymentMethods = isAvailable ? { ...methods, demoPay: true } : undefined
    setTimeout(() => this.emit('ready', { availablePaymentMethods }), 0)
  }

  destroy(): void {
    this.finish()
    this.root.remove()
  }

  /** Uses up the card of this sheet, which can be used once. Returns false if it was used before. */
  takeToken(): boolean {
    const isFresh = this.hasToken
    this.hasToken = false
    return isFresh
  }

  /** Closes the sheet after the payment has succeeded or failed. Some wallets keep it open after a failure. */
  finish(result: object = {}): void {
    this.confirmed = null
    if (this.sheet?.behavior() === 'stays' && 'error' in result) {
      return this.sheet.fail('Your payment could not be completed.')
    }
    this.sheet?.close()
    this.sheet = null
  }

  private button(): HTMLButtonElement {
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = 'Demo Pay'
    button.setAttribute('aria-label', 'Pay with Demo Pay')
    button.className = 'w-full rounded-control bg-ink px-3 text-lg font-semibold text-paper hover:bg-ink/85'
    button.style.minHeight = `${this.options.buttonHeight ?? 44}px`
    button.addEventListener('click', () => this.click())
    return button
  }

  private click(): void {
    if (this.sheet) return
    let isAnswered = false
    const answer = () => {
      if (isAnswered) throw integrationError('The click event was already resolved, rejected, or timed out.')
      isAnswered = true
    }
    setTimeout(() => {
      if (isAnswered) return
      isAnswered = true
      reportError(integrationError('You must resolve or reject the click event within 1 second.'))
    }, CLICK_MS)
    this.emit('click', {
      expressPaymentType: 'demo_pay',
      reject: answer,
      resolve: (details: SheetDetails = {}) => {
        answer()
        this.open(details)
      },
    })
  }

  private open(details: SheetDetails): void {
    const { amount } = this.elements.options
    const listed = (details.lineItems ?? []).reduce((sum, item) => sum + item.amount, 0)
    if (listed > amount) {
      throw integrationError('The amount of Elements is less than the total amount of the line items.')
    }
    if (this.options.shippingAddressRequired && !details.shippingRates?.length) {
      throw integrationError('shippingAddressRequired needs at least one shipping rate.')
    }
    this.hasToken = true
    this.sheet = openSandboxSheet(this.options, details, amount, {
      // A payment that the page has begun goes on without its sheet.
      onCancel: () => {
        this.sheet?.close()
        this.sheet = null
        this.emit('cancel', {})
      },
      onConfirm: (answer) => this.confirm(answer),
    })
  }

  private confirm(answer: SheetAnswer): void {
    this.confirmed = answer
    const { name, email, phone, address, billingAddress } = answer
    this.emit('confirm', {
      expressPaymentType: 'demo_pay',
      billingDetails: { name, email, phone, address: billingAddress },
      ...(address ? { shippingAddress: { name, address } } : {}),
      paymentFailed: ({ message }: { message?: string } = {}) => {
        this.confirmed = null
        this.sheet?.fail(message ?? 'Your payment could not be completed.')
      },
    })
  }
}
