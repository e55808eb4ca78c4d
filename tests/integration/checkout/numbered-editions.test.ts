import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { updateDrop } from '@/lib/admin/update-drop'
import { extendLiveDrops } from '@/lib/admin/extend-live-drops'
import { extendDrops } from '@/lib/drops/extend-drops'
import { editionText } from '@/lib/drops/editions/edition-messages'
import { findEdition, listEditionRuns } from '@/lib/drops/editions/edition-queries'
import { findShownDrop } from '@/lib/drops/history/history-queries'
import { relaunchDrop } from '@/lib/drops/relaunch-drop'
import { closeDatabase, db, pool } from '@/lib/infra/db'
import { HOUR_MS } from '@/lib/kernel/time'
import { MAIL_BLANK } from '@/lib/notifications/queue-mail'
import { getEvidence } from '@/lib/refunds/get-evidence'
import { buyerReceipt } from '@/lib/checkout/mails'
import { findCheckout } from '@/lib/checkout/settlement/get-paid-order'
import { findBuyerOrder } from '@/lib/orders/queries'
import { releaseHold } from '@/lib/checkout/hold/release-hold'
import { restockUnits } from '@/lib/refunds/restock-units'
import { actorOf, contextFor, makeDrop, makeSeller, visitor } from '@/tests/support/factories'
import { checkInvariants } from '@/lib/operations/check-invariants.mjs'
import { runNode } from '@/tests/support/run-node'
import { holdUnits, payFor, sellUnits } from '@/tests/support/sell-units'
import { readOrdersCsv, readSellerOrders } from '@/tests/support/read-exports'

afterAll(closeDatabase)

const TYPESCRIPT = ['--conditions=react-server', '--import', './tests/support/register-typescript.mjs']

/**
 * The number of payments that each process makes (EDITION_PAYMENTS), and the seed of their random choices
 * (EDITION_SEED).
 */
const ATTEMPTS = Number(process.env.EDITION_PAYMENTS ?? 150)
const SEED = Number(process.env.EDITION_SEED ?? 451)

async function makeEdition(overrides: Parameters<typeof makeDrop>[0] = {}) {
  const drop = await makeDrop({ isNumbered: true, ...overrides })
  const { id: dropId, quantity, startedAt, endTime } = drop
  await db().dropRun.create({ data: { dropId, run: 1, quantity, startedAt, endTime } })
  return drop
}

const numbersOf = async (orderId: string) => (await findEdition(db(), orderId))?.numbers
const textFor = async (orderId: string) => editionText((await findEdition(db(), orderId))!)
const rowsOf = (dropId: number) =>
  db().editionNumber.findMany({ where: { dropId }, orderBy: [{ run: 'asc' }, { number: 'asc' }] })

/** Sets the end of a drop to a time in the past, by default one hour ago, so that its numbers are final. */
async function endRun(dropId: number, agoMs = HOUR_MS) {
  const endTime = new Date(Date.now() - agoMs)
  const times = { startedAt: new Date(endTime.getTime() - 24 * HOUR_MS), endTime }
  await db().drop.update({ where: { id: dropId }, data: times })
  await db().dropRun.updateMany({ where: { dropId }, data: times })
}

async function breaches() {
  const findings = await checkInvariants(pool())
  return findings.filter(({ holds }) => holds.startsWith('numbered drops')).flatMap((finding) => finding.breaches)
}

it('each sold unit gets the next number, and the total is shown once the run has ended', async () => {
  const drop = await makeEdition()
  const first = await sellUnits(drop.id, 1)
  const second = await sellUnits(drop.id, 3)
  const third = await sellUnits(drop.id, 1)
  expect([await numbersOf(first.id), await numbersOf(second.id), await numbersOf(third.id)]).toEqual([
    [1],
    [2, 3, 4],
    [5],
  ])
  expect(await textFor(second.id)).toBe('No. 2–4')
  await endRun(drop.id)
  expect(await textFor(second.id)).toBe('2–4 of 5')
  expect(await textFor(first.id)).toBe('1 of 5')
  expect(await breaches()).toEqual([])
})

