import { systemContext } from '@/lib/infra/context'
import { closeDatabase, db } from '@/lib/infra/db'
import { standIn } from '@/lib/infra/stripe'
import { settleCheckout } from '@/lib/orders/settle-checkout'
import { refundUnfulfillable } from '@/lib/orders/refund-unfulfillable'
import { makeDrop } from '@/tests/support/factories'
import { examineMoneyAfterEach } from '@/tests/support/money-audit'
import { openCheckout } from '@/tests/support/shop'

examineMoneyAfterEach()
afterAll(closeDatabase)

const VISA = '4242424242424242'
const OTHER_CARD = '4000000000000341'
const job = () => systemContext('test')

async function payAs(url: string, email: string, cardNumber = VISA) {
  const body = JSON.stringify({ email, cardNumber, name: 'Bea Buyer' })
  const answer = await standIn()!.pages(
    new Request(`${url}/pay`, { method: 'POST', headers: { 'content-type': 'application/json' }, body }),
  )
  return answer.status
}

/** Buys as one person. @returns what became of the payment. */
async function buyAs(dropId: number, email: string, { quantity = 1, cardNumber = VISA } = {}) {
  const { url, sessionId } = await openCheckout(dropId, { quantity })
  await payAs(url, email, cardNumber)
  return settleCheckout(job(), sessionId)
}

const sold = async (id: number) => (await db().drop.findUniqueOrThrow({ where: { id } })).sold

it('has no limit unless the seller sets one', async () => {
  const drop = await makeDrop({ quantity: 40 })
  expect(await buyAs(drop.id, 'bea@example.com', { quantity: 3 })).toBe('paid')
  expect(await buyAs(drop.id, 'bea@example.com', { quantity: 3 })).toBe('paid')
})

it('refuses a single order that exceeds the limit', async () => {
  const drop = await makeDrop({ quantity: 40, maxPerBuyer: 2 })
  await expect(openCheckout(drop.id, { quantity: 3 })).rejects.toMatchObject({ code: 'ABOVE_LIMIT', field: 'quantity' })
})

it('refunds an order of the same mailbox or card that exceeds the limit, and says why', async () => {
  const drop = await makeDrop({ quantity: 40, maxPerBuyer: 2 })
  expect(await buyAs(drop.id, 'b.ea@gmail.com', { quantity: 2 })).toBe('paid')
  expect(await buyAs(drop.id, 'Bea+2@googlemail.com', { cardNumber: OTHER_CARD })).toBe('refunded')
  expect(await buyAs(drop.id, 'cora@example.com')).toBe('refunded')
  expect(await sold(drop.id)).toBe(2)
  const refunds = await db().refund.findMany({ where: { order: { dropId: drop.id } } })
  expect(refunds.map(({ reason, state }) => [reason, state])).toEqual([
    ['above the limit per buyer', 'succeeded'],
    ['above the limit per buyer', 'succeeded'],
  ])
  const mails = await db().outboxMail.findMany({
    where: { dedupeKey: { startsWith: 'late-refund:' }, to: 'cora@example.com' },
  })
  expect(JSON.stringify(mails)).toContain('same email address or card')
  expect(await db().drop.findUniqueOrThrow({ where: { id: drop.id } })).toMatchObject({ held: 0 })
})

it('counts orders that are paid at the same moment', async () => {
  const drop = await makeDrop({ quantity: 100, maxPerBuyer: 1 })
  const open = await Promise.all(Array.from({ length: 6 }, () => openCheckout(drop.id)))
  for (const [at, { url }] of open.entries()) await payAs(url, `bea+${at}@example.com`)
  const outcomes = await Promise.all(open.map(({ sessionId }) => settleCheckout(job(), sessionId)))
  expect(outcomes.filter((outcome) => outcome === 'paid')).toHaveLength(1)
  for (const { orderId } of await db().refund.findMany({ where: { state: 'pending' } })) {
    await refundUnfulfillable(job(), orderId)
  }
  expect(await sold(drop.id)).toBe(1)
})

it('counts only orders that are known to be of the same person', async () => {
  const drop = await makeDrop({ quantity: 40, maxPerBuyer: 1 })
  expect(await buyAs(drop.id, 'dora@example.com', { cardNumber: OTHER_CARD })).toBe('paid')
  await db().order.updateMany({ where: { dropId: drop.id, status: 'paid' }, data: { cardKey: null, mailboxKey: null } })
  expect(await buyAs(drop.id, 'dora@example.com', { cardNumber: OTHER_CARD })).toBe('paid')
})
