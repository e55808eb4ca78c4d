import { closeDatabase, database, db } from '@/lib/infra/db'
import { newId } from '@/lib/kernel/id'
import { readSales } from '@/lib/traders/read-sales'
import { readTaxPeriod } from '@/lib/traders/rules'
import { sumTaxes } from '@/lib/traders/sum-taxes'
import { toTaxCsv } from '@/lib/traders/view'
import { makeSeller } from '@/tests/support/factories'
import { makePaidOrders } from '@/tests/support/make-paid-orders'

afterAll(closeDatabase)

const priced = (amountCents: number) => ({
  ...{
    amountCents,
    unitPriceCents: amountCents,
    platformFeeBps: 0,
    platformFeeCents: 0,
    sellerPayoutCents: amountCents,
  },
})
const refund = (orderId: string, amountCents: number, settledAt: Date, state: 'succeeded' | 'failed' = 'succeeded') =>
  db().refund.create({
    data: {
      id: newId('ref'),
      orderId,
      amountCents,
      platformFeeCents: 0,
      state,
      reason: '',
      requestedBy: 'seller',
      settledAt,
    },
  })
const report = async (sellerId: number, name: string, timezone = 'UTC') =>
  sumTaxes(database(), sellerId, readTaxPeriod(name)!, timezone)

/**
 * Makes a seller with sales in and around one quarter, some refunds and a lost dispute. The sales are to three
 * countries, and one names no country. A download was paid with a card from Germany.
 */
async function makeQuarter() {
  const seller = await makeSeller()
  const orders = await makePaidOrders(seller, [
    { ...priced(11_900), shipCountry: 'DE', paidAt: new Date('2026-07-01T00:00:00Z') },
    { ...priced(2_400), shipCountry: 'DE', paidAt: new Date('2026-09-30T23:59:59Z'), refundedCents: 1_000 },
    {
      ...priced(3_000),
      shipCountry: 'FR',
      paidAt: new Date('2026-08-10T12:00:00Z'),
      refundedCents: 3_000,
      status: 'refunded',
    },
    { ...priced(5_000), shipCountry: 'US', paidAt: new Date('2026-08-11T12:00:00Z') },
    { ...priced(700), paidAt: new Date('2026-08-12T12:00:00Z') },
    { ...priced(600), billingCountry: 'IT', paidAt: new Date('2026-08-12T12:00:00Z') },
    { ...priced(9_900), shipCountry: 'DE', paidAt: new Date('2026-06-30T23:59:59Z'), refundedCents: 400 },
    { ...priced(8_800), shipCountry: 'DE', paidAt: new Date('2026-10-01T00:00:00Z') },
  ])
  const of = (amountCents: number) => orders.find((order) => order.amountCents === amountCents)!.id
  await refund(of(2_400), 1_000, new Date('2026-09-30T12:00:00Z'))
  await refund(of(3_000), 3_000, new Date('2026-10-02T12:00:00Z'))
  await refund(of(9_900), 400, new Date('2026-07-02T12:00:00Z'))
  await refund(of(9_900), 9_000, new Date('2026-07-03T12:00:00Z'), 'failed')
  await db().dispute.create({
    data: {
      id: newId('dsp'),
      orderId: of(5_000),
      stripeDisputeId: newId('dsp'),
      amountCents: 5_000,
      reason: 'fraudulent',
      status: 'lost',
      closedAt: new Date('2026-09-01T12:00:00Z'),
    },
  })
  await db().taxRate.createMany({
    data: [
      { userId: seller.id, country: 'DE', rateBps: 1900 },
      { userId: seller.id, country: 'FR', rateBps: 2000 },
    ],
  })
  return seller
}

