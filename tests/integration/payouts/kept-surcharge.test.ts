// After all units of an order were refunded, its seller may keep the surcharge for shipping (ADR 0067). The order is
// then no parcel that may be late: its payout does not wait for shipping, and no late refund returns the surcharge.
import { closeDatabase, db } from '@/lib/infra/db'
import { newSecret } from '@/lib/kernel/id'
import { DAY_MS } from '@/lib/kernel/time'
import { systemContext } from '@/lib/infra/context'
import { answerDelay } from '@/lib/shipping/answer-delay'
import { askAboutDelays } from '@/lib/shipping/ask-about-delays'
import { markShipped } from '@/lib/shipping/mark-shipped'
import { findBuyerOrder } from '@/lib/orders/queries'
import { refundUnanswered } from '@/lib/refunds/refund-late-order'
import { refundOrder } from '@/lib/refunds/refund-order'
import { settleCheckout } from '@/lib/checkout/settlement/settle-checkout'
import { startEmbeddedCheckout } from '@/lib/checkout/start-embedded-checkout'
import { makeDrop, visitor } from '@/tests/support/factories'
import { payEmbedded } from '@/tests/support/shop'
import { ctx, readySeller, refund, sweepAgain, transferOf } from './payout-support'

afterAll(closeDatabase)

/** A ready seller with a drop whose parcels have a promised day, and whose surcharge is this high. */
async function makeZoned(cents: number) {
  const ready = await readySeller()
  const shippingZones = [{ cents, countries: ['DE'] }]
  const { id } = await makeDrop({
    ...{ userId: ready.seller.id, priceCents: 1_000, quantity: 9, shippingZones },
    ...{ shipsFrom: 'DE', shipsWithin: 30 },
  })
  return { ...ready, dropId: id }
}

async function buy(dropId: number) {
  const { clientSecret } = await startEmbeddedCheckout(visitor(), { dropId, buyerToken: newSecret() })
  const berlin = { country: 'DE', city: 'Berlin', postalCode: '10115', line1: 'Lange Straße 1' }
  await payEmbedded(clientSecret, berlin)
  await settleCheckout(ctx(), clientSecret.split('_secret_')[0] ?? '')
  return db().order.findFirstOrThrow({ where: { dropId }, orderBy: { createdAt: 'desc' } })
}

const becomeDue = (orderId: string) => db().transfer.updateMany({ where: { orderId }, data: { dueAt: new Date(0) } })

it('a surcharge that the seller keeps after all units were refunded is paid out, because the parcel cannot be late', async () => {
  const { sellerCtx, dropId } = await makeZoned(60_000)
  const order = await buy(dropId)
  await refundOrder(sellerCtx, refund(order.id, 1_000))
  const parcel = { orderId: order.id, carrier: 'DHL', trackingNumber: '1' }
  await expect(markShipped(sellerCtx, parcel)).rejects.toMatchObject({ code: 'NOT_SHIPPABLE' })
  await becomeDue(order.id)
  await sweepAgain()
  expect((await transferOf(order.id)).state).toBe('sent')
})

it('kept surcharges do not use up what is paid before shipping', async () => {
  const { sellerCtx, dropId } = await makeZoned(25_000)
  for (const _order of [1, 2]) {
    const kept = await buy(dropId)
    await refundOrder(sellerCtx, refund(kept.id, 1_000))
    await becomeDue(kept.id)
    await sweepAgain()
    expect((await transferOf(kept.id)).state).toBe('sent')
  }
  const next = await buy(dropId)
  await becomeDue(next.id)
  await sweepAgain()
  expect((await transferOf(next.id)).state).toBe('sent')
})

it('a question about a delay that is open when all units are refunded is not asked anymore', async () => {
  const { sellerCtx, dropId } = await makeZoned(60_000)
  const order = await buy(dropId)
  const midnight = Math.floor(Date.now() / DAY_MS) * DAY_MS
  await db().order.update({ where: { id: order.id }, data: { shipsBy: new Date(midnight - 3 * DAY_MS) } })
  await askAboutDelays(systemContext('test'))
  expect((await findBuyerOrder(db(), order.token))?.delay).not.toBeNull()
  await refundOrder(sellerCtx, refund(order.id, 1_000))
  expect((await findBuyerOrder(db(), order.token))?.delay).toBeNull()
  const answer = { token: order.token, answer: 'refund', day: '2026-01-01' } as const
  await expect(answerDelay(visitor(), answer)).rejects.toMatchObject({ code: 'NOT_LATE' })
  await db().shippingDelay.updateMany({ where: { orderId: order.id }, data: { answerBy: new Date(0) } })
  // The payout of the surcharge does not wait for the parcel, so silence must not refund it anymore.
  await refundUnanswered(systemContext('test'))
  expect(await db().refund.count({ where: { orderId: order.id } })).toBe(1)
})
