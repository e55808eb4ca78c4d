// Writes orders directly into the database, for tests of what sellers see, because a whole purchase per order takes too
// long.
import type { Order, Prisma, User } from '@prisma/client'
import { db } from '@/lib/infra/db'
import { newId, newSecret } from '@/lib/kernel/id'
import { DAY_MS } from '@/lib/kernel/time'
import { makeDrop } from './factories'

/** Writes paid orders of a new drop and returns them, the newest first. */
export async function makePaidOrders(
  seller: User,
  fields: (Partial<Prisma.OrderCreateManyInput> & { daysAgo?: number })[],
  dropFields: Partial<Prisma.DropUncheckedCreateInput> = {},
): Promise<Order[]> {
  const drop = await makeDrop({ userId: seller.id, quantity: 1_000, purchases: 1, ...dropFields })
  for (const { daysAgo = 0, ...order } of fields) {
    const holdId = newId('hold')
    const paidAt = new Date(Date.now() - daysAgo * DAY_MS)
    const hold = { id: holdId, dropId: drop.id, run: 1, mode: 'hosted' as const, buyerKey: newSecret(), quantity: 1 }
    await db().hold.create({ data: { ...hold, state: 'sold', expiresAt: paidAt } })
    await db().order.create({
      data: {
        id: newId('ord'),
        token: newSecret(),
        holdId,
        dropId: drop.id,
        sellerId: seller.id,
        status: 'paid',
        dropTitle: drop.title,
        productType: drop.productType,
        quantity: 1,
        unitPriceCents: 2400,
        amountCents: 2400,
        platformFeeBps: 500,
        platformFeeCents: 120,
        sellerPayoutCents: 2280,
        sellerPlan: 'free',
        shipName: 'Bea Buyer',
        shipLine1: '1 Long Lane',
        buyerEmail: 'bea@example.com',
        paidAt,
        ...order,
      },
    })
  }
  return db().order.findMany({ where: { dropId: drop.id }, orderBy: { paidAt: 'desc' } })
}
