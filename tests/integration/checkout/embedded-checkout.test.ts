import { closeDatabase, db } from '@/lib/infra/db'
import { systemContext } from '@/lib/infra/context'
import { standIn, stripe } from '@/lib/infra/stripe'
import { newSecret } from '@/lib/kernel/id'
import { HOUR_MS } from '@/lib/kernel/time'
import { releaseHold } from '@/lib/checkout/hold/release-hold'
import { getPaidOrder } from '@/lib/checkout/settlement/get-paid-order'
import { createPaymentIntentSchema } from '@/lib/checkout/schema'
import { settleCheckout } from '@/lib/checkout/settlement/settle-checkout'
import { startEmbeddedCheckout } from '@/lib/checkout/start-embedded-checkout'
import { sweepCheckouts } from '@/lib/checkout/sweep-checkouts'
import { actorOf, contextFor, makeDrop, makeSeller, visitor } from '@/tests/support/factories'
import { examineMoneyAfterEach } from '@/tests/support/examine-money-after-each'
import { openCheckout, payEmbedded } from '@/tests/support/shop'

examineMoneyAfterEach()
afterAll(closeDatabase)

const ctx = () => systemContext('test')
const start = (dropId: number, buyerToken = newSecret()) => startEmbeddedCheckout(visitor(), { dropId, buyerToken })
const intentOf = (secret: string) => secret.split('_secret_')[0] ?? ''
const orderOf = (secret: string) => db().order.findUniqueOrThrow({ where: { stripePaymentIntentId: intentOf(secret) } })
const stock = async (id: number) => {
  const { sold, held } = await db().drop.findUniqueOrThrow({ where: { id } })
  return { sold, held }
}

it('an embedded checkout holds units for ten minutes, is paid through the form, and stores the shipping address', async () => {
  const drop = await makeDrop()
  const { clientSecret, expiresAt } = await start(drop.id)
  expect(Math.round((expiresAt.getTime() - Date.now()) / 60_000)).toBe(10)
  expect(await stock(drop.id)).toEqual({ sold: 0, held: 1 })
  expect((await payEmbedded(clientSecret)).status).toBe(200)
  await Promise.all(Array.from({ length: 20 }, () => settleCheckout(ctx(), intentOf(clientSecret))))
  expect(await getPaidOrder(visitor(), intentOf(clientSecret))).toMatchObject({
    status: 'paid',
    stripeSessionId: null,
    amountCents: 2400,
    cardFeeCents: 100,
    buyerEmail: 'bea@example.com',
    buyerPhone: '+15555550100',
    shipName: 'Bea Buyer',
    shipCity: 'London',
    shipCountry: 'GB',
  })
  expect(await stock(drop.id)).toEqual({ sold: 1, held: 0 })
})

it('a payment that is being processed when its yielded checkout and the drop end gets the unit if it is still free', async () => {
  const drop = await makeDrop({ quantity: 1 })
  const { clientSecret } = await start(drop.id)
  const { holdId } = await orderOf(clientSecret)
  await releaseHold(ctx(), holdId, 'yielded')
  await db().hold.update({ where: { id: holdId }, data: { expiresAt: new Date(Date.now() - 1_000) } })
  const setStatus = (status: string) =>
    db().$executeRaw`UPDATE "SandboxObject" SET "json" = "json" || jsonb_build_object('status', ${status}::text)
                      WHERE "id" = ${intentOf(clientSecret)}`
  await setStatus('processing')
  await sweepCheckouts(ctx())
  const endTime = new Date(Date.now() - 1_000)
  await db().drop.update({
    where: { id: drop.id },
    data: { endTime, startedAt: new Date(endTime.getTime() - 24 * HOUR_MS) },
  })
  await setStatus('requires_payment_method')
  expect((await payEmbedded(clientSecret)).status).toBe(200)
  expect(await settleCheckout(ctx(), intentOf(clientSecret))).toBe('paid')
  expect(await stock(drop.id)).toEqual({ sold: 1, held: 0 })
})

it('a payment can be tried again after a decline, and needs the confirmation that the bank requests', async () => {
  const drop = await makeDrop()
  const { clientSecret } = await start(drop.id)
  const declined = await payEmbedded(clientSecret, { cardNumber: '4000000000000002' })
  expect(declined.status).toBe(402)
  expect(await declined.json()).toMatchObject({ error: { type: 'card_error', code: 'card_declined' } })
  const asked = await payEmbedded(clientSecret, { cardNumber: '4000000000003220' })
  expect(await asked.json()).toMatchObject({ status: 'requires_action' })
  expect(await settleCheckout(ctx(), intentOf(clientSecret))).toBe('open')
  expect(await stock(drop.id)).toEqual({ sold: 0, held: 1 })
  expect((await payEmbedded(clientSecret, { confirm: 'true' })).status).toBe(200)
  expect(await settleCheckout(ctx(), intentOf(clientSecret))).toBe('paid')
})

it('returns the same payment to ten simultaneous requests of one buyer', async () => {
  const drop = await makeDrop({ quantity: 1 })
  const buyerToken = newSecret()
  const all = await Promise.all(Array.from({ length: 10 }, () => start(drop.id, buyerToken)))
  expect(new Set(all.map(({ clientSecret }) => clientSecret)).size).toBe(1)
  expect(await stock(drop.id)).toEqual({ sold: 0, held: 1 })
})

