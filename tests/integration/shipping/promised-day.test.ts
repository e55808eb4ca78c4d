import { editDrop } from '@/lib/drops/edit-drop'
import { getSellerDrop } from '@/lib/drops/queries'
import { dayOf, shipDay } from '@/lib/drops/delivery/ship-rules'
import { toDropView } from '@/lib/drops/view'
import { database, db, closeDatabase } from '@/lib/infra/db'
import { systemContext } from '@/lib/infra/context'
import { newSecret } from '@/lib/kernel/id'
import { DAY_MS, HOUR_MS } from '@/lib/kernel/time'
import { evidenceOf } from '@/lib/refunds/evidence-of'
import { findBuyerOrder } from '@/lib/orders/queries'
import { findOrderRecord } from '@/lib/orders/seller-queries'
import { settleCheckout } from '@/lib/checkout/settlement/settle-checkout'
import { takeHold } from '@/lib/checkout/hold/take-hold'
import { dropJsonLd } from '@/lib/previews/drop-json-ld'
import { createDropFields } from '@/lib/drops/schema'
import { actorOf, contextFor, makeDrop, makeSeller, visitor } from '@/tests/support/factories'
import { examineMoneyAfterEach } from '@/tests/support/examine-money-after-each'
import { openCheckout, pay } from '@/tests/support/shop'
import { readOrdersCsv } from '@/tests/support/read-exports'

examineMoneyAfterEach()
afterAll(closeDatabase)

const promised = { shipsFrom: 'DE', shipsWithin: 7 }

it('the promised day is on the drop, the order and the receipt, in the file of orders and in the evidence', async () => {
  const seller = await makeSeller()
  const drop = await makeDrop({ userId: seller.id, ...promised, endTime: new Date(Date.now() + 30 * HOUR_MS) })
  const day = shipDay(drop.endTime, 7)
  const view = toDropView(await getSellerDrop(database(), drop.id, seller.id))
  expect(view).toMatchObject({ ...promised, shipsBy: day })
  const { offers } = JSON.parse(dropJsonLd(view)) as { offers: { shippingDetails: Record<string, unknown> } }
  const days = Math.round((Date.parse(day) - Date.parse(dayOf(new Date(view.serverTime)))) / DAY_MS)
  expect(offers.shippingDetails).toMatchObject({
    shippingOrigin: { addressCountry: 'DE' },
    deliveryTime: { handlingTime: { maxValue: days } },
  })

  const { url, sessionId } = await openCheckout(drop.id)
  await pay(url)
  await settleCheckout(systemContext('test'), sessionId)
  const order = await db().order.findUniqueOrThrow({ where: { stripeSessionId: sessionId } })
  expect([order.shipsFrom, order.shipsBy?.toISOString()]).toEqual(['DE', `${day}T00:00:00.000Z`])
  const said = /^Ships from Germany by [A-Z][a-z]{2} \d{1,2}, \d{4}\.$/
  expect((await findBuyerOrder(db(), order.token))?.promise).toMatch(said)
  const receipt = await db().outboxMail.findUniqueOrThrow({ where: { dedupeKey: `receipt:${order.id}` } })
  expect(receipt.text).toMatch(/Ships from Germany by/)
  const record = await findOrderRecord(db(), order.id)
  expect(evidenceOf(record!, '', 'http://localhost').product_description).toContain(
    'The page promised: Ships from Germany by',
  )
  const csv = await readOrdersCsv(database(), seller.id)
  expect(csv.split('\r\n').map((line) => line.split(',').at(-6))).toEqual(
    expect.arrayContaining(['ships_by', day]) as string[],
  )
})

it.each([
  ['2026-11-20T00:00:00.000Z', 1, '2026-11-21'],
  ['2026-03-28T23:59:59.999Z', 2, '2026-03-30'],
  ['2026-12-31T12:00:00.000Z', 60, '2027-03-01'],
])('for the end %s and %i days, the page and the order promise the same day', async (endTime, shipsWithin, day) => {
  expect(shipDay(new Date(endTime), shipsWithin)).toBe(day)
  // The statement reads the end of the drop, which has to be in the future to sell anything.
  const years = 400 * 365.2425 * DAY_MS
  const drop = await makeDrop({ shipsWithin, endTime: new Date(Date.parse(endTime) + years) })
  const held = await takeHold(visitor(), {
    ...{ dropId: drop.id, quantity: 1, buyerKey: newSecret(), mode: 'hosted', holdMs: 60_000 },
  })
  const order = await db().order.findUniqueOrThrow({ where: { id: held!.orderId } })
  expect(order.shipsBy && dayOf(new Date(order.shipsBy.getTime() - years))).toBe(day)
})

it('downloads and drops without a promise have no promised day', async () => {
  const file = await makeDrop({ productType: 'digital', ...promised })
  expect(toDropView(await getSellerDrop(database(), file.id, file.userId))).toMatchObject({
    ...{ shipsFrom: null, shipsWithin: null, shipsBy: null },
  })
  const plain = await makeDrop()
  for (const { id } of [file, plain]) {
    const { sessionId } = await openCheckout(id)
    const order = await db().order.findUniqueOrThrow({ where: { stripeSessionId: sessionId } })
    expect([order.shipsFrom, order.shipsBy]).toEqual([null, null])
  }
})

it('a promise is refused outside its limits, and ends when a scheduled drop becomes a service', async () => {
  for (const shipsWithin of ['0', '61', '1.5', 'x', '-1']) {
    expect(createDropFields.shape.shipsWithin.safeParse(shipsWithin).success).toBe(false)
  }
  expect(createDropFields.shape.shipsWithin.parse(' 60 ')).toBe(60)
  expect(createDropFields.shape.shipsWithin.parse('')).toBeUndefined()
  expect(createDropFields.shape.shipsFrom.safeParse('ZZ').success).toBe(false)
  const seller = await makeSeller({ plan: 'pro' })
  const ctx = contextFor(actorOf(seller))
  const later = { startedAt: new Date(Date.now() + HOUR_MS), endTime: new Date(Date.now() + 25 * HOUR_MS) }
  const drop = await makeDrop({ userId: seller.id, ...promised, ...later })
  await db().dropRun.create({ data: { dropId: drop.id, run: 1, quantity: 10, ...later } })
  const edit = (fields: Parameters<typeof editDrop>[1]['fields']) =>
    editDrop(ctx, { dropId: drop.id, fields, images: [] })
  expect(await edit({ shipsFrom: 'PT', shipsWithin: null })).toMatchObject({ shipsFrom: 'PT', shipsWithin: null })
  expect(await edit({ shipsWithin: 3 })).toMatchObject({ shipsFrom: 'PT', shipsWithin: 3 })
  expect(await edit({ productType: 'service' })).toMatchObject({ shipsFrom: null, shipsWithin: null })
})

it('a promise cannot change after the start', async () => {
  const drop = await makeDrop(promised)
  const seller = await db().user.findUniqueOrThrow({ where: { id: drop.userId } })
  const change = { dropId: drop.id, fields: { shipsWithin: 60 }, images: [] }
  await expect(editDrop(contextFor(actorOf(seller)), change)).rejects.toMatchObject({ code: 'STARTED' })
})
