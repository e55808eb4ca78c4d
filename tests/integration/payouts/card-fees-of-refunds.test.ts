import { closeDatabase, database, db } from '@/lib/infra/db'
import type { Context } from '@/lib/infra/context'
import type { UserActor } from '@/lib/kernel/actor'
import { refundOrder } from '@/lib/refunds/refund-order'
import { MOST_UNCOVERED_CENTS, readUncoveredCents } from '@/lib/payouts/read-uncovered-cents'
import { readWaitingCents } from '@/lib/payouts/read-waiting-cents'
import { makeDrop } from '@/tests/support/factories'
import { openCheckout, payAndSettle } from '@/tests/support/shop'
import { readySeller, refund } from './payout-support'

afterAll(closeDatabase)

/** Sells goods for $9,990 and refunds them before the payout. Returns the result or the code of the refusal. */
async function sellAndRefund({ id: sellerId, ctx }: { id: number; ctx: Context<UserActor> }) {
  const { id: dropId } = await makeDrop({ userId: sellerId, priceCents: 99_900, quantity: 1_000 })
  const { url, sessionId } = await openCheckout(dropId, { quantity: 10 })
  await payAndSettle(url, sessionId)
  const order = await db().order.findUniqueOrThrow({ where: { stripeSessionId: sessionId } })
  // The stand-in's fee is small. Stripe's is 2.9 % and 30 cents.
  await db().order.update({ where: { id: order.id }, data: { cardFeeCents: 29_001 } })
  await db().transfer.update({
    where: { orderId: order.id },
    data: { amountCents: order.sellerPayoutCents - 29_001 },
  })
  return refundOrder(ctx, refund(order.id, order.amountCents)).catch((error: { code: string }) => error.code)
}

it('the card fees of refunds before the payout do not make the platform pay more than $500 for a seller', async () => {
  const { seller, sellerCtx } = await readySeller()
  const refuse = () => sellAndRefund({ id: seller.id, ctx: sellerCtx })
  const outcomes = [await refuse(), await refuse(), await refuse(), await refuse(), await refuse()]
  // The payout of the order whose refund was refused covers the fees of the refunds after it.
  expect(outcomes).toEqual(['succeeded', 'FEES_NOT_COVERED', 'succeeded', 'succeeded', 'succeeded'])
  const { paysDebts } = await readWaitingCents(database(), seller.id)
  expect((await readUncoveredCents(database(), seller.id)) - paysDebts).toBeLessThanOrEqual(MOST_UNCOVERED_CENTS)
})

it('the payout of a parcel that may be late covers no card fees, because its money may go back to the buyer', async () => {
  const { seller, sellerCtx } = await readySeller()
  const parcel = await makeDrop({ userId: seller.id, priceCents: 900_000, shipsFrom: 'DE', shipsWithin: 30 })
  const { url, sessionId } = await openCheckout(parcel.id)
  await payAndSettle(url, sessionId)
  const refuse = () => sellAndRefund({ id: seller.id, ctx: sellerCtx })
  expect([await refuse(), await refuse()]).toEqual(['succeeded', 'FEES_NOT_COVERED'])
})

it('a seller who owes nothing yet does not read that anything is owed', async () => {
  const { seller, sellerCtx } = await readySeller()
  const drop = await makeDrop({ userId: seller.id, priceCents: 9_990_000, quantity: 10 })
  const { url, sessionId } = await openCheckout(drop.id)
  await payAndSettle(url, sessionId)
  const order = await db().order.findUniqueOrThrow({ where: { stripeSessionId: sessionId } })
  const amountCents = order.sellerPayoutCents - 289_740
  await db().transfer.update({ where: { orderId: order.id }, data: { amountCents } })
  const refused = refundOrder(sellerCtx, refund(order.id, order.amountCents))
  await expect(refused).rejects.toThrow("With this refund, you'd owe more than $500")
  expect(await readUncoveredCents(database(), seller.id)).toBe(0)
})
