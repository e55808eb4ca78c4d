import type { Order } from '@prisma/client'
import type Stripe from 'stripe'
import { closeDatabase, db } from '@/lib/infra/db'
import { systemContext } from '@/lib/infra/context'
import { standIn, stripe } from '@/lib/infra/stripe'
import { newId } from '@/lib/kernel/id'
import { answerDispute } from '@/lib/orders/answer-dispute'
import { refundOrder } from '@/lib/orders/refund-order'
import { settleCheckout } from '@/lib/orders/settle-checkout'
import { sweepCheckouts } from '@/lib/orders/sweep-checkouts'
import { syncRefunds } from '@/lib/orders/sync-refunds'
import { connectPayouts } from '@/lib/payouts/connect-payouts'
import { refreshPayouts } from '@/lib/payouts/refresh-payouts'
import { sentOutCents, targetCents } from '@/lib/payouts/rules'
import { sweepPayouts } from '@/lib/payouts/sweep-payouts'
import { receiveStripeEvent } from '@/lib/webhooks/receive-stripe-event'
import { randomFrom } from '@/tests/support/chance'
import { actorOf, contextFor, makeDrop, makeSeller } from '@/tests/support/factories'
import { examineMoneyAfterEach } from '@/tests/support/money-audit'
import { onboard, openCheckout, pay } from '@/tests/support/shop'

examineMoneyAfterEach()
afterAll(closeDatabase)

/**
 * The test makes random sales, refunds that are pending or fail, disputes of every kind and bank payouts, and lets events
 * come late, twice, in any order or never. Afterwards the books of the sellers, the platform and the buyers must agree with
 * Stripe's to the cent. `BOOKS_SEED` repeats a run, `BOOKS_OPERATIONS` makes it longer.
 */
const SEED = Number(process.env.BOOKS_SEED ?? Date.now() % 1_000_000)
const OPERATIONS = Number(process.env.BOOKS_OPERATIONS ?? 120)
const MS_PER_OPERATION = 1_000
/** A long run compares the books in between, too, so that a mistake is found near its cause. */
const BETWEEN_CHECKS = 1_000

const system = () => systemContext('books')

type Shop = { sellerCtx: ReturnType<typeof contextFor<ReturnType<typeof actorOf>>>; account: string; dropId: number }

async function openShop(priceCents: number): Promise<Shop> {
  const seller = await makeSeller()
  const sellerCtx = contextFor(actorOf(seller))
  await onboard(await connectPayouts(sellerCtx), 'finish')
  await refreshPayouts(sellerCtx, seller.id)
  const { stripeAccountId } = await db().user.findUniqueOrThrow({ where: { id: seller.id } })
  const drop = await makeDrop({ userId: seller.id, productType: 'digital', quantity: 10_000, priceCents })
  return { sellerCtx, account: stripeAccountId ?? '', dropId: drop.id }
}

async function balanceOf(account: string): Promise<number> {
  const { available } = await stripe().balance.retrieve({}, { stripeAccount: account })
  return available[0]?.amount ?? 0
}

const CARDS = [
  undefined,
  undefined,
  undefined,
  '4000000000000259', // disputed
  '4000000000001976', // the bank asks about it
  '4000000404000079', // disputed twice, in parts
  '4000000000007726', // its refunds are pending at first
  '4000000000005126', // its refunds fail later
]

const BANK_STEPS = [
  'inquire',
  'dispute',
  'lose-at-once',
  'lose-half-at-once',
  'prevent',
  'escalate',
  'fall-due',
] as const

/** Events that Stripe has sent and that have not arrived: they come late, in any order, some twice and some never. */
async function deliverSome(random: (below: number) => number): Promise<void> {
  const rows = await db().sandboxDelivery.findMany({ where: { deliveredAt: null }, orderBy: { id: 'asc' }, take: 200 })
  const { shuffle } = randomFrom(random(1_000_000))
  for (const { id, payload } of shuffle(rows).slice(0, 1 + random(10))) {
    const event = JSON.parse(payload) as Stripe.Event
    if (random(6) > 0) await receiveStripeEvent(system(), event)
    if (random(4) === 0) await receiveStripeEvent(system(), event)
    await db().sandboxDelivery.update({ where: { id }, data: { deliveredAt: new Date() } })
  }
}

type Game = {
  shops: readonly Shop[]
  random: (below: number) => number
  orders: { shop: Shop; id: string }[]
  /** Paid sessions whose payment the application has not heard of yet. */
  late: string[]
}

