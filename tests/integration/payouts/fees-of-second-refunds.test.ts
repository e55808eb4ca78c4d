import { closeDatabase, database, db } from '@/lib/infra/db'
import { refundOrder } from '@/lib/refunds/refund-order'
import { readUncoveredCents } from '@/lib/payouts/read-uncovered-cents'
import { makeDrop } from '@/tests/support/factories'
import { openCheckout, payAndSettle } from '@/tests/support/shop'
import { readySeller, refund } from './payout-support'

afterAll(closeDatabase)

it('the card fee of a pending refund counts even if an earlier refund has used up the payout', async () => {
  const { seller, sellerCtx } = await readySeller()
  const drop = await makeDrop({ userId: seller.id, priceCents: 99_900, quantity: 1_000 })
  const { url, sessionId } = await openCheckout(drop.id, { quantity: 10 })
  await payAndSettle(url, sessionId)
  const order = await db().order.findUniqueOrThrow({ where: { stripeSessionId: sessionId } })
  const fee = 29_001
  await db().order.update({ where: { id: order.id }, data: { cardFeeCents: fee } })
  const netCents = order.sellerPayoutCents - fee
  await db().transfer.update({ where: { orderId: order.id }, data: { amountCents: netCents } })
  // The first refund takes all but the card fee, so that nothing of the payout is left.
  const firstCents = Math.ceil((order.amountCents * netCents) / order.sellerPayoutCents) + 1
  expect(await refundOrder(sellerCtx, refund(order.id, firstCents))).toBe('succeeded')
  expect(await db().transfer.findUniqueOrThrow({ where: { orderId: order.id } })).toMatchObject({ state: 'reversed' })
  const before = await readUncoveredCents(database(), seller.id)
  // The second refund is pending, as it is while we wait for Stripe's response.
  const rest = order.amountCents - firstCents
  await db().refund.create({
    data: {
      ...{ id: 'ref_rest', orderId: order.id, amountCents: rest, reason: '', requestedBy: `seller:${seller.id}` },
      platformFeeCents: Math.round((order.platformFeeCents * rest) / order.amountCents),
    },
  })
  expect((await readUncoveredCents(database(), seller.id)) - before).toBeGreaterThan(fee - 100)
})
