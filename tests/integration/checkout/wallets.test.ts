import { closeDatabase, db } from '@/lib/infra/db'
import { standIn, stripe } from '@/lib/infra/stripe'
import { newSecret } from '@/lib/kernel/id'
import { cancelWalletPayment } from '@/lib/checkout/wallet/cancel-wallet-payment'
import { checkWalletPayment } from '@/lib/checkout/wallet/check-wallet-payment'
import { cancelWalletSchema, checkWalletSchema, startWalletSchema } from '@/lib/checkout/wallet/wallet-schema'
import { releaseHold } from '@/lib/checkout/hold/release-hold'
import { settleCheckout } from '@/lib/checkout/settlement/settle-checkout'
import { startEmbeddedCheckout } from '@/lib/checkout/start-embedded-checkout'
import { startWalletPayment } from '@/lib/checkout/wallet/start-wallet-payment'
import { systemContext } from '@/lib/infra/context'
import { makeCodedDrop } from '@/tests/support/make-coded-drop'
import { makeDrop, visitor } from '@/tests/support/factories'
import { examineMoneyAfterEach } from '@/tests/support/examine-money-after-each'
import { ageHolds, openCheckout, pay, payEmbedded } from '@/tests/support/shop'

examineMoneyAfterEach()
afterAll(closeDatabase)

const HOME = {
  email: 'dana@example.com',
  name: 'Dana Demo',
  line1: '1 Demo Street',
  city: 'San Francisco',
  state: 'CA',
  postalCode: '94103',
  country: 'US',
  phone: '+1 555 555 0123',
}
const intentOf = (secret: string) => secret.split('_secret_')[0] ?? ''
const stock = async (id: number) => {
  const { sold, held } = await db().drop.findUniqueOrThrow({ where: { id } })
  return { sold, held }
}

type Change = { buyerToken?: string; paymentIntentId?: string; amountCents?: number; details?: object }

/** Holds units as a tap on a wallet does. */
async function tap(dropId: number, given: { quantity?: number; code?: string; buyerToken?: string } = {}) {
  const buyerToken = given.buyerToken ?? newSecret()
  const started = await startEmbeddedCheckout(visitor(), { dropId, ...given, buyerToken })
  const check = ({ details = HOME, ...change }: Change = {}) =>
    checkWalletPayment(visitor(), {
      ...{ paymentIntentId: intentOf(started.clientSecret), amountCents: started.amountCents, buyerToken, ...change },
      details: checkWalletSchema.shape.details.parse(details),
    })
  return { ...started, buyerToken, check, intentId: intentOf(started.clientSecret) }
}

describe('a tap on a wallet', () => {
  it('holds the chosen quantity, and the sheet gets the amount that is charged', async () => {
    const drop = await makeDrop()
    const { amountCents, intentId, clientSecret, check } = await tap(drop.id, { quantity: 2 })
    expect(amountCents).toBe(4800)
    expect(await stock(drop.id)).toEqual({ sold: 0, held: 2 })
    await check()
    expect((await payEmbedded(clientSecret, { elementsAmount: '4800', elementsCurrency: 'usd' })).status).toBe(200)
    expect(await settleCheckout(systemContext('test'), intentId)).toMatch(/paid/)
    expect(await stock(drop.id)).toEqual({ sold: 2, held: 0 })
  })

  it('returns the reduced price of a discount code', async () => {
    const { drop } = await makeCodedDrop()
    expect(await tap(drop.id, { quantity: 2, code: 'FRIENDS' })).toMatchObject({ amountCents: 3840 })
  })

  it('gets the same payment again after a decline, so that a second card pays it', async () => {
    const drop = await makeDrop({ quantity: 1 })
    const first = await tap(drop.id)
    expect((await payEmbedded(first.clientSecret, { cardNumber: '4000000000000002' })).status).toBe(402)
    const again = await tap(drop.id, { buyerToken: first.buyerToken })
    expect(again).toMatchObject({ clientSecret: first.clientSecret, amountCents: 2400 })
    expect((await payEmbedded(again.clientSecret)).status).toBe(200)
    await settleCheckout(systemContext('test'), again.intentId)
    expect(await stock(drop.id)).toEqual({ sold: 1, held: 0 })
  })

  // C16, docs.stripe.com/payments/accept-a-payment-deferred
  it('cannot pay another amount than the sheet showed', async () => {
    const drop = await makeDrop()
    const { clientSecret, intentId } = await tap(drop.id)
    const refused = await payEmbedded(clientSecret, { elementsAmount: '2399', elementsCurrency: 'usd' })
    expect(refused.status).toBe(400)
    expect(await refused.json()).toMatchObject({ error: { type: 'invalid_request_error' } })
    expect((await payEmbedded(clientSecret, { elementsAmount: '2400', elementsCurrency: 'eur' })).status).toBe(400)
    expect((await stripe().paymentIntents.retrieve(intentId)).status).toBe('requires_payment_method')
  })
})

