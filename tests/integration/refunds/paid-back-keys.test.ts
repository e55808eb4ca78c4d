// Tests the keys of orders whose money went back to the buyer, by a refund or a lost dispute, and then returned
// (docs/product.md#keys).
import type { Drop, User } from '@prisma/client'
import { updateDrop } from '@/lib/admin/update-drop'
import { getSellerDrop } from '@/lib/drops/queries'
import { toSellerDropView } from '@/lib/drops/view'
import { listUnusedKeys } from '@/lib/drops/keys/list-unused-keys'
import { systemContext } from '@/lib/infra/context'
import { closeDatabase, db, pool } from '@/lib/infra/db'
import { standIn } from '@/lib/infra/stripe'
import { newId } from '@/lib/kernel/id'
import { checkInvariants } from '@/lib/operations/check-invariants.mjs'
import { answerDispute } from '@/lib/refunds/answer-dispute'
import { getSellerOrder } from '@/lib/orders/get-seller-order'
import { findBuyerOrder } from '@/lib/orders/queries'
import { refundOrder } from '@/lib/refunds/refund-order'
import { listKeysOf } from '@/lib/orders/seller-queries'
import { showKeys } from '@/lib/orders/show-keys'
import { syncRefunds } from '@/lib/refunds/sync-refunds'
import { voidKey } from '@/lib/orders/void-key'
import { actorOf, contextFor, makeSeller, visitor } from '@/tests/support/factories'
import { makeKeyedDrop, someKeys } from '@/tests/support/make-keyed-drop'
import { examineMoneyAfterEach } from '@/tests/support/examine-money-after-each'
import { deliverEvents, openCheckout, payAndSettle } from '@/tests/support/shop'

examineMoneyAfterEach()
afterAll(closeDatabase)

const FAILING_REFUND = '4000000000005126'
const DISPUTED = '4000000000000259'
const PRICE = 2400

type Sale = { quantity?: number; card?: string; of?: { seller: User; drop: Drop } }

/**
 * Sells units of a new drop with these keys, or of an earlier drop, for a card, and returns what the tests do with the
 * order.
 */
async function sell(keys: string[], { quantity = 1, card, of: earlier }: Sale = {}) {
  const seller = earlier?.seller ?? (await makeSeller())
  const ctx = contextFor(actorOf(seller))
  const drop = earlier?.drop ?? (await makeKeyedDrop(keys, { userId: seller.id }))
  const { url, sessionId } = await openCheckout(drop.id, { quantity })
  await payAndSettle(url, sessionId, card)
  await deliverEvents()
  const order = await db().order.findUniqueOrThrow({ where: { stripeSessionId: sessionId } })
  const ofSeller = async () =>
    (await getSellerOrder(ctx, seller.id, order.id)).keys.map(({ key, state }) => [key, state])
  return {
    ...{ seller, ctx, drop, order, ofSeller },
    look: () => showKeys(visitor(), { token: order.token, userAgent: 'Test browser' }),
    ofBuyer: async () => (await findBuyerOrder(db(), order.token))?.keys,
    refund: (units: number, restockUnits = 0) =>
      refundOrder(ctx, { orderId: order.id, refundId: newId('ref'), amountCents: units * PRICE, restockUnits }),
    makeVoid: async (key: string) => {
      const { id } = await db().dropKey.findFirstOrThrow({ where: { dropId: drop.id, key } })
      await voidKey(ctx, { orderId: order.id, keyId: id })
    },
    counts: async () => toSellerDropView(await getSellerDrop(ctx, drop.id, seller.id)).keys,
    mails: async (subject: string) =>
      (await db().outboxMail.findMany({ where: { to: seller.email, subject: { startsWith: subject } } })).map(
        ({ text }) => text,
      ),
  }
}

/** Lets the stand-in do what is due, so that the bank rejects the refunds to its test card. */
async function letRefundsFail() {
  await standIn()!.settleDue()
  await deliverEvents()
}

