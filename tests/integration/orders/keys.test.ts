import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { removeAccount } from '@/lib/closure/remove-account'
import { editDrop } from '@/lib/drops/edit-drop'
import { getSellerDrop } from '@/lib/drops/queries'
import { relaunchDrop } from '@/lib/drops/relaunch-drop'
import { toDropView, toSellerDropView } from '@/lib/drops/view'
import { closeDatabase, db, pool } from '@/lib/infra/db'
import { HOUR_MS } from '@/lib/kernel/time'
import { checkInvariants } from '@/lib/operations/check-invariants.mjs'
import { findCheckout } from '@/lib/checkout/settlement/get-paid-order'
import { settleCheckout } from '@/lib/checkout/settlement/settle-checkout'
import { buyerReceipt } from '@/lib/checkout/mails'
import { getEvidence } from '@/lib/refunds/get-evidence'
import { getSellerOrder } from '@/lib/orders/get-seller-order'
import { giveMissingKeys } from '@/lib/orders/give-missing-keys'
import { returnKeys } from '@/lib/refunds/return-keys'
import { findBuyerOrder } from '@/lib/orders/queries'
import { releaseHold } from '@/lib/checkout/hold/release-hold'
import { restockUnits } from '@/lib/refunds/restock-units'
import { showKeys } from '@/lib/orders/show-keys'
import { voidKey } from '@/lib/orders/void-key'
import { transaction } from '@/lib/infra/context'
import { newId } from '@/lib/kernel/id'
import { actorOf, contextFor, makeDrop, makeSeller, visitor, visitorFrom } from '@/tests/support/factories'
import { keysOf, makeKeyedDrop, someKeys } from '@/tests/support/make-keyed-drop'
import { runNode } from '@/tests/support/run-node'
import { holdUnits, payFor, sellUnits } from '@/tests/support/sell-units'
import { openCheckout, pay } from '@/tests/support/shop'
import { untilWaits } from '@/tests/support/until-waits'
import { readOrdersCsv, readSellerOrders } from '@/tests/support/read-exports'

afterAll(closeDatabase)

const TYPESCRIPT = ['--conditions=react-server', '--import', './tests/support/register-typescript.mjs']
/** The number of purchases that each process makes (KEY_PURCHASES), and the seed of their random choices (KEY_SEED). */
const ATTEMPTS = Number(process.env.KEY_PURCHASES ?? 150)
const SEED = Number(process.env.KEY_SEED ?? 451)

const look = (token: string) => showKeys(visitor(), { token, userAgent: 'Test browser' })
const freeOf = (dropId: number) => db().dropKey.count({ where: { dropId, orderId: null } })

/** Records a refund that the bank has confirmed, and updates keys, stock and order as the application does. */
async function refund(order: { id: string; holdId: string; unitPriceCents: number }, units: number, restock = 0) {
  const amountCents = units * order.unitPriceCents
  const facts = { orderId: order.id, amountCents, platformFeeCents: 0, reason: '', requestedBy: 'seller:1' }
  const row = await db().refund.create({ data: { id: newId('ref'), ...facts, state: 'succeeded' } })
  await transaction(visitor(), async (tx) => {
    await tx.db.$queryRaw`SELECT 1 FROM "Order" WHERE "id" = ${order.id} FOR UPDATE`
    await returnKeys(tx, order.id)
    await restockUnits(tx, order.holdId, restock)
    const { amountCents: paid, refundedCents } = await tx.db.order.findUniqueOrThrow({ where: { id: order.id } })
    const data = { refundedCents: refundedCents + amountCents }
    await tx.db.order.update({
      where: { id: order.id },
      data: data.refundedCents === paid ? { ...data, status: 'refunded' } : data,
    })
  })
  return row
}

async function breaches() {
  const findings = await checkInvariants(pool())
  return findings.filter(({ holds }) => holds.startsWith('keys')).flatMap((finding) => finding.breaches)
}