describe('a buyer whose payment went through although the response was lost', () => {
  const isPaid = (intentId: string) => ({
    ...{ code: 'ALREADY_PAID', status: 409, url: `/success-payment?session_id=${intentId}` },
  })

  it('is led to the success page by Buy, and pays once', async () => {
    const drop = await makeDrop({ quantity: 3 })
    const { buyerToken, clientSecret, intentId } = await tap(drop.id)
    await payEmbedded(clientSecret)
    await expect(openCheckout(drop.id, { buyerToken })).rejects.toMatchObject(isPaid(intentId))
    expect(await db().order.count({ where: { dropId: drop.id } })).toBe(1)
    expect(await stock(drop.id)).toEqual({ sold: 1, held: 0 })
  })

  it('is led there by another tap before the payment is recorded', async () => {
    const drop = await makeDrop({ quantity: 3 })
    const { buyerToken, clientSecret, intentId } = await tap(drop.id)
    await payEmbedded(clientSecret)
    await expect(tap(drop.id, { buyerToken })).rejects.toMatchObject(isPaid(intentId))
    await expect(tap(drop.id, { buyerToken, quantity: 2 })).rejects.toMatchObject(isPaid(intentId))
    expect(await db().order.count({ where: { dropId: drop.id } })).toBe(1)
  })

  it('is led there by a tap on a wallet after a payment on the payment page', async () => {
    const drop = await makeDrop({ quantity: 3 })
    const buyerToken = newSecret()
    const { url, sessionId } = await openCheckout(drop.id, { buyerToken })
    await pay(url)
    await expect(tap(drop.id, { buyerToken })).rejects.toMatchObject(isPaid(sessionId))
    expect(await stock(drop.id)).toEqual({ sold: 1, held: 0 })
  })
})

describe('a tap that does not open a sheet', () => {
  const start = (dropId: number, buyerToken = newSecret(), signal = new AbortController().signal) =>
    startWalletPayment(visitor(), { dropId, buyerToken }, signal)

  it('leaves no units held when the browser is gone before the payment is ready', async () => {
    const drop = await makeDrop()
    await start(drop.id, newSecret(), AbortSignal.abort())
    expect(await stock(drop.id)).toEqual({ sold: 0, held: 0 })
  })

  it('continues like Buy after five closed sheets within ten minutes', async () => {
    const drop = await makeDrop()
    const buyerToken = newSecret()
    const closeOne = async (token: string) => {
      await start(drop.id, token)
      await cancelWalletPayment(visitor(), { dropId: drop.id, buyerToken: token })
    }
    for (let closed = 0; closed < 5; closed += 1) await closeOne(buyerToken)
    await expect(start(drop.id, buyerToken)).rejects.toMatchObject({ code: 'WALLET_BUSY', status: 429 })
    expect(await stock(drop.id)).toEqual({ sold: 0, held: 0 })
    await expect(openCheckout(drop.id, { buyerToken })).resolves.toBeDefined()
    await closeOne(newSecret())
    await ageHolds(drop.id, 601)
    await expect(start(drop.id, newSecret())).resolves.toBeDefined()
  })

  it('continues like Buy when Stripe gets too many calls', async () => {
    const drop = await makeDrop()
    const fault = { kind: 'rate-limit', path: '/v1/payment_intents', remaining: null, delayMs: 0 } as const
    await standIn()!.setFaults({ api: fault, deliveries: null })
    try {
      await expect(start(drop.id)).rejects.toMatchObject({ code: 'WALLET_BUSY' })
    } finally {
      await standIn()!.setFaults({ api: null, deliveries: null })
    }
    expect(await stock(drop.id)).toEqual({ sold: 0, held: 0 })
  })
})

