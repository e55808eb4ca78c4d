// Two calls can read an order's refunds and disputes from Stripe at the same time. The one that read first may write
// last (docs/product.md#the-path-of-a-purchase). `outdatedSync()` is such a call.
import { type Context, systemContext } from '@/lib/infra/context'
import { closeDatabase, db } from '@/lib/infra/db'
import { standIn } from '@/lib/infra/stripe'
import { newId } from '@/lib/kernel/id'
import { answerDispute } from '@/lib/refunds/answer-dispute'
import { refundOrder } from '@/lib/refunds/refund-order'
import { syncRefunds } from '@/lib/refunds/sync-refunds'
import { examineMoneyAfterEach } from '@/tests/support/examine-money-after-each'
import { actorOf, contextFor, makeDrop, makeSeller } from '@/tests/support/factories'
import { deliverEvents, openCheckout, payAndSettle } from '@/tests/support/shop'

examineMoneyAfterEach()
afterAll(closeDatabase)

const PRICE = 2400
const PENDING_REFUND = '4000000000007726'
const DISPUTED = '4000000000000259'

async function sell(card: string, quantity = 1) {
  const seller = await makeSeller()
  const drop = await makeDrop({ userId: seller.id, quantity: 5 })
  const { url, sessionId } = await openCheckout(drop.id, { quantity })
  await payAndSettle(url, sessionId, card)
  const order = await db().order.findUniqueOrThrow({ where: { stripeSessionId: sessionId } })
  await deliverEvents()
  return { ctx: contextFor(actorOf(seller)), drop, order }
}

/** A promise, and the function that fulfills it. */
function gate(): [Promise<void>, () => void] {
  let open: () => void = () => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return [opened, open]
}

/** A context that reads disputes from Stripe, and gets the response only when `release` is called. */
function slowReader(): { ctx: Context; hasRead: Promise<void>; release: () => void } {
  const ctx = systemContext('slow reader')
  const client = ctx.stripe()
  const [hasRead, noteRead] = gate()
  const [isReleased, release] = gate()
  const list: typeof client.disputes.list = (...call) => {
    const page = client.disputes.list(...call)
    const pages = page.autoPagingToArray.bind(page)
    return Object.assign(page, {
      autoPagingToArray: async (options: { limit: number }) => {
        const found = await pages(options)
        noteRead()
        await isReleased
        return found
      },
    })
  }
  const disputes: typeof client.disputes = Object.assign(Object.create(client.disputes), { list })
  const slow: typeof client = Object.assign(Object.create(client), { disputes })
  return { ctx: { ...ctx, stripe: () => slow }, hasRead, release }
}

/** Reads an order from Stripe, lets `change` happen and be recorded, and only then writes what was read. */
async function outdatedSync(orderId: string, change: () => Promise<unknown>): Promise<void> {
  const { ctx, hasRead, release } = slowReader()
  const outdated = syncRefunds(ctx, orderId)
  await hasRead
  await change()
  await deliverEvents()
  release()
  await outdated
}

const orderNow = (id: string) =>
  db().order.findUniqueOrThrow({ where: { id }, include: { refunds: true, disputes: true, transfer: true } })

it('a refund that has succeeded does not become pending again, and puts its units back on sale once', async () => {
  const { ctx, drop, order } = await sell(PENDING_REFUND, 3)
  const refund = { orderId: order.id, refundId: newId('ref'), amountCents: PRICE, restockUnits: 1 }
  expect(await refundOrder(ctx, refund)).toBe('pending')
  await outdatedSync(order.id, () => standIn()!.settleDue())
  const states = (await orderNow(order.id)).refunds.map(({ state }) => state)
  await syncRefunds(systemContext('test'), order.id)
  expect(await db().drop.findUniqueOrThrow({ where: { id: drop.id } })).toMatchObject({ sold: 2 })
  expect(states).toEqual(['succeeded'])
})

it.each([
  ['winning_evidence', 'won', 'paid', 0],
  ['losing_evidence', 'lost', 'disputed', 2180],
])('a dispute that was decided after %s is not open again', async (statement, decision, status, deductedCents) => {
  const { ctx, order } = await sell(DISPUTED)
  await outdatedSync(order.id, async () => {
    await answerDispute(ctx, { orderId: order.id, statement })
    await standIn()!.settleDue()
  })
  expect(await orderNow(order.id)).toMatchObject({
    status,
    disputes: [{ status: decision, closedAt: expect.any(Date) as Date }],
    transfer: { deductedCents },
  })
})
