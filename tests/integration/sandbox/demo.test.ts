import { closeDatabase, db } from '@/lib/infra/db'
import { storage } from '@/lib/infra/storage'
import { newId } from '@/lib/kernel/id'
import { refundOrder } from '@/lib/orders/refund-order'
import { connectPayouts } from '@/lib/payouts/connect-payouts'
import { refreshPayouts } from '@/lib/payouts/refresh-payouts'
import { sendTransfers } from '@/lib/payouts/send-transfers'
import { demoDrops } from '@/prisma/seed/demo-data'
import { seedDrop, storeDigitalFile } from '@/prisma/seed/seed-drop'
import { seedOrders } from '@/prisma/seed/seed-orders'
import { actorOf, contextFor, makeSeller } from '@/tests/support/factories'
import { examineMoneyAfterEach } from '@/tests/support/money-audit'
import { onboard } from '@/tests/support/shop'

examineMoneyAfterEach()
afterAll(closeDatabase)

async function seeded(key: string) {
  const seller = await makeSeller()
  const demo = demoDrops.find((drop) => drop.key === key)!
  const drop = await db().$transaction(async (tx) => {
    const row = await seedDrop(tx, seller.id, demo, { photos: [], file: null })
    await seedOrders(tx, row, demo, seller)
    return row
  })
  return { seller, drop, demo }
}

it('refunds an order of the demo in parts, like a real order', async () => {
  const { seller, drop, demo } = await seeded('mug-spring')
  const [order] = await db().order.findMany({ where: { dropId: drop.id } })
  const part = (amountCents: number) => ({
    orderId: order!.id,
    refundId: newId('ref'),
    amountCents,
    restockUnits: 0,
  })
  const ctx = contextFor(actorOf(seller))
  expect(await refundOrder(ctx, part(1_000))).toBe('succeeded')
  expect(await refundOrder(ctx, part(demo.priceCents - 1_000))).toBe('succeeded')
  const refunded = await db().order.findUniqueOrThrow({ where: { id: order!.id } })
  expect(refunded).toMatchObject({ status: 'refunded', refundedCents: demo.priceCents })
})

it('makes the payouts of shipped demo orders due', async () => {
  const { drop } = await seeded('mug')
  const transfers = await db().transfer.findMany({ where: { order: { dropId: drop.id } }, include: { order: true } })
  const isDue = ({ dueAt }: { dueAt: Date }) => dueAt <= new Date()
  expect(transfers.filter(isDue).map(({ order }) => order.status)).toEqual(['shipped', 'shipped', 'shipped'])
  expect(transfers.filter((transfer) => !isDue(transfer)).every(({ order }) => order.status === 'paid')).toBe(true)
})

it('stores the demo’s digital file, so that buyers can download it', async () => {
  const file = await storeDigitalFile('quiet-light-presets.zip')
  const opened = await storage().open(file.storageKey)
  expect({ bytes: opened?.size, type: opened?.contentType }).toEqual({ bytes: file.bytes, type: 'application/zip' })
  await opened?.body.cancel()
})

it('pays out the sales of the demo without sending mails about them', async () => {
  const { seller, demo } = await seeded('mug-spring')
  const ctx = contextFor(actorOf(seller))
  await onboard(await connectPayouts(ctx), 'finish')
  await refreshPayouts(ctx, seller.id)
  await sendTransfers(ctx, seller.id)
  expect(await db().transfer.count({ where: { sellerId: seller.id, state: 'sent' } })).toBe(demo.sold)
  expect(await db().sandboxDelivery.count({ where: { payload: { contains: 'payment_intent.succeeded' } } })).toBe(0)
})