describe('the check before a wallet pays', () => {
  it('lets only the buyer who holds the units pay, and only the amount of the order', async () => {
    const drop = await makeDrop()
    const { check } = await tap(drop.id)
    await expect(check()).resolves.toBeUndefined()
    await expect(check({ buyerToken: newSecret() })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(check({ paymentIntentId: 'pi_12345678' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(check({ amountCents: 2399 })).rejects.toMatchObject({ code: 'PRICE_CHANGED', status: 409 })
  })

  it.each([
    ['email', { email: 'dana' }, 'Enter an email address like name@example.com.'],
    ['name', { name: undefined }, 'Enter the name of the person who gets the parcel.'],
    ['postalCode', { postalCode: '' }, 'Enter the postal code.'],
    ['line1', { line1: ' ' }, 'Enter the street and house number.'],
    ['country', { country: 'KP' }, 'Choose the country.'],
    ['phone', { phone: '12' }, 'Enter a phone number like +1 555 555 0100.'],
    ['city', { city: 'x'.repeat(201) }, 'This is too long.'],
  ])('refuses a parcel without a valid %s, with the message that the form would show', async (field, change, text) => {
    const { check } = await tap((await makeDrop()).id)
    const details = Object.fromEntries(
      Object.entries({ ...HOME, ...change }).filter(([, value]) => value !== undefined),
    )
    const message = `You weren't charged. ${text} You can change this in your wallet, or buy with a card.`
    await expect(check({ details })).rejects.toMatchObject({ code: 'WALLET_DETAILS', status: 400, field, message })
  })

  it.each(['0171/1234567', '+1 555 555 0100 ext. 2', '+1 (555) 555-0100 x22', '030 – 901820'])(
    'accepts the phone number %s in the form in which a wallet has it',
    async (phone) => {
      const { check } = await tap((await makeDrop()).id)
      await expect(check({ details: { ...HOME, phone } })).resolves.toBeUndefined()
    },
  )

  it('needs only an email for what is not shipped', async () => {
    const drop = await makeDrop({ productType: 'service' })
    const { check } = await tap(drop.id)
    await expect(check({ details: { email: 'dana@example.com' } })).resolves.toBeUndefined()
    await expect(check({ details: {} })).rejects.toMatchObject({ field: 'email' })
  })

  it('refuses when the hold has ended or was released', async () => {
    const drop = await makeDrop({ quantity: 2 })
    const [late, closed] = [await tap(drop.id), await tap(drop.id)]
    await db().hold.updateMany({
      where: { order: { stripePaymentIntentId: late.intentId } },
      data: { expiresAt: new Date(Date.now() - 1_000) },
    })
    await expect(late.check()).rejects.toMatchObject({ code: 'HOLD_OVER', status: 409 })
    await cancelWalletPayment(visitor(), { dropId: drop.id, buyerToken: closed.buyerToken })
    await expect(closed.check()).rejects.toMatchObject({ code: 'HOLD_OVER' })
  })

  it('refuses units that went back on sale and are gone, before the card is charged', async () => {
    const drop = await makeDrop({ quantity: 2 })
    const { check, intentId } = await tap(drop.id)
    const { holdId } = await db().order.findFirstOrThrow({ where: { stripePaymentIntentId: intentId } })
    await releaseHold(systemContext('test'), holdId, 'yielded')
    await check()
    await openCheckout(drop.id, { quantity: 2 })
    // The other checkout gives its units to a payment only if it is contested.
    await db().hold.updateMany({ where: { dropId: drop.id, state: 'held' }, data: { isContested: true } })
    await check()
    await db().hold.updateMany({ where: { dropId: drop.id, state: 'held' }, data: { isContested: false } })
    await expect(check()).rejects.toMatchObject({ code: 'HOLD_OVER' })
  })

  it('does not stop a buyer whose payment went through already', async () => {
    const drop = await makeDrop()
    const { clientSecret, intentId, check } = await tap(drop.id)
    await payEmbedded(clientSecret)
    await settleCheckout(systemContext('test'), intentId)
    await expect(check()).resolves.toBeUndefined()
  })
})

describe('closing the sheet of a wallet', () => {
  const close = (dropId: number, buyerToken: string) => cancelWalletPayment(visitor(), { dropId, buyerToken })

  it('frees the units and the use of a code, and the payment can no longer be paid', async () => {
    const { drop } = await makeCodedDrop()
    const { buyerToken, clientSecret, intentId } = await tap(drop.id, { quantity: 2, code: 'FRIENDS' })
    expect(await stock(drop.id)).toEqual({ sold: 0, held: 2 })
    expect(await close(drop.id, buyerToken)).toBe(true)
    expect(await stock(drop.id)).toEqual({ sold: 0, held: 0 })
    expect((await db().discountCode.findFirstOrThrow({ where: { dropId: drop.id } })).used).toBe(0)
    expect((await stripe().paymentIntents.retrieve(intentId)).status).toBe('canceled')
    expect((await payEmbedded(clientSecret)).status).toBe(400)
    expect(await close(drop.id, buyerToken)).toBe(true)
    expect(await stock(drop.id)).toEqual({ sold: 0, held: 0 })
  })

  it('frees nothing of other buyers, and nothing that the buyer holds on the payment page', async () => {
    const drop = await makeDrop()
    const other = await tap(drop.id)
    await close(drop.id, newSecret())
    expect(await stock(drop.id)).toEqual({ sold: 0, held: 1 })
    await openCheckout(drop.id, { buyerToken: other.buyerToken })
    expect(await close(drop.id, other.buyerToken)).toBe(false)
    expect(await stock(drop.id)).toEqual({ sold: 0, held: 1 })
  })

  it('closes the payment of this sheet only, and without its id only a hold that is younger than the tap', async () => {
    const drop = await makeDrop()
    const { buyerToken, intentId } = await tap(drop.id)
    const cancel = (given: object) => cancelWalletPayment(visitor(), { dropId: drop.id, buyerToken, ...given })
    expect(await cancel({ paymentIntentId: 'pi_another_sheet' })).toBe(false)
    await ageHolds(drop.id, 60)
    expect(await cancel({ ageMs: 30_000 })).toBe(false)
    expect(await stock(drop.id)).toEqual({ sold: 0, held: 1 })
    expect(await cancel({ paymentIntentId: intentId })).toBe(true)
    expect(await stock(drop.id)).toEqual({ sold: 0, held: 0 })
    await tap(drop.id, { buyerToken })
    expect(await cancel({ ageMs: 0 })).toBe(true)
    expect(await stock(drop.id)).toEqual({ sold: 0, held: 0 })
  })

  it('settles a payment that went through at the same moment', async () => {
    const drop = await makeDrop()
    const { buyerToken, clientSecret, intentId } = await tap(drop.id)
    await Promise.all([payEmbedded(clientSecret), close(drop.id, buyerToken)])
    const order = await db().order.findUniqueOrThrow({ where: { stripePaymentIntentId: intentId } })
    const { status } = await stripe().paymentIntents.retrieve(intentId)
    expect([order.status, status]).toEqual(status === 'succeeded' ? ['paid', 'succeeded'] : ['expired', 'canceled'])
    expect(await stock(drop.id)).toEqual({ sold: status === 'succeeded' ? 1 : 0, held: 0 })
  })
})

describe('the calls', () => {
  it.each([
    [startWalletSchema, { dropId: '1' }],
    [startWalletSchema, { dropId: 1, quantity: 0 }],
    [startWalletSchema, { dropId: 1, quantity: 11 }],
    [startWalletSchema, { dropId: 1, price: 1 }],
    [cancelWalletSchema, {}],
    [cancelWalletSchema, { dropId: 1, orderId: 'x' }],
    [cancelWalletSchema, { dropId: 1, paymentIntentId: 'cs_12345678' }],
    [cancelWalletSchema, { dropId: 1, ageMs: -1 }],
    [checkWalletSchema, { paymentIntentId: 'cs_12345678', amountCents: 1, details: {} }],
    [checkWalletSchema, { paymentIntentId: 'pi_12345678', amountCents: 1.5, details: {} }],
    [checkWalletSchema, { paymentIntentId: 'pi_12345678', amountCents: 1, details: { cvc: '123' } }],
    [checkWalletSchema, { paymentIntentId: 'pi_12345678', amountCents: 1, details: { city: 'x'.repeat(1_001) } }],
  ])('refuse what does not fit the schema', (schema, body) => expect(schema.safeParse(body).success).toBe(false))
})
