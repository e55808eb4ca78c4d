import { newSecret } from '@/lib/kernel/id'
import { standIn } from '@/lib/infra/stripe'
import { startCheckout } from '@/lib/orders/start-checkout'
import { visitor } from './factories'

/** Opens a hosted checkout as a visitor, up to the card page. */
export async function openCheckout(dropId: number, options: { quantity?: number; buyerToken?: string } = {}) {
  const started = await startCheckout(visitor(), {
    dropId,
    quantity: options.quantity ?? 1,
    buyerToken: options.buyerToken ?? newSecret(),
  })
  if (!('url' in started)) throw new Error('the buyer has to wait in line')
  const { url } = started
  return { url, sessionId: new URL(url).pathname.split('/').at(-1) ?? '' }
}

/** Pays on the stand-in's card page. */
export async function pay(url: string, cardNumber = '4242424242424242'): Promise<Response> {
  const local = standIn()
  if (!local) throw new Error('the sandbox is off')
  return local.pages(
    new Request(`${url}/pay`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'Bea@example.com', cardNumber, name: 'Bea Buyer' }),
    }),
  )
}

/** Presses a button on the stand-in's onboarding page. @returns the address it leads to. */
export async function onboard(url: string, step: string): Promise<string | null> {
  const local = standIn()
  if (!local) throw new Error('the sandbox is off')
  const response = await local.pages(new Request(url, { method: 'POST', body: new URLSearchParams({ step }) }))
  if (response.status !== 303) throw new Error(`the onboarding page answered ${response.status}`)
  return response.headers.get('location')
}

/** Pays with a client secret, as the form on our own page does. */
export async function payEmbedded(clientSecret: string, fields: Record<string, string> = {}): Promise<Response> {
  const local = standIn()
  if (!local) throw new Error('the sandbox is off')
  const buyer = {
    email: 'Bea@example.com',
    cardNumber: '4242424242424242',
    shippingName: 'Bea Buyer',
    line1: '1 Long Lane',
    city: 'London',
    postalCode: 'N1 7GU',
    country: 'GB',
    phone: '+15555550100',
  }
  const isAnswer = fields.confirm !== undefined
  return local.pages(
    new Request(`http://localhost:3000/sandbox/elements/${clientSecret.split('_secret_')[0]}/confirm`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ clientSecret, ...(isAnswer ? {} : buyer), ...fields }),
    }),
  )
}