it('no number is given without a sale, and settling a payment again gives no second number', async () => {
  const drop = await makeEdition()
  const held = await holdUnits(drop.id, 2)
  const canceled = await holdUnits(drop.id, 1)
  await releaseHold(visitor(), canceled.holdId, 'cancelled')
  expect(await rowsOf(drop.id)).toEqual([])
  expect(await Promise.all([payFor(held), payFor(held), payFor(held)])).toEqual(
    expect.arrayContaining(['paid', 'already-paid', 'already-paid']),
  )
  expect(await rowsOf(drop.id)).toMatchObject([{ number: 1 }, { number: 2 }])
  // This hold is paid after its units were released, so it takes new units.
  expect(await payFor(canceled)).toBe('paid')
  expect(await numbersOf(canceled.orderId)).toEqual([3])
  expect(await breaches()).toEqual([])
})

it('numbers are given without a gap when a payment gets no unit because of the limit per buyer', async () => {
  const drop = await makeEdition({ maxPerBuyer: 2 })
  const [one, two] = [await holdUnits(drop.id, 2), await holdUnits(drop.id, 1)]
  expect(await payFor(one, 'bea@example.com')).toBe('paid')
  expect(await payFor(two, 'bea@example.com')).toBe('no-unit')
  const three = await holdUnits(drop.id, 1)
  expect(await payFor(three, 'cem@example.com')).toBe('paid')
  expect((await rowsOf(drop.id)).map(({ number, orderId }) => [number, orderId])).toEqual([
    [1, one.orderId],
    [2, one.orderId],
    [3, three.orderId],
  ])
  expect(await breaches()).toEqual([])
})

it('a refund retires the last numbers of an order, and neither the units nor the numbers are sold again', async () => {
  const drop = await makeEdition({ quantity: 6 })
  const order = await sellUnits(drop.id, 3)
  const refund = (refundedCents: number) => db().order.update({ where: { id: order.id }, data: { refundedCents } })
  await refund(order.unitPriceCents - 1)
  expect(await textFor(order.id)).toBe('No. 1–3')
  await refund(order.unitPriceCents)
  expect(await textFor(order.id)).toBe('No. 1–3 (3 retired)')
  await restockUnits(visitor(), order.holdId, 1)
  expect(await db().drop.findUniqueOrThrow({ where: { id: drop.id } })).toMatchObject({ sold: 3 })
  expect(await numbersOf((await sellUnits(drop.id, 2)).id)).toEqual([4, 5])
  await refund(order.amountCents)
  expect(await textFor(order.id)).toBe('No. 1–3 (retired)')
  expect(await listEditionRuns({ ...visitor() }, drop.id)).toEqual([
    { run: 1, given: 5, retired: [1, 2, 3], isComplete: false },
  ])
})

it('each run begins again at No. 1, and the numbers of the previous run stay unchanged', async () => {
  const seller = await makeSeller()
  const drop = await makeEdition({ userId: seller.id })
  const before = await sellUnits(drop.id, 2)
  await endRun(drop.id, 25 * HOUR_MS)
  await relaunchDrop(contextFor(actorOf(seller)), { dropId: drop.id, duration: 24 })
  const after = await sellUnits(drop.id, 1)
  expect(await textFor(before.id)).toBe('1–2 of 2')
  expect(await textFor(after.id)).toBe('No. 1, run 2')
  expect(await rowsOf(drop.id)).toMatchObject([
    { run: 1, number: 1 },
    { run: 1, number: 2 },
    { run: 2, number: 1 },
  ])
  expect(await breaches()).toEqual([])
})

it('a unit that is in checkout when the next run begins still belongs to its run, whose total waits for it', async () => {
  const seller = await makeSeller()
  const drop = await makeEdition({ userId: seller.id })
  const sold = await sellUnits(drop.id, 2)
  const held = await holdUnits(drop.id, 1)
  await endRun(drop.id, 25 * HOUR_MS)
  await relaunchDrop(contextFor(actorOf(seller)), { dropId: drop.id, duration: 24 })
  expect(await textFor(sold.id)).toBe('No. 1–2')
  const runs = async () =>
    (await listEditionRuns(visitor(), drop.id)).map(({ given, isComplete }) => [given, isComplete])
  expect(await runs()).toEqual([
    [0, false],
    [2, false],
  ])
  expect(await payFor(held)).toBe('paid')
  expect(await textFor(held.orderId)).toBe('3 of 3')
  expect(await textFor(sold.id)).toBe('1–2 of 3')
  expect(await runs()).toEqual([
    [0, false],
    [3, true],
  ])
  // The drop page counts the numbers of this run, of which none is given.
  expect(await db().drop.findUniqueOrThrow({ where: { id: drop.id } })).toMatchObject({ run: 2, sold: 1 })
  expect(await findShownDrop(visitor(), drop.uniqueId)).toMatchObject({ history: { sold: 0 } })
  expect(await breaches()).toEqual([])
})

