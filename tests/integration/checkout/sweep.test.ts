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