async function breaches() {
  const findings = await checkInvariants(pool())
  return findings.filter(({ holds }) => holds.startsWith('keys')).flatMap((finding) => finding.breaches)
}

describe('a refund that the bank rejects after the seller has marked the key as void', () => {
  it('gives the order one other key, and the void one is not shown again', async () => {
    const sold = await sell(someKeys(3), { card: FAILING_REFUND })
    await sold.look()
    await sold.refund(1)
    await sold.makeVoid('KEY-00001')
    // One unit goes off sale, so that its key is spare.
    await db().drop.update({ where: { id: sold.drop.id }, data: { quantity: 2 } })
    await letRefundsFail()
    expect(await sold.ofBuyer()).toEqual({ shown: [], hidden: 1 })
    expect(await sold.ofSeller()).toEqual([
      ['KEY-00002', 'given'],
      ['KEY-00001', 'void'],
    ])
    expect(await sold.counts()).toEqual({ left: 1, given: 1, spent: 1 })
    // However often the events and the buyer come again, there is one replacement.
    await Promise.all([syncRefunds(systemContext('test'), sold.order.id), sold.look(), sold.look()])
    expect(await sold.ofBuyer()).toEqual({ shown: ['KEY-00002'], hidden: 0 })
    expect(await sold.counts()).toEqual({ left: 1, given: 1, spent: 1 })
    expect(await breaches()).toEqual([])
    expect(await sold.mails('Refund failed')).toEqual([expect.stringContaining('we gave it another key')])
  })

  it('makes the void key valid again when no other is left, and says so to the seller', async () => {
    const sold = await sell(someKeys(2), { card: FAILING_REFUND })
    await sold.look()
    await sold.refund(1)
    await sold.makeVoid('KEY-00001')
    await letRefundsFail()
    // The other key belongs to a unit that is still on sale.
    expect(await sold.ofBuyer()).toEqual({ shown: ['KEY-00001'], hidden: 0 })
    expect(await sold.ofSeller()).toEqual([['KEY-00001', 'shown']])
    expect(await sold.counts()).toEqual({ left: 1, given: 1, spent: 0 })
    await syncRefunds(systemContext('test'), sold.order.id)
    expect(await breaches()).toEqual([])
    expect(await sold.mails('Refund failed')).toEqual([expect.stringContaining('so its old key is valid again')])
  })

  it('leaves a spent key that was not marked as void with the buyer, and replaces only the void one', async () => {
    const sold = await sell(someKeys(3), { card: FAILING_REFUND, quantity: 2 })
    await sold.look()
    await sold.refund(2)
    await sold.makeVoid('KEY-00001')
    await db().drop.update({ where: { id: sold.drop.id }, data: { quantity: 2 } })
    await letRefundsFail()
    expect(await sold.ofBuyer()).toEqual({ shown: ['KEY-00002'], hidden: 1 })
    await sold.look()
    expect(await sold.ofBuyer()).toEqual({ shown: ['KEY-00002', 'KEY-00003'], hidden: 0 })
    expect(await breaches()).toEqual([])
  })
})

it('a deleted drop whose free key replaced a void one has one unit less once it is restored', async () => {
  const sold = await sell(someKeys(2), { card: FAILING_REFUND })
  const { id } = sold.drop
  await sold.look()
  await sold.refund(1)
  await sold.makeVoid('KEY-00001')
  await db().drop.update({ where: { id }, data: { hiddenAt: new Date() } })
  await letRefundsFail()
  expect(await sold.ofBuyer()).toEqual({ shown: [], hidden: 1 })
  const admin = contextFor(actorOf(await makeSeller({ isAdmin: true })))
  await updateDrop(admin, id, { action: 'restore', hours: 24 })
  const [run] = await db().dropRun.findMany({ where: { dropId: id } })
  expect(await db().drop.findUnique({ where: { id } })).toMatchObject({ quantity: 1, sold: 1 })
  expect(run?.quantity ?? 1).toBe(1)
  await expect(openCheckout(id)).rejects.toMatchObject({ code: 'SOLD_OUT' })
  expect(await breaches()).toEqual([])
})