/** Does random operations on random shops. A refused call is fine; what counts is that the books agree afterwards. */
async function play(game: Game, count: number): Promise<void> {
  const { shops, random, orders, late } = game
  const anOrder = () => orders[random(orders.length)]
  const operations: (() => Promise<unknown>)[] = [
    ...Array.from({ length: 4 }, () => async () => {
      const shop = shops[random(shops.length)]!
      const { url, sessionId } = await openCheckout(shop.dropId, { quantity: 1 + random(3) })
      await pay(url, CARDS[random(CARDS.length)], { settles: random(2) === 0 })
      // The event of every third payment comes late or never; in the second case the sweep finds the payment.
      if (random(3) === 0) return late.push(sessionId)
      await settleCheckout(system(), sessionId)
      const order = await db().order.findUniqueOrThrow({ where: { stripeSessionId: sessionId } })
      return orders.push({ shop, id: order.id })
    }),
    ...Array.from({ length: 2 }, () => async () => {
      const order = anOrder()
      if (!order) return
      const { amountCents } = await db().order.findUniqueOrThrow({ where: { id: order.id } })
      const cents = random(2) === 0 ? amountCents : 1 + random(amountCents)
      await refundOrder(order.shop.sellerCtx, {
        orderId: order.id,
        refundId: newId('ref'),
        amountCents: cents,
        restockUnits: 0,
      })
    }),
    // Stripe's own later work: payments settle, refunds succeed or fail, money of won disputes returns.
    async () => standIn()!.settleDue(),
    async () => {
      const order = anOrder()
      if (!order || random(3) > 0) return
      const { stripePaymentIntentId } = await db().order.findUniqueOrThrow({ where: { id: order.id } })
      await standIn()!.bankDoes(stripePaymentIntentId ?? '', BANK_STEPS[random(BANK_STEPS.length)]!)
    },
    ...Array.from({ length: 2 }, () => () => deliverSome(random)),
    async () => {
      const order = anOrder()
      if (!order) return
      await syncRefunds(system(), order.id)
      const evidence = random(2) === 0 ? 'winning_evidence' : 'losing_evidence'
      await answerDispute(order.shop.sellerCtx, { orderId: order.id, statement: evidence })
    },
    async () => {
      const { account } = shops[random(shops.length)]!
      const amount = await balanceOf(account)
      if (amount > 0) await stripe().payouts.create({ amount, currency: 'usd' }, { stripeAccount: account })
    },
    async () => {
      const sessionId = late.shift()
      if (sessionId) await settleCheckout(system(), sessionId)
    },
    () => sweep(),
  ]
  for (let done = 0; done < count; done += 1) await operations[random(operations.length)]!().catch(() => undefined)
}

async function sweep(): Promise<void> {
  await db().transfer.updateMany({ data: { nextAttemptAt: new Date(0) } })
  await sweepCheckouts(system())
  await sweepPayouts(system())
}

async function comeToRest(): Promise<void> {
  await standIn()!.settleDue()
  // The sweep finds the payments whose event never came. Then the refunds of every paid order are read.
  await sweep()
  for (const { id } of await db().order.findMany({ where: { paidAt: { not: null } }, select: { id: true } })) {
    await syncRefunds(system(), id)
  }
  for (let round = 0; round < 4; round += 1) await sweep()
}

/** What is left of a payout after the bank gave a part or all of a payment back. The platform bears the card fee of that. */
function earnedAfterLoss(order: Order, lostCents: number): number {
  const { amountCents, platformFeeCents, sellerPayoutCents } = order
  const gone = Math.min(amountCents, order.refundedCents + lostCents)
  const taken = gone - Math.round((platformFeeCents * gone) / amountCents)
  return Math.max(0, Math.max(0, sellerPayoutCents - (order.cardFeeCents ?? 0)) - taken)
}

type Mismatch = { order: string; what: string; ours: number; stripes: number }

