// The sweep settles everything that is due, even when Stripe fails on one checkout every time.
import { systemContext } from '@/lib/infra/context'
import { closeDatabase, db } from '@/lib/infra/db'
import { standIn } from '@/lib/infra/stripe'
import { MINUTE_MS } from '@/lib/kernel/time'
import { settleCheckout } from '@/lib/orders/settle-checkout'
import { sweepCheckouts } from '@/lib/orders/sweep-checkouts'
import { makeDrop } from '@/tests/support/factories'
import { openCheckout, pay } from '@/tests/support/shop'

afterEach(() => standIn()!.setFaults({ api: null, deliveries: null }))
afterAll(closeDatabase)

const ctx = () => systemContext('test')

it('ends holds and sends refunds although Stripe fails on one checkout every time', async () => {
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
  // A process recorded this refund and was killed before it could ask Stripe.
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
