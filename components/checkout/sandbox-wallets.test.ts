import { SandboxWallets } from './sandbox-wallets'

// Checks the rules C17 of docs/stripe-rules.md: docs.stripe.com/js/elements_object/express_checkout_element_click_event

type Click = { resolve: (details?: object) => void; reject: () => void }
const OPTIONS = { mode: 'payment', amount: 2400, currency: 'usd', captureMethod: 'automatic' } as const

/** Renders the wallet's button in a minimal fake document, and returns a function that taps the button. */
function drawButton(onClick: (event: Click) => void, options: { shippingAddressRequired?: boolean } = {}) {
  let tap = (): void => undefined
  const element = {
    append: () => undefined,
    remove: () => undefined,
    setAttribute: () => undefined,
    style: {},
    addEventListener: (_name: string, listener: () => void) => (tap = listener),
  }
  Object.assign(globalThis, { document: { cookie: '', createElement: () => element } })
  const elements = new SandboxWallets({ ...OPTIONS })
  const wallet = elements.create('expressCheckout', options)
  wallet.on('click', (event) => onClick(event as Click))
  wallet.mount(element as unknown as HTMLElement)
  return () => tap()
}

beforeEach(() => jest.useFakeTimers())
afterEach(() => {
  jest.useRealTimers()
  Reflect.deleteProperty(globalThis, 'document')
})

it('throws when a click is answered after one second', () => {
  const complain = jest.fn()
  Object.assign(globalThis, { reportError: complain })
  let event: Click | undefined
  drawButton((clicked) => (event = clicked))()
  jest.advanceTimersByTime(999)
  expect(complain).not.toHaveBeenCalled()
  jest.advanceTimersByTime(1)
  expect(complain).toHaveBeenCalledWith(expect.objectContaining({ name: 'IntegrationError' }))
  expect(() => event?.resolve()).toThrow('timed out')
  expect(() => event?.reject()).toThrow('timed out')
})

it('throws when a click is answered twice', () => {
  let event: Click | undefined
  drawButton((clicked) => (event = clicked))()
  event?.reject()
  expect(() => event?.resolve()).toThrow('already resolved')
})

it('throws when the line items cost more than the payment, and when an address is asked for without a shipping rate', () => {
  drawButton(({ resolve }) => {
    expect(() => resolve({ lineItems: [{ name: 'Mug', amount: 2401 }] })).toThrow('less than the total')
  })()
  drawButton(({ resolve }) => expect(() => resolve({})).toThrow('shipping rate'), { shippingAddressRequired: true })()
  expect.assertions(2)
})

it('throws for the option that Stripe has removed, and for a payment outside of the confirm event', async () => {
  expect(() => new SandboxWallets({ ...OPTIONS, paymentMethodTypes: ['card'] })).toThrow('allowedPaymentMethodTypes')
  await expect(new SandboxWallets({ ...OPTIONS }).pay(() => Promise.resolve({}))).rejects.toThrow('"confirm" event')
})