it('a process of the previous version cannot put numbered units back on sale, so the next payment gets the next number', async () => {
  const drop = await makeEdition()
  await sellUnits(drop.id, 2)
  const restock = db().$transaction([
    db().drop.update({ where: { id: drop.id }, data: { sold: { decrement: 1 } } }),
    db().dropRun.updateMany({ where: { dropId: drop.id }, data: { sold: { decrement: 1 } } }),
  ])
  await expect(restock).rejects.toThrow('stay sold')
  expect(await numbersOf((await sellUnits(drop.id, 1)).id)).toEqual([3])
  const plain = await makeDrop({ sold: 1 })
  const { id: dropId, quantity, startedAt, endTime } = plain
  await db().dropRun.create({ data: { dropId, run: 1, quantity, sold: 1, startedAt, endTime } })
  await db().dropRun.updateMany({ where: { dropId }, data: { sold: { decrement: 1 } } })
})

it('a numbered run that gave no number can be restored', async () => {
  const admin = contextFor(actorOf(await makeSeller({ isAdmin: true })))
  const drop = await makeEdition()
  await endRun(drop.id)
  await updateDrop(admin, drop.id, { action: 'restore', hours: 5 })
  expect(await numbersOf((await sellUnits(drop.id, 1)).id)).toEqual([1])
})

it('a transaction that began before the end of a numbered run cannot extend the run after its end', async () => {
  const drop = await makeEdition()
  await sellUnits(drop.id, 1)
  const reopening = db().$transaction(async (tx) => {
    await tx.$queryRaw`SELECT now()`
    await db().$executeRaw`UPDATE "Drop" SET "endTime" = clock_timestamp() WHERE "id" = ${drop.id}`
    await tx.drop.update({ where: { id: drop.id }, data: { endTime: new Date(Date.now() + HOUR_MS) } })
  })
  await expect(reopening).rejects.toThrow('are final')
})

it('a numbered run that has ended cannot be extended, sells no late unit and stays numbered', async () => {
  const admin = contextFor(actorOf(await makeSeller({ isAdmin: true })))
  const drop = await makeEdition()
  const [late, last] = [await holdUnits(drop.id, 1), await holdUnits(drop.id, 1)]
  await releaseHold(visitor(), late.holdId, 'yielded')
  await endRun(drop.id)
  // A unit that is held at the end can still be paid, so the total is shown only when no unit is held anymore.
  expect(await payFor(last)).toBe('paid')
  expect(await textFor(last.orderId)).toBe('1 of 1')
  expect(await payFor(late)).toBe('no-unit')
  await expect(updateDrop(admin, drop.id, { action: 'restore', hours: 5 })).rejects.toMatchObject({
    code: 'EDITION_CLOSED',
  })
  const endedSince = new Date(Date.now() - 2 * HOUR_MS).toISOString()
  await extendLiveDrops(admin, { hours: 5, endedSince })
  expect(await textFor(last.orderId)).toBe('1 of 1')
  // A numbered run that ends while the extension locks the rows must not keep the other drops from being extended.
  const other = await makeDrop()
  await extendDrops(admin, [drop.id, other.id], 5)
  const ends = await db().drop.findMany({ where: { id: { in: [drop.id, other.id] } }, orderBy: { id: 'asc' } })
  expect(ends.map(({ endTime }) => endTime > other.endTime)).toEqual([false, true])
  const later = { endTime: new Date(Date.now() + HOUR_MS) }
  await expect(db().drop.update({ where: { id: drop.id }, data: later })).rejects.toThrow('are final')
  await expect(db().drop.update({ where: { id: drop.id }, data: { isNumbered: false } })).rejects.toThrow('are final')
  await expect(makeDrop({ isNumbered: true, productType: 'service' })).rejects.toThrow('Drop_numbered')
})

