import type { Prisma } from '@prisma/client'
import { closeDatabase, database, db } from '@/lib/infra/db'
import { newId } from '@/lib/kernel/id'
import { DAY_MS } from '@/lib/kernel/time'
import { listSellerTasks } from '@/lib/orders/list-seller-tasks'
import { makeSeller } from '@/tests/support/factories'
import { makePaidOrders } from '@/tests/support/make-paid-orders'

afterAll(closeDatabase)

const inDays = (days: number) => new Date(Date.now() + days * DAY_MS)

const disputeOf = (orderId: string, fields: Partial<Prisma.DisputeCreateManyInput> = {}) => ({
  ...{ id: newId('dis'), stripeDisputeId: newId('du'), orderId, amountCents: 2400, reason: 'fraudulent' },
  ...{ status: 'needs_response', ...fields },
})

const requestOf = (orderId: string, createdAt: Date) => ({
  ...{ id: newId('ref'), orderId, amountCents: 2400, platformFeeCents: 120, createdAt },
  ...{ state: 'requested' as const, requestedBy: 'buyer', reason: 'It does not fit.' },
})

const tasksOf = (sellerId: number) => listSellerTasks(database(), sellerId, 'UTC')

it('lists disputes and inquiries without evidence, refund requests, late parcels and other parcels to ship', async () => {
  const seller = await makeSeller()
  const orders = await makePaidOrders(seller, [
    {},
    { daysAgo: 1 },
    { daysAgo: 4, buyerName: 'Late Lena' },
    { daysAgo: 5, status: 'shipped' },
    { daysAgo: 6, status: 'disputed' },
    { daysAgo: 7, status: 'disputed' },
    { daysAgo: 8, status: 'shipped' },
    { daysAgo: 9, productType: 'digital' },
  ])
  const [, waiting, late, asked, disputed, answered, inquired] = orders.map(({ id }) => id)
  await db().refund.create({ data: requestOf(asked!, inDays(-1)) })
  await db().refund.create({ data: { ...requestOf(late!, inDays(-1)), state: 'declined' } })
  const dueAt = inDays(2)
  await db().dispute.createMany({
    data: [
      disputeOf(disputed!, { dueAt }),
      disputeOf(answered!, { submittedAt: new Date() }),
      disputeOf(inquired!, { status: 'warning_needs_response' }),
      disputeOf(inquired!, { status: 'lost', closedAt: new Date() }),
    ],
  })
  const tasks = await tasksOf(seller.id)
  expect(tasks.map(({ kind, orderId, count }) => [kind, orderId, count]).sort()).toEqual(
    [
      ['dispute', disputed, 1],
      ['inquiry', inquired, 1],
      ['refund', asked, 1],
      ['late', late, 1],
      ['ship', waiting, 2],
    ].sort(),
  )
  expect(tasks.find(({ kind }) => kind === 'dispute')?.at).toBe(dueAt.toISOString())
  const paidAt = orders.find(({ id }) => id === late)!.paidAt!
  const lateTask = tasks.find(({ kind }) => kind === 'late')!
  expect(lateTask).toMatchObject({ buyerName: 'Late Lena', at: new Date(paidAt.getTime() + 3 * DAY_MS).toISOString() })
  expect(await tasksOf((await makeSeller()).id)).toEqual([])
})

it('shows at most three lines of a kind, and the count of the third line includes the orders that have no line', async () => {
  const seller = await makeSeller()
  const orders = await makePaidOrders(
    seller,
    Array.from({ length: 12 }, (_, at) => ({ daysAgo: at, status: 'shipped' as const })),
  )
  const [asked, disputed, inquired] = [orders.slice(0, 3), orders.slice(3, 8), orders.slice(8)]
  await db().refund.createMany({ data: asked.map(({ id }, at) => requestOf(id, inDays(-at))) })
  const status = 'warning_needs_response'
  await db().dispute.createMany({
    data: [
      ...disputed.map(({ id }, at) => disputeOf(id, { dueAt: inDays(9 - at) })),
      ...inquired.map(({ id }) => disputeOf(id, { status })),
    ],
  })
  const tasks = await tasksOf(seller.id)
  const counts = (kind: string) => tasks.filter((task) => task.kind === kind).map(({ count }) => count)
  expect({ refund: counts('refund'), dispute: counts('dispute'), inquiry: counts('inquiry') }).toEqual({
    refund: [1, 1, 1],
    dispute: [1, 1, 3],
    inquiry: [1, 1, 2],
  })
  // The most urgent tasks of a kind come first.
  const ids = (kind: string) => tasks.filter((task) => task.kind === kind).map(({ orderId }) => orderId)
  expect(ids('refund')).toEqual(asked.map(({ id }) => id).reverse())
  expect(ids('dispute')).toEqual(
    disputed
      .map(({ id }) => id)
      .reverse()
      .slice(0, 3),
  )
})