it('sums up a quarter by country, with the tax that the gross prices contain', async () => {
  const seller = await makeQuarter()
  expect(toTaxCsv(await report(seller.id, '2026-Q3')).split('\r\n')).toEqual([
    'country,rate_percent,orders,gross_cents,refunds_cents,lost_disputes_cents,net_cents,tax_cents',
    'unknown,,1,700,0,0,700,0',
    // 14,300 less 1,400 is 12,900, of which 12,900 × 19 ÷ 119 = 2,059.66 is tax.
    'DE,19,2,14300,1400,0,10840,2060',
    'FR,20,1,3000,0,0,2500,500',
    'IT,,1,600,0,0,600,0',
    'US,,1,5000,0,5000,0,0',
    '',
  ])
})

it('uses the rate of the day on which an order was paid, even for its refund', async () => {
  const seller = await makeQuarter()
  await db().taxRate.create({ data: { userId: seller.id, country: 'DE', rateBps: 1000, fromDay: '2026-08-01' } })
  const withRate = (lines: string) => lines.split('\r\n').filter((line) => line.startsWith('DE,'))
  expect(withRate(toTaxCsv(await report(seller.id, '2026-Q3')))).toEqual([
    // 2,400 less 1,000 at 10 %, and 11,900 less 400 that was paid in June at 19 %.
    'DE,10,1,2400,1000,0,1273,127',
    'DE,19,1,11900,400,0,9664,1836',
  ])
  // The order from July 31 in Los Angeles still has the old rate there.
  const [early] = await makePaidOrders(seller, [
    { ...priced(1_190), shipCountry: 'DE', paidAt: new Date('2026-08-01T03:00:00Z') },
  ])
  expect(early).toBeDefined()
  expect(withRate(toTaxCsv(await report(seller.id, '2026-07', 'America/Los_Angeles')))).toEqual([
    expect.stringMatching(/^DE,19,1,1190,/),
  ])
})

it('leaves out an order whose tax the platform pays', async () => {
  const seller = await makeSeller()
  const taxed = { ...priced(2_400), platformFeeCents: 383, sellerPayoutCents: 2_017, taxCents: 383 }
  await makePaidOrders(seller, [{ ...taxed, shipCountry: 'DE', paidAt: new Date('2026-08-10T12:00:00Z') }])
  expect(await report(seller.id, '2026-Q3')).toEqual([])
})

it('counts a refund in the period in which the money went back, even if it has no sale', async () => {
  const seller = await makeQuarter()
  expect(await report(seller.id, '2026-Q4')).toEqual([
    expect.objectContaining({ country: 'DE', orders: 1, grossCents: 8_800 }),
    expect.objectContaining({
      country: 'FR',
      orders: 0,
      grossCents: 0,
      refundsCents: 3_000,
      netCents: -2_500,
      taxCents: -500,
    }),
  ])
})

it("begins and ends the period in the seller's time zone", async () => {
  const seller = await makeQuarter()
  const [, berlin] = await report(seller.id, '2026-Q3', 'Europe/Berlin')
  // In Berlin, the order from the last second of June (UTC) counts in July, and the one from the last second of
  // September in October.
  expect(berlin).toMatchObject({ country: 'DE', orders: 2, grossCents: 21_800 })
})

it("each figure is the sum of the seller's own rows, and the months of a quarter add up to it", async () => {
  const [seller] = [await makeQuarter(), await makeQuarter()]
  const lines = (await Promise.all(['2026-07', '2026-08', '2026-09'].map((name) => report(seller.id, name)))).flat()
  const sum = (name: 'orders' | 'grossCents' | 'refundsCents' | 'lostDisputesCents') =>
    lines.reduce((all, line) => all + line[name], 0)
  const inQuarter = { gte: new Date('2026-07-01'), lt: new Date('2026-10-01') }
  const paid = await db().order.aggregate({
    where: { sellerId: seller.id, paidAt: inQuarter },
    _sum: { amountCents: true },
    _count: true,
  })
  const where = { order: { sellerId: seller.id } }
  const refunds = await db().refund.aggregate({
    where: { ...where, state: 'succeeded', settledAt: inQuarter },
    _sum: { amountCents: true },
  })
  const lost = await db().dispute.aggregate({
    where: { ...where, status: 'lost', closedAt: inQuarter },
    _sum: { amountCents: true },
  })
  expect([sum('orders'), sum('grossCents'), sum('refundsCents'), sum('lostDisputesCents')]).toEqual([
    ...[paid._count, paid._sum.amountCents, refunds._sum.amountCents, lost._sum.amountCents],
  ])
  for (const line of lines) {
    expect(line.netCents + line.taxCents + line.refundsCents + line.lostDisputesCents).toBe(line.grossCents)
  }
})