it('the number is on the order page, in the seller’s orders, the CSV file, the evidence and the receipt', async () => {
  const seller = await makeSeller()
  const drop = await makeEdition({ userId: seller.id })
  await sellUnits(drop.id, 1)
  const held = await holdUnits(drop.id, 2)
  const { id, token, ...order } = await db().order.findUniqueOrThrow({ where: { id: held.orderId } })
  const facts = { ...order, id, token, seller: { username: seller.username } }
  const receipt = (isNumbered: boolean, to: string) => ({
    ...buyerReceipt({ ...facts, isNumbered }, to, 'http://x'),
    dedupeKey: to,
  })
  const mails = [receipt(true, 'numbered@example.com'), receipt(false, 'plain@example.com')]
  expect(mails[0]!.text).toContain(MAIL_BLANK)
  expect(await payFor(held, null, mails)).toBe('paid')
  const [numbered, plain] = await Promise.all(
    mails.map(({ dedupeKey }) => db().outboxMail.findUniqueOrThrow({ where: { dedupeKey } })),
  )
  expect(numbered!.text).toContain('Your numbers: No. 2–3')
  expect(numbered!.content).toMatchObject({ facts: expect.arrayContaining([['Your numbers', 'No. 2–3']]) })
  expect(JSON.stringify([numbered, plain])).not.toContain(MAIL_BLANK)
  expect(plain!.text).not.toContain('number')
  const edition = { run: 1, numbers: [2, 3], retired: [], total: null }
  expect(await findBuyerOrder(db(), token)).toMatchObject({ edition })
  const { stripeSessionId } = await db().order.findUniqueOrThrow({ where: { id } })
  expect(await findCheckout(visitor(), stripeSessionId!)).toMatchObject({ edition })
  const orders = await readSellerOrders(visitor(), seller.id)
  expect(orders.map((one) => one.edition?.numbers)).toEqual([[2, 3], [1]])
  expect(await readOrdersCsv(visitor(), seller.id)).toMatch(
    /,edition,keys,ships_by,country,shipping,early,option,run\r\n.*,No\. 2–3,,,,,,,1\r\n.*,No\. 1,,,,,,,1\r\n$/,
  )
  expect((await getEvidence(contextFor(actorOf(seller)), id)).text).toContain('Numbered edition: No. 2–3.')
})

it('orders of a drop without numbers get no number', async () => {
  const drop = await makeDrop()
  const { id: dropId, quantity, startedAt, endTime } = drop
  await db().dropRun.create({ data: { dropId, run: 1, quantity, startedAt, endTime } })
  const order = await sellUnits(drop.id, 2)
  expect(await findEdition(db(), order.id)).toBeNull()
  expect(await rowsOf(drop.id)).toEqual([])
})

it(`numbers have no gap and no duplicate after ${2 * ATTEMPTS} payments in two processes`, async () => {
  const drop = await makeEdition({ quantity: 1_000_000 })
  const meetingPlace = await mkdtemp(path.join(tmpdir(), 'lastcall-two-'))
  const crowd = { dropId: drop.id, attempts: ATTEMPTS, atOnce: 12, meetingPlace }
  const run = (seed: number) =>
    runNode([...TYPESCRIPT, 'tests/support/pay-editions.ts', JSON.stringify({ ...crowd, seed })], {})
  const ended = await Promise.all([run(SEED), run(SEED + 1)])
  expect(ended.filter(({ code }) => code !== 0)).toEqual([])
  const sold = ended.map(
    ({ stdout }) => (JSON.parse(stdout.trim().split('\n').at(-1) ?? '{}') as { sold: number }).sold,
  )
  expect(Math.min(...sold)).toBeGreaterThan(0)
  const rows = await rowsOf(drop.id)
  expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: sold[0]! + sold[1]! }, (_, at) => at + 1))
  const orders = await db().order.findMany({ where: { dropId: drop.id, status: 'paid' }, include: { numbers: true } })
  for (const { quantity, numbers } of orders) {
    const own = numbers.map(({ number }) => number).sort((one, two) => one - two)
    expect(own).toEqual(Array.from({ length: quantity }, (_, place) => own[0]! + place))
  }
  expect(await breaches()).toEqual([])
}, 900_000)