it('a seller whose downloaded key is given to an order after its refund was rejected is told so', async () => {
  const sold = await sell(someKeys(1), { card: FAILING_REFUND })
  await sold.refund(1)
  await db().drop.update({ where: { id: sold.drop.id }, data: { endTime: new Date(Date.now() - 1_000) } })
  expect(await listUnusedKeys(sold.ctx, { dropId: sold.drop.id })).toEqual(['KEY-00001'])
  await letRefundsFail()
  expect(await sold.ofSeller()).toEqual([['KEY-00001', 'given']])
  expect(await sold.mails('Refund failed')).toEqual([expect.stringContaining('the file of unused keys')])
})

it('the keys of an order are in the same sequence on its pages and in the file, even after it got other keys', async () => {
  const first = await sell(someKeys(6), { quantity: 2 })
  const sold = await sell([], { card: FAILING_REFUND, quantity: 3, of: first })
  await first.refund(1)
  await sold.refund(2)
  await letRefundsFail()
  await sold.look()
  // The second key is older than those of the order, but the order got it later.
  const sequence = ['KEY-00003', 'KEY-00002', 'KEY-00004']
  expect(await sold.ofBuyer()).toEqual({ shown: sequence, hidden: 0 })
  expect((await sold.ofSeller()).map(([key]) => key)).toEqual(sequence)
  const file = await listKeysOf(sold.ctx, [sold.order.id])
  expect(file.get(sold.order.id)).toBe(sequence.join('\n'))
})

describe('a dispute about keys', () => {
  /** Answers the dispute with evidence that decides it, and lets the bank decide. */
  async function decide(sold: Awaited<ReturnType<typeof sell>>, statement: 'winning_evidence' | 'losing_evidence') {
    await answerDispute(sold.ctx, { orderId: sold.order.id, statement })
    await standIn()!.settleDue()
    await deliverEvents()
  }

  it('that is lost returns the keys that nobody saw, and lets the seller mark the others as void', async () => {
    const sold = await sell(someKeys(3), { card: DISPUTED, quantity: 2 })
    const keys = await db().dropKey.findMany({ where: { orderId: sold.order.id }, orderBy: { id: 'asc' } })
    await db().dropKey.update({ where: { id: keys[0]!.id }, data: { shownAt: new Date() } })
    expect(await sold.ofSeller()).toEqual([
      ['KEY-00001', 'shown'],
      ['KEY-00002', 'given'],
    ])
    await expect(sold.makeVoid('KEY-00001')).rejects.toMatchObject({ code: 'NOT_VOIDABLE' })
    await decide(sold, 'losing_evidence')
    expect(await sold.ofSeller()).toEqual([['KEY-00001', 'spent']])
    expect(await sold.counts()).toEqual({ left: 2, given: 0, spent: 1 })
    await expect(sold.look()).rejects.toMatchObject({ code: 'NO_KEYS_NOW' })
    expect(await sold.ofBuyer()).toBeNull()
    await sold.makeVoid('KEY-00001')
    expect(await sold.ofSeller()).toEqual([['KEY-00001', 'void']])
    // Events that come again change nothing, and no unit of the order went back on sale.
    await syncRefunds(systemContext('test'), sold.order.id)
    expect(await sold.counts()).toEqual({ left: 2, given: 0, spent: 1 })
    expect(await db().drop.findUniqueOrThrow({ where: { id: sold.drop.id } })).toMatchObject({ sold: 2 })
    expect(await breaches()).toEqual([])
  })

  it('that is won leaves the keys with the buyer', async () => {
    const sold = await sell(someKeys(3), { card: DISPUTED, quantity: 2 })
    await decide(sold, 'winning_evidence')
    await sold.look()
    expect(await sold.ofBuyer()).toEqual({ shown: someKeys(2), hidden: 0 })
    expect(await sold.counts()).toEqual({ left: 1, given: 2, spent: 0 })
    expect(await breaches()).toEqual([])
  })
})
