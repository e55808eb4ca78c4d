import { systemContext } from '@/lib/infra/context'
import { closeDatabase, database, db } from '@/lib/infra/db'
import { parseCsv } from '@/lib/kernel/csv'
import { newId } from '@/lib/kernel/id'
import { DAY_MS } from '@/lib/kernel/time'
import { getSellerOrder } from '@/lib/orders/get-seller-order'
import { importTracking } from '@/lib/shipping/import-tracking'
import { nudgeLateShipping } from '@/lib/shipping/nudge-late-shipping'
import { sellerOrderFilterSchema } from '@/lib/orders/filter-schema'
import { findNextToShip, findOrderToShip, listSellerOrders } from '@/lib/orders/seller-queries'
import { settleCheckout } from '@/lib/checkout/settlement/settle-checkout'
import { streamOrdersCsv } from '@/lib/orders/stream-orders-csv'
import { actorOf, contextFor, makeDrop, makeSeller } from '@/tests/support/factories'
import { makePaidOrders } from '@/tests/support/make-paid-orders'
import { openCheckout, pay } from '@/tests/support/shop'

afterAll(closeDatabase)

const filterOf = (query: Record<string, string> = {}) => sellerOrderFilterSchema.parse(query)

describe('the list of orders', () => {
  it('finds only the seller’s orders, by buyer, email address, number or drop, regardless of case', async () => {
    const [seller, other] = [await makeSeller(), await makeSeller()]
    const [cleo] = await makePaidOrders(seller, [{ buyerName: 'Cléo 50%_\\', buyerEmail: 'cleo@else.example' }], {
      title: 'Blue vase',
    })
    await makePaidOrders(seller, [{}, {}, {}])
    await makePaidOrders(other, [{ buyerName: 'Cléo 50%_\\', buyerEmail: 'cleo@else.example' }], { title: 'Blue vase' })
    const found = async (q: string) =>
      (await listSellerOrders(database(), seller.id, filterOf({ q }))).map(({ id }) => id)
    for (const words of [
      'CLÉO',
      'cleo@ELSE',
      cleo!.id,
      cleo!.id.slice(-8).toLowerCase(),
      'blue VASE',
      '50%_\\',
      '0%',
    ]) {
      expect([words, await found(words)]).toEqual([words, [cleo!.id]])
    }
    expect(await found("nobody' OR true --")).toEqual([])
    expect(await found('example.com')).toHaveLength(3)
  })

  it('filters by state, drop and period, and shows every order on one of the pages', async () => {
    const seller = await makeSeller()
    const orders = await makePaidOrders(seller, [
      ...Array.from({ length: 30 }, (_, at) => ({ daysAgo: at })),
      { status: 'shipped' as const, daysAgo: 2 },
      { status: 'refunded' as const, refundedCents: 2400, daysAgo: 2 },
    ])
    await makePaidOrders(seller, [{ productType: 'digital', daysAgo: 100 }])
    const count = async (query: Record<string, string>) =>
      (await listSellerOrders(database(), seller.id, filterOf(query), 99)).length
    expect(await count({})).toBe(33)
    expect(await count({ show: 'ship' })).toBe(30)
    expect(await count({ show: 'shipped' })).toBe(1)
    expect(await count({ show: 'refunded' })).toBe(1)
    expect(await count({ drop: String(orders[0]!.dropId), days: '7' })).toBe(9)
    expect(await count({ show: 'nonsense', drop: '1e9', days: '1', before: '~~' })).toBe(33)
    const first = await listSellerOrders(database(), seller.id, filterOf())
    const before = `${first.at(-1)!.paidAt}~${first.at(-1)!.id}`
    const second = await listSellerOrders(database(), seller.id, filterOf({ before }))
    expect(new Set([...first, ...second].map(({ id }) => id)).size).toBe(33)
    expect(first.filter(({ isLate }) => isLate)).not.toHaveLength(0)
  })
})