it('leaves out an order that got no unit, its refund and its dispute', async () => {
  const seller = await makeSeller()
  const paidAt = new Date('2026-09-30T12:00:00Z')
  const [order] = await makePaidOrders(seller, [
    { ...priced(3_000), shipCountry: 'FR', paidAt, refundedCents: 3_000, status: 'refunded' },
  ])
  const { id } = await refund(order!.id, 3_000, new Date('2026-10-02T12:00:00Z'))
  const ids = { id: newId('dsp'), stripeDisputeId: newId('dsp'), orderId: order!.id }
  const closedAt = new Date('2026-10-03T12:00:00Z')
  await db().dispute.create({ data: { ...ids, amountCents: 3_000, reason: 'fraudulent', status: 'lost', closedAt } })
  expect(await report(seller.id, '2026-Q3')).toHaveLength(1)
  await db().refund.update({ where: { id }, data: { requestedBy: 'system' } })
  expect(await report(seller.id, '2026-Q3')).toEqual([])
  expect(await report(seller.id, '2026-Q4')).toEqual([])
})

describe('a high-volume seller', () => {
  async function withSales(count: number, amountCents: number, daysAgo: (index: number) => number, dropFields = {}) {
    const seller = await makeSeller()
    const [first] = await makePaidOrders(seller, [{ ...priced(amountCents) }], dropFields)
    const { searchText: _, ...order } = first!
    const hold = await db().hold.findUniqueOrThrow({ where: { id: order.holdId } })
    const copies = Array.from({ length: count }, (_unused, index) => ({
      hold: { ...hold, id: newId('hold'), buyerKey: newId('hold') },
      paidAt: new Date(Date.now() - daysAgo(index) * 86_400_000),
    }))
    await db().order.delete({ where: { id: order.id } })
    await db().hold.createMany({ data: copies.map((copy) => copy.hold) })
    await db().order.createMany({
      data: copies.map((copy) => ({
        ...order,
        id: newId('ord'),
        token: newId('ord'),
        holdId: copy.hold.id,
        paidAt: copy.paidAt,
      })),
    })
    return seller
  }

  it('has made 200 sales and $5,000 within any twelve months of the last 24', async () => {
    const seller = await withSales(200, 2_500, (index) => 400 + index)
    expect(await readSales(database(), seller.id)).toEqual({ sales: 200, revenueCents: 500_000, isHighVolume: true })
  })

  it('counts no order that got no unit', async () => {
    const seller = await withSales(200, 2_500, () => 5)
    const { id } = await db().order.findFirstOrThrow({ where: { sellerId: seller.id } })
    const refunded = await refund(id, 2_500, new Date())
    await db().refund.update({ where: { id: refunded.id }, data: { requestedBy: 'system' } })
    expect(await readSales(database(), seller.id)).toEqual({ sales: 199, revenueCents: 497_500, isHighVolume: false })
  })

  it('must reach both numbers within twelve months, and with physical products', async () => {
    const few = await withSales(199, 10_000, () => 5)
    const cheap = await withSales(200, 2_499, () => 5)
    const digital = await withSales(200, 2_500, () => 5, { productType: 'digital' })
    const slow = await withSales(200, 2_500, (index) => index * 3.6)
    const highVolume = await Promise.all([few, cheap, digital, slow].map(({ id }) => readSales(database(), id)))
    expect(highVolume.map(({ isHighVolume }) => isHighVolume)).toEqual([false, false, false, false])
  })
})