describe('giving keys', () => {
  it('each paid unit gets its own key, and the order page shows them after the buyer has asked', async () => {
    const drop = await makeKeyedDrop(someKeys(4))
    const order = await sellUnits(drop.id, 3)
    expect(await keysOf(order.id)).toEqual(['KEY-00001', 'KEY-00002', 'KEY-00003'])
    expect((await findBuyerOrder(db(), order.token))?.keys).toEqual({ shown: [], hidden: 3 })
    await look(order.token)
    const page = await findBuyerOrder(db(), order.token)
    expect(page?.keys).toEqual({ shown: someKeys(3), hidden: 0 })
    expect(page?.timeline.map(({ text }) => text)).toContain('3 keys shown to you')
    expect(await breaches()).toEqual([])
  })

  it('no key is given before the payment, and none is shown', async () => {
    const drop = await makeKeyedDrop(someKeys(2))
    const held = await holdUnits(drop.id, 1)
    expect(await freeOf(drop.id)).toBe(2)
    await expect(look(held.token)).rejects.toMatchObject({ code: 'NO_KEYS_NOW', status: 409 })
    expect((await findBuyerOrder(db(), held.token))?.keys).toBeNull()
    await releaseHold(visitor(), held.holdId, 'cancelled')
    await expect(look(held.token)).rejects.toMatchObject({ code: 'NO_KEYS_NOW' })
    await expect(look('A'.repeat(32))).rejects.toMatchObject({ code: 'NOT_FOUND', status: 404 })
    // This payment comes after the units were released, so it takes a unit again, with its key.
    expect(await payFor(held)).toBe('paid')
    expect(await keysOf(held.orderId)).toEqual(['KEY-00001'])
  })

  it('a payment that is reported several times gets its keys once', async () => {
    const drop = await makeKeyedDrop(someKeys(5))
    const held = await holdUnits(drop.id, 2)
    const outcomes = await Promise.all([payFor(held), payFor(held), payFor(held)])
    expect(outcomes.sort()).toEqual(['already-paid', 'already-paid', 'paid'])
    expect(await freeOf(drop.id)).toBe(3)
    expect(await db().drop.findUniqueOrThrow({ where: { id: drop.id } })).toMatchObject({ sold: 2, keysGiven: 2 })
  })

  it('a payment without a key is refunded, and gets no unit', async () => {
    const drop = await makeKeyedDrop(someKeys(1))
    const held = await holdUnits(drop.id, 1)
    await db().dropKey.deleteMany({ where: { dropId: drop.id } })
    expect(await payFor(held)).toBe('no-unit')
    expect(await breaches()).toMatchObject([{ units: 1, free: 0 }])
    expect(await db().refund.findMany({ where: { orderId: held.orderId } })).toMatchObject([{ reason: 'no key left' }])
    await db().drop.update({ where: { id: drop.id }, data: { hiddenAt: new Date() } })
    expect(await db().order.findUniqueOrThrow({ where: { id: held.orderId } })).toMatchObject({ status: 'refunded' })
    expect(await db().hold.findUniqueOrThrow({ where: { id: held.holdId } })).toMatchObject({
      state: 'released',
      reason: 'no-key',
    })
    expect(await db().drop.findUniqueOrThrow({ where: { id: drop.id } })).toMatchObject({ sold: 0, held: 0 })
    await expect(look(held.token)).rejects.toMatchObject({ code: 'NO_KEYS_NOW' })
  })

  it('the database refuses a sale without a key, a unit without a key, and a second owner of a key', async () => {
    const drop = await makeKeyedDrop(someKeys(3))
    const change = (data: object) => db().drop.update({ where: { id: drop.id }, data })
    await expect(change({ sold: 1 })).rejects.toThrow('needs a key')
    await expect(change({ quantity: 4 })).rejects.toThrow('fewer keys than units')
    await expect(change({ productType: 'physical' })).rejects.toThrow('Drop_keys')
    const [one, two] = [await sellUnits(drop.id, 1), await sellUnits(drop.id, 1)]
    const [key] = await db().dropKey.findMany({ where: { orderId: one.id } })
    const move = (data: object) => db().dropKey.update({ where: { id: key!.id }, data })
    await expect(move({ orderId: two.id })).rejects.toThrow('belongs to an order')
    await look(one.token)
    await expect(move({ orderId: null, givenAt: null, shownAt: null })).rejects.toThrow('belongs to an order')
    await expect(change({ sold: 0 })).rejects.toThrow('fewer keys than units')
    // A drop without keys is not affected.
    const plain = await makeDrop()
    await db().drop.update({ where: { id: plain.id }, data: { quantity: 20, sold: 3 } })
  })

  it('the receipt says where the key is and does not contain it', async () => {
    const drop = await makeKeyedDrop(['SECRET-LINE'])
    const { token, ...order } = await sellUnits(drop.id, 1)
    const mailed = { ...order, token, hasKeys: true, seller: { username: 'sam' } }
    const mail = buyerReceipt(mailed, 'bea@example.com', 'http://x')
    expect(mail.text).toContain('Your key is on your order page.')
    expect(mail.text).toContain(`http://x/o/${token}`)
    expect(JSON.stringify(mail)).not.toContain('SECRET-LINE')
  })
})

