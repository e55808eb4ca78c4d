import { closeDatabase, db } from '@/lib/infra/db'
import { standIn, stripe } from '@/lib/infra/stripe'
import { AppError } from '@/lib/kernel/app-error'
import { newSecret } from '@/lib/kernel/id'
import { startEmbeddedCheckout } from '@/lib/checkout/start-embedded-checkout'
import { makeDrop, visitor } from '@/tests/support/factories'
import { examineMoneyAfterEach } from '@/tests/support/examine-money-after-each'
import { openCheckout, pay } from '@/tests/support/shop'
import { until } from '@/tests/support/until'
import { heldOf } from './hold-support'

examineMoneyAfterEach()
afterEach(() => standIn()!.setFaults({ api: null, deliveries: null }))
afterAll(closeDatabase)

/** Slows the next call to Stripe, which opens a checkout, so that a second press comes while the first one waits. */
async function slowStripe(): Promise<void> {
  const api = { kind: 'slow' as const, path: '/v1/', remaining: 1, delayMs: 600 }
  await standIn()!.setFaults({ api, deliveries: null })
}

/** Waits until at least this many checkouts of a drop hold units. */
const untilHeld = (dropId: number, holds = 1) =>
  until('the units are held', async () => ((await heldOf(dropId)).length >= holds ? true : undefined))

const makeShirt = (units = 3) =>
  makeDrop({
    quantity: 2 * units,
    optionName: 'Size',
    values: {
      create: ['S', 'M'].map((value, position) => ({ value, quantity: units, position })),
    },
  })

const orderOf = (sessionId: string) => db().order.findUniqueOrThrow({ where: { stripeSessionId: sessionId } })
const statusOf = async (sessionId: string) => (await stripe().checkout.sessions.retrieve(sessionId)).status

it('opens the checkout for the size pressed last, while the press on another size waits for Stripe', async () => {
  const drop = await makeShirt()
  const buyerToken = newSecret()
  await slowStripe()
  const first = openCheckout(drop.id, { buyerToken, selectedVariants: { Size: 'S' } })
  await untilHeld(drop.id)
  const second = await openCheckout(drop.id, { buyerToken, selectedVariants: { Size: 'M' } })
  const { sessionId } = await first
  expect(await orderOf(second.sessionId)).toMatchObject({ optionValue: 'M', status: 'pending' })
  expect(await orderOf(sessionId)).toMatchObject({ optionValue: 'S', status: 'expired' })
  expect(await statusOf(sessionId)).toBe('expired')
  expect(await heldOf(drop.id)).toHaveLength(1)
  expect((await pay(second.url)).status).toBe(303)
})

it('does the same for the last units of a drop, for another number of units and for another country', async () => {
  const zones = [
    { cents: 0, countries: ['US'] },
    { cents: 500, countries: ['DE'] },
  ]
  const drop = await makeDrop({ quantity: 2, productType: 'physical', shippingZones: zones })
  const buyerToken = newSecret()
  await slowStripe()
  const first = openCheckout(drop.id, { buyerToken, quantity: 2, country: 'US' })
  await untilHeld(drop.id)
  const second = await openCheckout(drop.id, { buyerToken, quantity: 1, country: 'US' })
  expect(await orderOf(second.sessionId)).toMatchObject({ quantity: 1, shipsTo: 'US' })
  expect(await statusOf((await first).sessionId)).toBe('expired')

  const other = newSecret()
  await slowStripe()
  const third = openCheckout(drop.id, { buyerToken: other, country: 'US' })
  await untilHeld(drop.id, 2)
  const fourth = await openCheckout(drop.id, { buyerToken: other, country: 'DE' })
  expect(await orderOf(fourth.sessionId)).toMatchObject({ shipsTo: 'DE', shippingCents: 500 })
  expect(await statusOf((await third).sessionId)).toBe('expired')
})

it('closes a hosted checkout that is being opened when the same buyer taps a wallet', async () => {
  const drop = await makeShirt()
  const buyerToken = newSecret()
  await slowStripe()
  const first = openCheckout(drop.id, { buyerToken, selectedVariants: { Size: 'S' } })
  await untilHeld(drop.id)
  const tap = { dropId: drop.id, buyerToken, selectedVariants: { Size: 'M' } }
  const { clientSecret } = await startEmbeddedCheckout(visitor(), tap)
  expect(await statusOf((await first).sessionId)).toBe('expired')
  const intentId = clientSecret.split('_secret')[0]
  const order = await db().order.findUniqueOrThrow({ where: { stripePaymentIntentId: intentId } })
  expect(order).toMatchObject({ optionValue: 'M', status: 'pending' })
})

it('gives each of many simultaneous presses its own choice or a clear refusal, and keeps one checkout open', async () => {
  for (let round = 0; round < 8; round += 1) {
    const drop = await makeShirt()
    const buyerToken = newSecret()
    const sizes = ['S', 'M', 'S', 'M', 'M']
    const presses = sizes.map((Size) => openCheckout(drop.id, { buyerToken, selectedVariants: { Size } }))
    const open: string[] = []
    for (const [at, press] of (await Promise.allSettled(presses)).entries()) {
      if (press.status === 'rejected') {
        expect(press.reason).toBeInstanceOf(AppError)
        expect(press.reason).toMatchObject({ status: 503, code: 'STRIPE_AWAY' })
        continue
      }
      const { sessionId } = press.value
      expect((await orderOf(sessionId)).optionValue).toBe(sizes[at])
      if ((await statusOf(sessionId)) === 'open') open.push(sessionId)
    }
    expect(new Set(open).size).toBe(1)
    expect(await heldOf(drop.id)).toHaveLength(1)
  }
})
