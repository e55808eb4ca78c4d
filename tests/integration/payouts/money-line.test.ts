import type { Prisma } from '@prisma/client'
import { closeDatabase, database, db } from '@/lib/infra/db'
import { newId } from '@/lib/kernel/id'
import { DAY_MS, formatDay } from '@/lib/kernel/time'
import { getMoneyLine, getPayoutSummary } from '@/lib/payouts/queries'
import { againCents, debtCents, expectedArrival, sentOutCents, targetCents } from '@/lib/payouts/rules'
import { makeSeller } from '@/tests/support/factories'
import { makePaidOrders } from '@/tests/support/make-paid-orders'

afterAll(closeDatabase)

const ago = (days: number) => new Date(Date.now() - days * DAY_MS)

/**
 * Payouts that are waiting, due, sent recently or long ago, reduced, reversed in part, due again in part, in debt, or
 * paying off a debt.
 */
const payouts: { daysAgo: number; fields: Partial<Prisma.TransferCreateManyInput> }[] = [
  { daysAgo: 1, fields: { dueAt: ago(-6) } },
  { daysAgo: 2, fields: { dueAt: ago(-5), deductedCents: 500 } },
  { daysAgo: 3, fields: { deductedCents: 2180, feeOwedCents: 100 } },
  { daysAgo: 4, fields: { withheldCents: 700 } },
  { daysAgo: 6.9, fields: { state: 'sent', sentAt: ago(6), sentCents: 2180 } },
  { daysAgo: 7.1, fields: { state: 'sent', sentAt: ago(2), sentCents: 2180 } },
  {
    daysAgo: 8,
    fields: { state: 'sent', sentAt: ago(8.9), sentCents: 2180, reversedAtStripeCents: 300, deductedCents: 300 },
  },
  {
    daysAgo: 9,
    fields: { state: 'sent', sentAt: ago(9.1), sentCents: 2180, deductedCents: 800, reversalRefusedAt: ago(1) },
  },
  { daysAgo: 12, fields: { state: 'sent', sentAt: ago(11), sentCents: 2180, reversedAtStripeCents: 300 } },
  { daysAgo: 30, fields: { state: 'sent', sentAt: ago(29), sentCents: 2180, recoveredCents: 40, feeOwedCents: 40 } },
]

async function makePayouts(sellerId: number, orderIds: string[]) {
  await db().transfer.createMany({
    data: payouts.map(({ fields }, at) => ({
      ...{ id: newId('tra'), orderId: orderIds[at]!, sellerId, amountCents: 2180, dueAt: ago(0) },
      ...fields,
    })),
  })
  return db().transfer.findMany({ where: { sellerId }, include: { order: true } })
}

it('adds up the earned, waiting, sent and owed money as the payout rules do, and agrees with the payout summary', async () => {
  const seller = await makeSeller({ payoutsState: 'ready' })
  const orders = await makePaidOrders(
    seller,
    payouts.map(({ daysAgo }) => ({ daysAgo, status: 'shipped' as const })),
  )
  const transfers = await makePayouts(
    seller.id,
    orders.map(({ id }) => id),
  )
  const stranger = await makeSeller()
  await makePayouts(
    stranger.id,
    (
      await makePaidOrders(
        stranger,
        payouts.map(() => ({})),
      )
    ).map(({ id }) => id),
  )

  const sum = (numbers: number[]) => numbers.reduce((total, cents) => total + cents, 0)
  const lately = transfers.filter(({ order }) => order.paidAt! > ago(7))
  const sent = transfers.filter(({ sentAt }) => sentAt && sentAt > ago(9))
  const line = await getMoneyLine(database(), seller.id, 'UTC')
  expect(line).toEqual({
    state: 'ready',
    isStopped: false,
    earnedCents: sum(lately.map((payout) => payout.amountCents - payout.deductedCents - payout.feeOwedCents)),
    waitingCents: sum(
      transfers.map((payout) => (payout.state === 'waiting' ? Math.max(0, targetCents(payout)) : againCents(payout))),
    ),
    onTheWayCents: sum(sent.map(sentOutCents)),
    debtCents: sum(transfers.map(debtCents)),
    // Some waiting payouts are due already, so no later day is named.
    nextDay: null,
    arrivalDay: formatDay(expectedArrival(ago(2)).latest, 'UTC'),
  })
  expect([line.earnedCents, line.waitingCents, line.onTheWayCents, line.debtCents]).toEqual([8120, 5640, 6240, 900])
  const { sentCents: _, heldUntil: _until, ...summary } = await getPayoutSummary(database(), seller.id)
  expect(line).toMatchObject(summary)
})

it('names the day of the next payout, but not for a seller who cannot be paid or has no money waiting', async () => {
  const seller = await makeSeller({ payoutsState: 'ready' })
  const [order] = await makePaidOrders(seller, [{ daysAgo: 1 }])
  const dueAt = new Date(Date.now() + 6 * DAY_MS)
  await db().transfer.create({
    data: { id: newId('tra'), orderId: order!.id, sellerId: seller.id, amountCents: 2180, dueAt },
  })
  const lineOf = (timezone = 'UTC') => getMoneyLine(database(), seller.id, timezone)
  expect(await lineOf('Asia/Tokyo')).toMatchObject({ nextDay: formatDay(dueAt, 'Asia/Tokyo'), arrivalDay: null })
  await db().user.update({ where: { id: seller.id }, data: { payoutsState: 'incomplete' } })
  expect(await lineOf()).toMatchObject({ nextDay: null, waitingCents: 2180 })
  const empty = {
    isStopped: false,
    earnedCents: 0,
    waitingCents: 0,
    onTheWayCents: 0,
    debtCents: 0,
    nextDay: null,
    arrivalDay: null,
  }
  expect(await getMoneyLine(database(), (await makeSeller()).id, 'UTC')).toEqual({ state: 'notStarted', ...empty })
})