/** Compares what our database says about each order with what Stripe has. */
async function compareBooks(): Promise<Mismatch[]> {
  const found: Mismatch[] = []
  const orders = await db().order.findMany({
    where: { paidAt: { not: null } },
    include: { transfer: true, refunds: true, disputes: true },
  })
  for (const order of orders) {
    const note = (what: string, ours: number, stripes: number) => {
      if (ours !== stripes) found.push({ order: order.id, what, ours, stripes })
    }
    const refunds = await stripe()
      .refunds.list({ payment_intent: order.stripePaymentIntentId ?? '', limit: 100 })
      .autoPagingToArray({ limit: 1_000 })
    const wentBack = refunds.filter(({ status }) => status === 'succeeded').reduce((sum, { amount }) => sum + amount, 0)
    note('refunds of the buyer', order.refundedCents, Math.min(order.amountCents, wentBack))
    const disputes = await stripe().disputes.list({ payment_intent: order.stripePaymentIntentId ?? '', limit: 100 })
    const lostOf = (all: readonly { status: string; cents: number }[]) =>
      all.filter(({ status }) => status === 'lost').reduce((sum, { cents }) => sum + cents, 0)
    note(
      'lost disputes',
      lostOf(order.disputes.map(({ status, amountCents: cents }) => ({ status, cents }))),
      lostOf(disputes.data.map(({ status, amount: cents }) => ({ status, cents }))),
    )
    const fees = disputes.data.flatMap(({ balance_transactions }) => balance_transactions)
    note(
      'dispute fees of the platform',
      order.disputes.reduce((sum, { feeCents }) => sum + feeCents, 0),
      fees.reduce((sum, { fee }) => sum + fee, 0),
    )
    const transfer = order.transfer
    if (!transfer) continue
    const ids = [transfer.stripeTransferId, ...transfer.againTransferIds].filter((id) => id !== null)
    const sent = await Promise.all(ids.map((id) => stripe().transfers.retrieve(id)))
    const out = sent.reduce((sum, { amount, amount_reversed }) => sum + amount - amount_reversed, 0)
    note('payout of the seller', sentOutCents(transfer), out)
    // The seller is due the earnings, less what was taken back, less debts, plus what was paid of the debts.
    if (transfer.sentAt && !transfer.reversalRefusedAt && order.status !== 'disputed') {
      note('payout as it should be', Math.max(0, targetCents(transfer)), out)
    }
    const lost = order.disputes
      .filter(({ status }) => status === 'lost')
      .reduce((sum, { amountCents }) => sum + amountCents, 0)
    const earned = lost
      ? earnedAfterLoss(order, lost)
      : order.sellerPayoutCents -
        (order.cardFeeCents ?? 0) -
        order.refundedCents +
        order.refunds
          .filter(({ state }) => state === 'succeeded')
          .reduce((sum, { platformFeeCents }) => sum + platformFeeCents, 0)
    note('earnings', transfer.amountCents - transfer.deductedCents - transfer.feeOwedCents, earned)
  }
  return found
}

it(
  `books of sellers, platform and buyers agree after ${OPERATIONS} random operations`,
  async () => {
    console.info(`BOOKS_SEED=${SEED} BOOKS_OPERATIONS=${OPERATIONS}`)
    const { below: random } = randomFrom(SEED)
    const shops = [await openShop(2400), await openShop(50), await openShop(99_99)]
    const game: Game = { shops, random, orders: [], late: [] }
    for (let done = 0; done < OPERATIONS; done += BETWEEN_CHECKS) {
      await play(game, Math.min(BETWEEN_CHECKS, OPERATIONS - done))
      await comeToRest()
      expect({ seed: SEED, mismatches: await compareBooks() }).toEqual({ seed: SEED, mismatches: [] })
      process.stderr.write(`BOOKS_SEED=${SEED}: the books agree after ${done + BETWEEN_CHECKS} operations\n`)
    }
    // The run proves nothing unless all of this has happened in it.
    const [orders, refunds, disputes] = await Promise.all([
      db().order.count({ where: { paidAt: { not: null } } }),
      db().refund.count({ where: { state: 'succeeded' } }),
      db().dispute.count(),
    ])
    const failed = await db().refund.count({ where: { state: 'failed' } })
    console.info({ orders, refunds, failed, disputes })
    expect(Math.min(orders / 10, refunds / 3, disputes)).toBeGreaterThanOrEqual(1)

    // Every transfer at Stripe belongs to exactly one payout, and every seller's account holds what our books say it got.
    const noted = (await db().transfer.findMany()).flatMap(({ stripeTransferId, againTransferIds }) => [
      ...(stripeTransferId ? [stripeTransferId] : []),
      ...againTransferIds,
    ])
    const atStripe = await stripe().transfers.list({ limit: 100 }).autoPagingToArray({ limit: 10_000 })
    expect({ seed: SEED, ids: atStripe.map(({ id }) => id).sort() }).toEqual({ seed: SEED, ids: noted.sort() })
  },
  60_000 + OPERATIONS * MS_PER_OPERATION,
)
