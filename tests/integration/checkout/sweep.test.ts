import type Stripe from 'stripe'
import { systemContext } from '@/lib/infra/context'
import { closeDatabase, db } from '@/lib/infra/db'
import { standIn } from '@/lib/infra/stripe'
import { MINUTE_MS } from '@/lib/kernel/time'
import { settleCheckout } from '@/lib/checkout/settlement/settle-checkout'
import { sweepCheckouts } from '@/lib/checkout/sweep-checkouts'
import { makeDrop } from '@/tests/support/factories'
import { openCheckout, pay } from '@/tests/support/shop'
import { hold, stock } from './hold-support'

afterEach(() => standIn()!.setFaults({ api: null, deliveries: null }))
afterAll(closeDatabase)

const ctx = () => systemContext('test')

it('ends the other holds and sends refunds although Stripe always fails to expire the session of one checkout', async () => {
  const drop = await makeDrop({ quantity: 10 })
  const paid = await openCheckout(drop.id)
  await pay(paid.url)
  await settleCheckout(ctx(), paid.sessionId)
  const order = await db().order.findFirstOrThrow({ where: { stripeSessionId: paid.sessionId } })
  const checkouts = [await openCheckout(drop.id), await openCheckout(drop.id), await openCheckout(drop.id)]
  const poisoned = checkouts[0]!.sessionId
  await db().hold.updateMany({
    where: { dropId: drop.id, state: 'held' },
    data: { expiresAt: new Date(Date.now() - 1_000) },
  })
  // This is the row of a process that was killed after it had recorded the refund and before it called Stripe.
  const refund = await db().refund.create({
    data: {
      id: `ref_${drop.uniqueId}`,
      orderId: order.id,
      amountCents: order.amountCents,
      platformFeeCents: order.platformFeeCents,
      reason: '',
      requestedBy: `seller:${drop.userId}`,
      createdAt: new Date(Date.now() - MINUTE_MS),
    },
  })
  const path = `/v1/checkout/sessions/${poisoned}/expire`
  await standIn()!.setFaults({ api: { kind: 'error', path, remaining: null, delayMs: 0 }, deliveries: null })
  await sweepCheckouts(ctx()).catch(() => undefined)
  const held = await db().order.findMany({
    where: { dropId: drop.id, status: 'pending' },
    select: { stripeSessionId: true },
  })
  expect(held).toEqual([{ stripeSessionId: poisoned }])
  expect(await db().refund.findUnique({ where: { id: refund.id } })).toMatchObject({ state: 'succeeded' })
  await standIn()!.setFaults({ api: null, deliveries: null })
  await sweepCheckouts(ctx())
  expect(await db().hold.count({ where: { dropId: drop.id, state: 'held' } })).toBe(0)
})

/** Returns Stripe's client, whose calls about refunds of these payments always fail. */
function failingOn(intents: readonly string[]): Stripe {
  const stripe = ctx().stripe()
  const { create, list } = stripe.refunds
  const refuse = (intent?: string) => {
    if (intents.includes(intent ?? '')) throw Object.assign(new Error('500'), { type: 'StripeAPIError' })
  }
  const refunds = Object.assign(Object.create(stripe.refunds) as Stripe['refunds'], {
    create: (...parameters: Parameters<typeof create>) => {
      refuse((parameters[0] as Stripe.RefundCreateParams).payment_intent)
      return create.apply(stripe.refunds, parameters)
    },
    list: (...parameters: Parameters<typeof list>) => {
      refuse((parameters[0] as Stripe.RefundListParams).payment_intent)
      return list.apply(stripe.refunds, parameters)
    },
  })
  return Object.assign(Object.create(stripe) as Stripe, { refunds })
}

it('sends a new refund although Stripe always fails on three older ones', async () => {
  const drop = await makeDrop({ quantity: 10 })
  const ids: string[] = []
  for (let made = 0; made < 4; made += 1) {
    const { url, sessionId } = await openCheckout(drop.id)
    await pay(url)
    await settleCheckout(ctx(), sessionId)
    const order = await db().order.findUniqueOrThrow({ where: { stripeSessionId: sessionId } })
    const { id, amountCents, platformFeeCents } = order
    const createdAt = new Date(Date.now() - (120 - made) * MINUTE_MS)
    const row = { orderId: id, amountCents, platformFeeCents, reason: '', requestedBy: `seller:${drop.userId}` }
    await db().refund.create({ data: { id: `ref_${made}_${drop.uniqueId}`, ...row, createdAt } })
    ids.push(order.stripePaymentIntentId!)
  }
  const failing = ids.slice(0, 3)
  const poisoned = { ...ctx(), stripe: () => failingOn(failing) }
  // The order is random, and each run sends it with a probability of three in four.
  for (let run = 0; run < 12; run += 1) {
    await sweepCheckouts(poisoned, { looksForLost: false }).catch(() => undefined)
  }
  expect(await db().refund.findUnique({ where: { id: `ref_3_${drop.uniqueId}` } })).toMatchObject({
    state: 'succeeded',
  })
})

it('one run ends all expired holds without a session at Stripe, however many there are', async () => {
  const drop = await makeDrop({ quantity: 300 })
  for (let taken = 0; taken < 250; taken += 25) await Promise.all(Array.from({ length: 25 }, () => hold(drop.id)))
  expect(await stock(drop.id)).toEqual({ sold: 0, held: 250 })
  await db().hold.updateMany({ where: { dropId: drop.id }, data: { expiresAt: new Date(Date.now() - 1_000) } })
  expect(await sweepCheckouts(ctx(), { looksForLost: false })).toBeGreaterThanOrEqual(250)
  expect(await stock(drop.id)).toEqual({ sold: 0, held: 0 })
  expect(await db().hold.count({ where: { dropId: drop.id, state: 'released', reason: 'expired' } })).toBe(250)
  expect(await db().order.count({ where: { dropId: drop.id, status: 'expired' } })).toBe(250)
})

it('one run ends more expired sessions than fit into one batch', async () => {
  const drop = await makeDrop({ quantity: 200 })
  for (let taken = 0; taken < 110; taken += 10) {
    await Promise.all(Array.from({ length: 10 }, () => openCheckout(drop.id)))
    await db().hold.updateMany({ where: { dropId: drop.id }, data: { originKey: null } })
  }
  await db().hold.updateMany({ where: { dropId: drop.id }, data: { expiresAt: new Date(Date.now() - 1_000) } })
  expect(await sweepCheckouts(ctx(), { looksForLost: false })).toBeGreaterThanOrEqual(110)
  expect(await stock(drop.id)).toEqual({ sold: 0, held: 0 })
})
