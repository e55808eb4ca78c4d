// This script replaces js.stripe.com in the sandbox. It implements as much of `window.Stripe` as our unmodified payment
// form and wallet buttons need. It can confirm only a payment whose client secret it was given.

import { SandboxElement } from './sandbox-element'
import { isDeferred, SandboxWallets } from './sandbox-wallets'

type ConfirmOptions = {
  elements: SandboxElements | SandboxWallets
  /** Set for the Elements of the wallets, which are created without a payment. */
  clientSecret?: string
  confirmParams: {
    payment_method_data?: { billing_details: { email?: string } }
    shipping?: { name: string; phone?: string; address: Record<string, string | undefined> }
  }
}
type Answer = { status?: string; error?: { type: string; message: string; code?: string; param?: string } }

const FIELDS = [
  { name: 'cardNumber', label: 'Card number', autocomplete: 'cc-number', placeholder: '4242 4242 4242 4242' },
  { name: 'expiry', label: 'Expiry', autocomplete: 'cc-exp', placeholder: 'MM / YY' },
  { name: 'cvc', label: 'CVC', autocomplete: 'cc-csc', placeholder: '123' },
] as const

/** The card fields, which replace Stripe's iframe. */
class CardElement extends SandboxElement {
  private readonly root = document.createElement('div')

  constructor() {
    super('payment')
    this.root.className = 'grid grid-cols-2 gap-3'
    for (const { name, label, autocomplete, placeholder } of FIELDS) {
      const row = document.createElement('label')
      row.className = `grid gap-1.5 text-sm font-semibold ${name === 'cardNumber' ? 'col-span-2' : ''}`
      row.append(label)
      const input = document.createElement('input')
      input.className =
        'h-12 w-full rounded-control border border-control bg-surface px-3.5 text-base font-normal text-ink placeholder:text-muted'
      Object.assign(input, { name, autocomplete, placeholder, inputMode: 'numeric' })
      row.append(input)
      this.root.append(row)
    }
  }

  mount(place: HTMLElement): void {
    place.append(this.root)
    this.emit('ready')
  }

  override on(event: string, listener: (event: Record<string, unknown>) => void): this {
    super.on(event, listener)
    // React's wrapper mounts the element before it adds its listeners, so a late listener must still receive `ready`.
    if (event === 'ready' && this.root.isConnected) queueMicrotask(() => listener({ elementType: 'payment' }))
    return this
  }

  destroy(): void {
    this.root.remove()
  }

  values(): Record<string, string> {
    return Object.fromEntries([...this.root.querySelectorAll('input')].map((input) => [input.name, input.value]))
  }
}

class SandboxElements {
  card: CardElement | null = null
  constructor(readonly clientSecret: string) {}

  create(): CardElement {
    return (this.card = new CardElement())
  }

  getElement(): CardElement | null {
    return this.card
  }

  update(): void {}
}

/** The URL of a payment at the stand-in. Its secret begins with its id. */
const paymentUrl = (clientSecret: string) => `/sandbox/elements/${clientSecret.split('_secret_')[0]}`

async function confirm(clientSecret: string, fields: Record<string, string | undefined>): Promise<Answer> {
  const response = await fetch(`${paymentUrl(clientSecret)}/confirm`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ clientSecret, ...fields }),
  })
  return (await response.json()) as Answer
}

/** Asks the buyer to approve the payment, as the cardholder's bank would. Returns whether the buyer approved. */
function askCardholder(): Promise<boolean> {
  return new Promise((resolve) => {
    const dialog = document.createElement('dialog')
    dialog.className = 'm-auto grid gap-4 rounded-card border bg-surface p-6 text-ink shadow-card backdrop:bg-black/50'
    dialog.setAttribute('aria-label', 'Confirm your payment')
    const text = document.createElement('p')
    text.textContent = "Your bank needs to confirm it's you paying."
    const answer = (label: string, isApproved: boolean, look: string) => {
      const button = document.createElement('button')
      button.type = 'button'
      button.textContent = label
      button.className = `min-h-11 rounded-control px-4 font-semibold ${look}`
      button.addEventListener('click', () => {
        dialog.remove()
        resolve(isApproved)
      })
      return button
    }
    dialog.append(text, answer('Approve', true, 'bg-ink text-paper'), answer('Fail', false, 'border'))
    dialog.addEventListener('cancel', () => {
      dialog.remove()
      resolve(false)
    })
    document.body.append(dialog)
    dialog.showModal()
  })
}

async function confirmPayment({ elements, clientSecret, confirmParams }: ConfirmOptions): Promise<object> {
  if (elements instanceof SandboxWallets) {
    return elements.pay((fields) => answerOf(() => confirmWithBank(clientSecret ?? '', fields)))
  }
  const { card } = elements
  const { shipping, payment_method_data: method } = confirmParams
  const email = method?.billing_details.email
  const address = shipping?.address ?? {}
  const { line1, line2, city, state, postal_code: postalCode, country } = address
  const parcel = shipping
    ? { shippingName: shipping.name, phone: shipping.phone, line1, line2, city, state, postalCode, country }
    : {}
  return answerOf(() => confirmWithBank(elements.clientSecret, { email, ...card?.values(), ...parcel }))
}

/** Confirms a payment, and asks the cardholder if the bank requires it. */
async function confirmWithBank(clientSecret: string, fields: Record<string, string | undefined>): Promise<Answer> {
  const answer = await confirm(clientSecret, fields)
  if (answer.status !== 'requires_action') return answer
  return confirm(clientSecret, { confirm: String(await askCardholder()) })
}

async function answerOf(work: () => Promise<Answer>): Promise<object> {
  try {
    const answer = await work()
    return answer.error ? { error: answer.error } : { paymentIntent: answer }
  } catch {
    return {
      error: { type: 'api_connection_error', message: "We couldn't reach the bank. Try again." },
    }
  }
}

async function retrievePaymentIntent(clientSecret: string): Promise<object> {
  const query = new URLSearchParams({ client_secret: clientSecret })
  return answerOf(async () => {
    const response = await fetch(`${paymentUrl(clientSecret)}?${query}`)
    return (await response.json()) as Answer
  })
}

const notInSandbox = () =>
  Promise.reject(new Error('The sandbox supports only the payment form and the wallet buttons.'))

/** Installs this script in place of Stripe's, with the version that Stripe's loader expects. */
export function installSandboxStripe(): void {
  const stripe = {
    elements: (options: { clientSecret: string } | Record<string, unknown>) =>
      isDeferred(options) ? new SandboxWallets(options) : new SandboxElements(String(options.clientSecret)),
    confirmPayment,
    retrievePaymentIntent,
    createToken: notInSandbox,
    createPaymentMethod: notInSandbox,
    confirmCardPayment: notInSandbox,
    registerAppInfo: () => undefined,
    _registerWrapper: () => undefined,
  }
  Object.assign(window, { Stripe: Object.assign(() => stripe, { version: 'endive' }) })
}