describe('refunds', () => {
  it('a key that was not shown goes back into the pool, and its unit can be sold again', async () => {
    const drop = await makeKeyedDrop(someKeys(3))
    const order = await sellUnits(drop.id, 3)
    await refund(order, 1, 1)
    expect(await keysOf(order.id)).toEqual(['KEY-00001', 'KEY-00002'])
    expect(await db().drop.findUniqueOrThrow({ where: { id: drop.id } })).toMatchObject({ sold: 2 })
    expect(await keysOf((await sellUnits(drop.id, 1)).id)).toEqual(['KEY-00003'])
    expect((await findBuyerOrder(db(), order.token))?.keys).toEqual({ shown: [], hidden: 2 })
    expect(await breaches()).toEqual([])
  })

  it('a key that was shown is spent: nobody else gets it, its unit stays off sale, and the seller can mark it as void', async () => {
    const seller = await makeSeller()
    const drop = await makeKeyedDrop(someKeys(2), { userId: seller.id })
    const order = await sellUnits(drop.id, 2)
    await look(order.token)
    await refund(order, 1, 1)
    expect(await keysOf(order.id)).toEqual(someKeys(2))
    expect(await db().drop.findUniqueOrThrow({ where: { id: drop.id } })).toMatchObject({ sold: 2 })
    expect((await findBuyerOrder(db(), order.token))?.keys).toEqual({ shown: ['KEY-00001'], hidden: 0 })
    const ctx = contextFor(actorOf(seller))
    const [kept, spent] = (await getSellerOrder(ctx, seller.id, order.id)).keys
    expect([kept, spent]).toMatchObject([{ state: 'shown' }, { state: 'spent', key: 'KEY-00002' }])
    const counts = async () => toSellerDropView(await getSellerDrop(ctx, drop.id, seller.id)).keys
    expect(await counts()).toEqual({ left: 0, given: 1, spent: 1 })
    await expect(voidKey(ctx, { orderId: order.id, keyId: kept!.id })).rejects.toMatchObject({ code: 'NOT_VOIDABLE' })
    const stranger = contextFor(actorOf(await makeSeller()))
    const other = { orderId: order.id, keyId: spent!.id }
    await expect(voidKey(stranger, other)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await voidKey(ctx, other)
    await voidKey(ctx, other)
    expect((await getSellerOrder(ctx, seller.id, order.id)).keys[1]).toMatchObject({ state: 'void' })
    expect(await breaches()).toEqual([])
  })

  it('after a refund, and while one is pending, no key is shown', async () => {
    const drop = await makeKeyedDrop(someKeys(2))
    const [one, two] = [await sellUnits(drop.id, 1), await sellUnits(drop.id, 1)]
    await refund(one, 1)
    await expect(look(one.token)).rejects.toMatchObject({ code: 'NO_KEYS_NOW' })
    expect((await findBuyerOrder(db(), one.token))?.keys).toBeNull()
    const facts = { orderId: two.id, amountCents: two.amountCents, platformFeeCents: 0, reason: '', requestedBy: 'x' }
    await db().refund.create({ data: { id: newId('ref'), ...facts, state: 'pending' } })
    await expect(look(two.token)).rejects.toMatchObject({ code: 'NO_KEYS_NOW' })
    expect((await findBuyerOrder(db(), two.token))?.keys).toEqual({ shown: [], hidden: 0 })
  })

  it('a refund that the bank rejects later gives the order a key again, if one is free', async () => {
    const drop = await makeKeyedDrop(someKeys(2))
    const order = await sellUnits(drop.id, 1)
    const row = await refund(order, 1)
    expect(await keysOf(order.id)).toEqual([])
    await db().refund.update({ where: { id: row.id }, data: { state: 'failed' } })
    await db().order.update({ where: { id: order.id }, data: { status: 'paid', refundedCents: 0 } })
    await transaction(visitor(), (tx) => giveMissingKeys(tx, order.id))
    expect(await keysOf(order.id)).toEqual(['KEY-00001'])
    expect(await breaches()).toEqual([])
    // With the last unit sold again, there is no free key for a second such order.
    const last = await sellUnits(drop.id, 1)
    const again = await refund(last, 1, 1)
    await sellUnits(drop.id, 1)
    await db().refund.update({ where: { id: again.id }, data: { state: 'failed' } })
    await db().order.update({ where: { id: last.id }, data: { status: 'paid', refundedCents: 0 } })
    await expect(look(last.token)).rejects.toMatchObject({ code: 'NO_KEYS_LEFT' })
    expect(await breaches()).toMatchObject([{ id: last.id }])
    await db().order.update({ where: { id: last.id }, data: { status: 'refunded', refundedCents: last.amountCents } })
  })
})

describe('the list', () => {
  it('added keys raise the quantity, and a key that the drop has or had is refused by a message that names its line', async () => {
    const seller = await makeSeller({ plan: 'pro' })
    const drop = await makeKeyedDrop(someKeys(2), { userId: seller.id })
    await sellUnits(drop.id, 1)
    const ctx = contextFor(actorOf(seller))
    const add = (...keys: string[]) =>
      editDrop(ctx, {
        dropId: drop.id,
        fields: { keys: keys.map((key, at) => ({ key, line: at + 1 })) },
        images: [],
      })
    await expect(add('NEW-1', 'KEY-00001')).rejects.toMatchObject({
      code: 'KEYS_REFUSED',
      field: 'keys',
      message: 'Line 2 is already a key of this drop. Each key can be listed once.',
    })
    expect(await freeOf(drop.id)).toBe(1)
    expect(toSellerDropView(await add('NEW-1', 'NEW-2'))).toMatchObject({
      quantity: 4,
      keys: { left: 3, given: 1, spent: 0 },
    })
    const raise = editDrop(ctx, { dropId: drop.id, fields: { quantity: 9 }, images: [] })
    await expect(raise).rejects.toMatchObject({ code: 'KEYS_REFUSED', field: 'quantity' })
    const plain = await makeDrop({ userId: seller.id })
    const fields = { keys: [{ key: 'A', line: 1 }] }
    await expect(editDrop(ctx, { dropId: plain.id, fields, images: [] })).rejects.toMatchObject({
      code: 'KEYS_REFUSED',
    })
  })

  it('a relaunch sells as many units as keys are left, and more only with new keys', async () => {
    const seller = await makeSeller({ plan: 'pro' })
    const drop = await makeKeyedDrop(someKeys(3), { userId: seller.id })
    await sellUnits(drop.id, 1)
    const end = () => {
      const times = { startedAt: new Date(Date.now() - 50 * HOUR_MS), endTime: new Date(Date.now() - 25 * HOUR_MS) }
      return db().drop.update({ where: { id: drop.id }, data: times })
    }
    await end()
    const ctx = contextFor(actorOf(seller))
    const launch = (input: object) => relaunchDrop(ctx, { dropId: drop.id, duration: 24, ...input })
    await expect(launch({ quantity: 3 })).rejects.toMatchObject({ code: 'KEYS_TOO_FEW', field: 'quantity' })
    expect(await launch({})).toMatchObject({ quantity: 2, sold: 0, run: 2 })
    expect(await keysOf((await sellUnits(drop.id, 2)).id)).toEqual(['KEY-00002', 'KEY-00003'])
    await end()
    await expect(launch({})).rejects.toMatchObject({ code: 'KEYS_TOO_FEW', field: 'keys' })
    expect(await launch({ keys: [{ key: 'NEW-1', line: 1 }] })).toMatchObject({ quantity: 1, run: 3 })
    expect(await breaches()).toEqual([])
  })
})

it('closing the account deletes the keys that nobody has, and buyers keep theirs', async () => {
  const seller = await makeSeller({ plan: 'pro' })
  const drop = await makeKeyedDrop(someKeys(3), { userId: seller.id })
  const [order, late] = [await sellUnits(drop.id, 1), await holdUnits(drop.id, 1)]
  const admin = contextFor(actorOf(await makeSeller({ isAdmin: true })))
  await removeAccount(admin, seller.id)
  expect(await freeOf(drop.id)).toBe(0)
  await look(order.token)
  expect((await findBuyerOrder(db(), order.token))?.keys).toEqual({ shown: ['KEY-00001'], hidden: 0 })
  // A payment that was under way finds no key and is refunded.
  expect(await payFor(late)).toBe('no-unit')
  expect(await breaches()).toEqual([])
})

it('closing the account waits for a payment that is giving keys of a hidden drop', async () => {
  const seller = await makeSeller()
  const drop = await makeKeyedDrop(someKeys(2), { userId: seller.id, isActive: false, hiddenAt: new Date() })
  const admin = contextFor(actorOf(await makeSeller({ isAdmin: true })))
  let closing: Promise<unknown> | undefined
  await db().$transaction(async (tx) => {
    // A payment takes this lock before it gives keys.
    await tx.$queryRaw`SELECT 1 FROM "Drop" WHERE "id" = ${drop.id} FOR NO KEY UPDATE`
    closing = removeAccount(admin, seller.id)
    expect(await untilWaits('"keysGiven"', closing)).toBe(true)
    expect(await freeOf(drop.id)).toBe(2)
  })
  await closing
  expect(await freeOf(drop.id)).toBe(0)
})

it('keys are in the seller’s CSV file, but neither in the public view nor in the evidence, which says when they were shown', async () => {
  const seller = await makeSeller({ plan: 'pro' })
  const drop = await makeKeyedDrop(someKeys(3, 'SECRET'), { userId: seller.id })
  const order = await sellUnits(drop.id, 2)
  await showKeys(visitorFrom('203.0.113.9'), { token: order.token, userAgent: 'Test browser' })
  await look(order.token)
  const ctx = contextFor(actorOf(seller))
  const orders = await readSellerOrders(ctx, seller.id)
  expect(JSON.stringify(orders)).not.toContain('SECRET')
  const csv = await readOrdersCsv(ctx, seller.id)
  expect(csv).toMatch(/,edition,keys,ships_by,country,shipping,early,option,run\r\n/)
  expect(csv).toContain('"SECRET-00001\nSECRET-00002"')
  const row = await getSellerDrop(ctx, drop.id, seller.id)
  expect(toDropView(row)).toMatchObject({ hasKeys: true })
  expect(JSON.stringify([toDropView(row), toSellerDropView(row)])).not.toContain('SECRET')
  const { text } = await getEvidence(ctx, order.id)
  expect(text).toMatch(/UTC {2}key 1 of 2 shown {2}from \(only the bank sees this\) {2}Test browser/)
  expect(text).not.toContain('SECRET')
  expect(text).not.toContain('203.0.113.9')
})

it(`no key is given twice in ${2 * ATTEMPTS} purchases of two processes`, async () => {
  const drop = await makeKeyedDrop(someKeys(4 * ATTEMPTS))
  const meetingPlace = await mkdtemp(path.join(tmpdir(), 'lastcall-keys-'))
  const crowd = { dropId: drop.id, attempts: ATTEMPTS, atOnce: 12, meetingPlace }
  const run = (seed: number) =>
    runNode([...TYPESCRIPT, 'tests/support/pay-keys.ts', JSON.stringify({ ...crowd, seed })], {})
  const ended = await Promise.all([run(SEED), run(SEED + 1)])
  expect(ended.filter(({ code }) => code !== 0)).toEqual([])
  const counts = ended.map(
    ({ stdout }) => JSON.parse(stdout.trim().split('\n').at(-1) ?? '{}') as { payments: number; sold: number },
  )
  const sold = counts[0]!.sold + counts[1]!.sold
  const orders = await db().order.findMany({ where: { dropId: drop.id, status: 'paid' }, include: { keys: true } })
  const given = orders.flatMap(({ keys }) => keys.map(({ key }) => key))
  for (const { quantity, keys } of orders) expect(keys).toHaveLength(quantity)
  expect(given).toHaveLength(sold)
  expect(new Set(given).size).toBe(sold)
  expect(await freeOf(drop.id)).toBe(4 * ATTEMPTS - sold)
  expect(await breaches()).toEqual([])
  process.stdout.write(
    `${counts[0]!.payments + counts[1]!.payments} payments: ${sold} units sold, ${new Set(given).size} different keys given\n`,
  )
}, 900_000)

it('the success page leads to the key, or to the download if the drop also has one', async () => {
  const drop = await makeKeyedDrop(someKeys(3))
  const { url, sessionId } = await openCheckout(drop.id)
  await pay(url)
  await settleCheckout(visitor(), sessionId)
  expect(await findCheckout(visitor(), sessionId)).toMatchObject({ digital: 'key' })
  const file = { source: 'link', url: 'https://example.com/game', fileName: 'game' } as const
  await db().digitalFile.create({ data: { dropId: drop.id, ...file } })
  expect(await findCheckout(visitor(), sessionId)).toMatchObject({
    digital: 'download',
    digitalUrl: file.url,
    file: null,
  })
  const mug = await openCheckout((await makeDrop()).id)
  expect(await findCheckout(visitor(), mug.sessionId)).toMatchObject({ digital: null, digitalUrl: null, edition: null })
})