it('shows an order with all its amounts only to its seller', async () => {
  const seller = await makeSeller()
  const drop = await makeDrop({ userId: seller.id })
  const { url, sessionId } = await openCheckout(drop.id)
  await pay(url)
  await settleCheckout(systemContext('test'), sessionId)
  const { id } = await db().order.findUniqueOrThrow({ where: { stripeSessionId: sessionId } })
  const ctx = contextFor(actorOf(seller))
  const order = await getSellerOrder(ctx, seller.id, id)
  expect(order.money).toMatchObject({
    platformFeeCents: 120,
    sellerPayoutCents: 2280,
    cardFeeCents: 100,
    netCents: 2180,
  })
  expect(order.timeline.map(({ text }) => text)).toEqual(['Paid $24.00'])
  expect(order.payout).toMatchObject({ state: 'waiting', isReady: false })
  const stranger = await makeSeller()
  await expect(getSellerOrder(ctx, stranger.id, id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect(await findOrderToShip(database(), stranger.id, id)).toEqual([])
})

describe('CSV files', () => {
  it('export the filtered orders with their formulas escaped, and import tracking numbers', async () => {
    const seller = await makeSeller()
    const [order] = await makePaidOrders(seller, [{ buyerName: '=HYPERLINK("x")', buyerPhone: '+44 20', daysAgo: 1 }])
    await makePaidOrders(seller, [{ status: 'shipped' }])
    const csv = await new Response(streamOrdersCsv(database(), seller.id, filterOf({ show: 'ship' }))).text()
    expect(csv).toContain(`"'=HYPERLINK(""x"")"`)
    const [header, ...rows] = parseCsv(csv)
    expect(rows).toHaveLength(1)
    const cell = (name: string) => header!.cells.indexOf(name)
    expect([rows[0]!.cells[cell('phone')], rows[0]!.cells[cell('buyer')]]).toEqual(['+44 20', '=HYPERLINK("x")'])

    const filled = rows[0]!.cells.with(cell('carrier'), 'DHL').with(cell('tracking_number'), '=1+1')
    const back = [header!.cells, filled].map((cells) =>
      cells.map((text) => `"${text.replaceAll('"', '""')}"`).join(';'),
    )
    const ctx = contextFor(actorOf(seller))
    const read = { csv: back.join('\r\n') }
    expect(await importTracking(ctx, { ...read, isDry: true })).toMatchObject({ isDry: true, ship: 1, errors: 0 })
    expect(await db().order.findUniqueOrThrow({ where: { id: order!.id } })).toMatchObject({ status: 'paid' })
    const twice = await Promise.all([1, 2].map(() => importTracking(ctx, { ...read, isDry: false })))
    expect(twice.map(({ ship, same }) => [ship, same]).toSorted()).toEqual([
      [0, 1],
      [1, 0],
    ])
    const now = await db().order.findUniqueOrThrow({ where: { id: order!.id } })
    expect(now).toMatchObject({ status: 'shipped', carrier: 'DHL', trackingNumber: '=1+1' })
    expect(await db().outboxMail.count({ where: { dedupeKey: `shipped:${order!.id}` } })).toBe(1)
    expect(await new Response(streamOrdersCsv(database(), seller.id, filterOf({ q: 'hyperlink' }))).text()).toContain(
      `'=1+1`,
    )
  })

  it('report every line that cannot be imported, and import the others', async () => {
    const [seller, other] = [await makeSeller(), await makeSeller()]
    const [good, shipped, refunded] = await makePaidOrders(seller, [
      { daysAgo: 1 },
      { daysAgo: 2, status: 'shipped', carrier: 'UPS', trackingNumber: 'old' },
      { daysAgo: 3, status: 'refunded', refundedCents: 2400 },
    ])
    const [digital] = await makePaidOrders(seller, [{}], { productType: 'digital' })
    const [theirs] = await makePaidOrders(other, [{}])
    const lines = [
      'Order Number,Carrier,Tracking',
      `#${good!.id.slice(-8).toLowerCase()},USPS,1`,
      `${good!.id},USPS,2`,
      `${shipped!.id},UPS,new`,
      `${refunded!.id},UPS,3`,
      `${digital!.id},UPS,4`,
      `${theirs!.id},UPS,5`,
      `,UPS,6`,
      `${digital!.id},,`,
      `${good!.id},UPS,${'9'.repeat(81)}`,
    ]
    const ctx = contextFor(actorOf(seller))
    const done = await importTracking(ctx, { csv: lines.join('\n'), isDry: false })
    expect(done).toMatchObject({ ship: 1, correct: 1, errors: 6 })
    expect(done.rows.filter(({ effect }) => effect === 'error').map(({ line }) => line)).toEqual([3, 5, 6, 7, 8, 10])
    expect(await db().order.findUniqueOrThrow({ where: { id: good!.id } })).toMatchObject({ trackingNumber: '1' })
    expect(await db().order.findUniqueOrThrow({ where: { id: theirs!.id } })).toMatchObject({ status: 'paid' })
    await expect(importTracking(ctx, { csv: 'a,b\n1,2', isDry: true })).rejects.toMatchObject({ code: 'NO_COLUMNS' })
    await expect(importTracking(ctx, { csv: '\0', isDry: true })).rejects.toMatchObject({ code: 'NO_COLUMNS' })
  })

  it('may have 5,000 lines, with or without tracking numbers, and cells after the hundredth are not read', async () => {
    const ctx = contextFor(actorOf(await makeSeller()))
    const preview = (csv: string) => importTracking(ctx, { csv, isDry: true })
    const tooMany = { code: 'TOO_MANY_ROWS', status: 400, field: 'csv' }
    const header = 'order,tracking_number\n'
    expect(await preview(`${header}${'x,1\n'.repeat(5_000)}\n\n`)).toMatchObject({ errors: 5_000 })
    await expect(preview(`${header}${'x,1\n'.repeat(5_001)}`)).rejects.toMatchObject(tooMany)
    await expect(preview(`${header}${'x,\n'.repeat(5_001)}`)).rejects.toMatchObject(tooMany)
    await expect(preview(`${header}${'\n'.repeat(6_000)}x,1`)).rejects.toMatchObject(tooMany)
    await expect(preview(`${','.repeat(100)}${header}x,1`)).rejects.toMatchObject({ code: 'NO_COLUMNS' })
  })

  it('can be previewed and applied 40 times in ten minutes by one account, even when a file is refused', async () => {
    const [ctx, other] = [contextFor(actorOf(await makeSeller())), contextFor(actorOf(await makeSeller()))]
    for (let count = 0; count < 40; count += 1) {
      const csv = count % 2 === 0 ? 'a,b\n1,2' : 'order,tracking\nx,1'
      await importTracking(ctx, { csv, isDry: count % 4 === 1 }).catch(() => null)
    }
    const file = { csv: 'order,tracking\nx,1' }
    const refused = { code: 'TOO_MANY_REQUESTS', status: 429, field: 'csv' }
    for (const isDry of [true, false]) {
      await expect(importTracking(ctx, { ...file, isDry })).rejects.toMatchObject(refused)
    }
    expect(await importTracking(other, { ...file, isDry: true })).toMatchObject({ errors: 1 })
  })
})

it('an import does not ship an order whose address changed after its slip was printed, or whose goods were refunded', async () => {
  const seller = await makeSeller()
  const [moved, refunded, good, labeled, printed] = await makePaidOrders(seller, [{}, {}, {}, {}, {}])
  await db().order.update({ where: { id: moved!.id }, data: { addressVersion: 1, slipVersion: 0 } })
  await db().order.update({ where: { id: labeled!.id }, data: { addressVersion: 1 } })
  await db().order.update({ where: { id: printed!.id }, data: { addressVersion: 1, slipVersion: 1 } })
  const { amountCents } = await db().order.findUniqueOrThrow({ where: { id: refunded!.id } })
  await db().order.update({
    where: { id: refunded!.id },
    data: { shipsTo: 'US', shippingCents: 500, amountCents: amountCents + 500, sellerPayoutCents: { increment: 500 } },
  })
  await db().refund.create({
    data: {
      id: newId('refund'),
      orderId: refunded!.id,
      amountCents,
      state: 'succeeded',
      requestedBy: 'seller',
      reason: 'Lost',
      platformFeeCents: 0,
    },
  })
  const csv = `order,carrier,tracking_number\n${[moved, refunded, good, labeled, printed].map((order) => `${order!.id},DHL,1Z9`).join('\n')}`
  const { rows } = await importTracking(contextFor(actorOf(seller)), { csv, isDry: false })
  expect(rows.map(({ problem }) => problem)).toEqual([
    expect.stringMatching(/^The buyer changed the address after/),
    'This order was refunded.',
    null,
    expect.stringMatching(/^The buyer changed the address\. Please check your label/),
    null,
  ])
  const statuses = await db().order.findMany({
    where: { sellerId: seller.id, status: 'shipped' },
    select: { id: true },
  })
  expect(statuses.map(({ id }) => id).toSorted()).toEqual([good!.id, printed!.id].toSorted())
})

it('an import keeps the carrier when the file names none, and reports a line without a closing quotation mark', async () => {
  const seller = await makeSeller()
  const [shipped, first, second] = await makePaidOrders(seller, [
    { daysAgo: 1, status: 'shipped', carrier: 'UPS', trackingNumber: '1Z998' },
    { daysAgo: 2 },
    { daysAgo: 3 },
  ])
  const ctx = contextFor(actorOf(seller))
  const send = (csv: string) => importTracking(ctx, { csv, isDry: false })
  expect(await send(`order,tracking_number\n${shipped!.id},1Z999`)).toMatchObject({ correct: 1, errors: 0 })
  const now = await db().order.findUniqueOrThrow({ where: { id: shipped!.id } })
  expect(now).toMatchObject({ carrier: 'UPS', trackingNumber: '1Z999' })
  expect(await send(`order,tracking_number\n${shipped!.id},1Z999`)).toMatchObject({ same: 1 })
  const broken = await send(`order,carrier,tracking_number\n${first!.id},"UPS,1\n${second!.id},UPS,2\n`)
  expect(broken).toMatchObject({
    ship: 0,
    errors: 1,
    rows: [{ line: 2, problem: expect.stringMatching(/quotation mark is missing/) }],
  })
})

it('reminds the seller of all late orders in one email, even when the job runs three times at the same time', async () => {
  // This call sends the reminders for the orders of earlier tests.
  await nudgeLateShipping(systemContext('test'))
  const [seller, quiet] = [await makeSeller(), await makeSeller({ emailNotifications: false })]
  await makePaidOrders(seller, [{ daysAgo: 4 }, { daysAgo: 5 }, { daysAgo: 2 }, { daysAgo: 9, status: 'shipped' }])
  await makePaidOrders(quiet, [{ daysAgo: 4 }])
  const ctx = systemContext('test')
  const counts = await Promise.all([nudgeLateShipping(ctx), nudgeLateShipping(ctx), nudgeLateShipping(ctx)])
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(3)
  expect(await nudgeLateShipping(ctx)).toBe(0)
  const mails = await db().outboxMail.findMany({ where: { to: { in: [seller.email, quiet.email] } } })
  expect(mails.map(({ to, subject }) => [to, subject])).toEqual([[seller.email, '2 orders are waiting to ship']])
  // An order that becomes late within 20 hours after a reminder waits for the next email.
  await makePaidOrders(seller, [{ daysAgo: 3.5 }])
  expect(await nudgeLateShipping(ctx)).toBe(0)
  await db().order.updateMany({
    where: { shipNudgedAt: { not: null } },
    data: { shipNudgedAt: new Date(Date.now() - DAY_MS) },
  })
  expect(await nudgeLateShipping(ctx)).toBe(1)
})

it('lists the orders to ship with the oldest first, and names the oldest order as the next to ship', async () => {
  const seller = await makeSeller()
  const orders = await makePaidOrders(seller, [
    ...Array.from({ length: 30 }, (_, at) => ({ daysAgo: at })),
    { status: 'shipped' as const, daysAgo: 50 },
  ])
  const oldestFirst = orders
    .filter(({ status }) => status === 'paid')
    .map(({ id }) => id)
    .reverse()
  const first = await listSellerOrders(database(), seller.id, filterOf({ show: 'ship' }))
  const before = `${first.at(-1)!.paidAt}~${first.at(-1)!.id}`
  const second = await listSellerOrders(database(), seller.id, filterOf({ show: 'ship', before }))
  expect([...first, ...second].map(({ id }) => id)).toEqual(oldestFirst)
  expect(await findNextToShip(database(), seller.id)).toEqual({ orderId: oldestFirst[0], count: 30 })
  const afterOldest = await findNextToShip(database(), seller.id, oldestFirst[0])
  expect(afterOldest).toEqual({ orderId: oldestFirst[1], count: 29 })
  expect(await findNextToShip(database(), (await makeSeller()).id)).toBeNull()
})