it('an embedded checkout replaces the hosted checkout of the same buyer, and a hosted checkout an embedded one', async () => {
  const drop = await makeDrop()
  const buyerToken = newSecret()
  const hosted = await openCheckout(drop.id, { buyerToken })
  const { clientSecret } = await start(drop.id, buyerToken)
  expect((await stripe().checkout.sessions.retrieve(hosted.sessionId)).status).toBe('expired')
  expect(await stock(drop.id)).toEqual({ sold: 0, held: 1 })
  await openCheckout(drop.id, { buyerToken })
  expect((await stripe().paymentIntents.retrieve(intentOf(clientSecret))).status).toBe('canceled')
  expect((await payEmbedded(clientSecret)).status).toBe(400)
  expect(await stock(drop.id)).toEqual({ sold: 0, held: 1 })
})

it('the sweep cancels an unpaid payment whose hold has expired, and keeps a paid payment', async () => {
  const drop = await makeDrop()
  const unpaid = await start(drop.id)
  const paid = await start(drop.id)
  await payEmbedded(paid.clientSecret)
  await db().hold.updateMany({ where: { dropId: drop.id }, data: { expiresAt: new Date(Date.now() - 1_000) } })
  await sweepCheckouts(ctx())
  expect(await stock(drop.id)).toEqual({ sold: 1, held: 0 })
  expect(await orderOf(unpaid.clientSecret)).toMatchObject({ status: 'expired' })
  expect(await orderOf(paid.clientSecret)).toMatchObject({ status: 'paid' })
})

it('the sweep finds a payment whose webhook never arrived, even before the hold has ended', async () => {
  const drop = await makeDrop()
  const { clientSecret } = await start(drop.id)
  await payEmbedded(clientSecret)
  await sweepCheckouts(ctx())
  expect(await orderOf(clientSecret)).toMatchObject({ status: 'paid' })
})

it.each([
  ['DROP_ENDED', 409, { endTime: new Date(Date.now() - 1), startedAt: new Date(0) }],
  ['DROP_PAUSED', 409, { isActive: false }],
  ['SOLD_OUT', 409, { quantity: 1, sold: 1 }],
  ['ALL_IN_CHECKOUT', 409, { quantity: 1, held: 1 }],
  ['DROP_NOT_FOUND', 404, { hiddenAt: new Date() }],
])('refuses with %s without calling Stripe', async (code, status, change) => {
  const drop = await makeDrop(change)
  const before = await db().sandboxObject.count()
  await expect(start(drop.id)).rejects.toMatchObject({ code, status })
  expect(await db().sandboxObject.count()).toBe(before)
})

it('does not sell a seller their own drop', async () => {
  const seller = await makeSeller()
  const drop = await makeDrop({ userId: seller.id })
  const own = startEmbeddedCheckout(contextFor(actorOf(seller)), { dropId: drop.id, buyerToken: newSecret() })
  await expect(own).rejects.toMatchObject({ code: 'OWN_DROP', status: 403 })
})

describe('the calls of Stripe’s script in the browser', () => {
  const ask = (path: string, init?: RequestInit) => standIn()!.pages(new Request(`http://localhost:3000${path}`, init))

  it('return nothing without the client secret, and with a secret only the payment of that secret', async () => {
    const drop = await makeDrop()
    const [one, other] = [await start(drop.id), await start(drop.id)]
    const id = intentOf(one.clientSecret)
    expect((await ask(`/sandbox/elements/${id}?client_secret=${one.clientSecret}`)).status).toBe(200)
    expect((await ask(`/sandbox/elements/${id}`)).status).toBe(404)
    expect((await ask(`/sandbox/elements/${id}?client_secret=${other.clientSecret}`)).status).toBe(404)
    const stolen = await payEmbedded(`${id}_secret_guess`)
    expect(stolen.status).toBe(404)
    expect(await settleCheckout(ctx(), id)).toBe('unpaid')
  })

  it('do not pay the payment of a hosted checkout', async () => {
    const drop = await makeDrop()
    const { url } = await openCheckout(drop.id)
    await standIn()!.pages(
      new Request(`${url}/pay`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: 'bea@example.com', cardNumber: '4000000000000002' }),
      }),
    )
    const [intent] = (await stripe().paymentIntents.list({ limit: 1 })).data
    expect((await payEmbedded(intent?.client_secret ?? '')).status).toBe(404)
  })
})

it.each([
  [{}],
  [{ dropId: '1' }],
  [{ dropId: 1.5 }],
  [{ dropId: -1 }],
  [{ dropId: 1, price: 1 }],
  [{ dropId: 1, quantity: 3 }],
  [{ dropId: 1, selectedVariants: { size: 1 } }],
  [{ dropId: 1, selectedVariants: [] }],
  [{ dropId: 1, selectedVariants: 'M' }],
])('refuses the request body %j', (body) => expect(createPaymentIntentSchema.safeParse(body).success).toBe(false))

it('accepts chosen, empty and missing variants, because only the row of the drop shows whether they are valid', () => {
  expect(createPaymentIntentSchema.safeParse({ dropId: 1, selectedVariants: { size: 'M' } }).success).toBe(true)
  expect(createPaymentIntentSchema.safeParse({ dropId: 1, selectedVariants: {} }).success).toBe(true)
  expect(createPaymentIntentSchema.safeParse({ dropId: 1 }).success).toBe(true)
})
