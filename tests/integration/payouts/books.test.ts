import type { Order } from '@prisma/client'
import type Stripe from 'stripe'
import { closeDatabase, db } from '@/lib/infra/db'
import { systemContext } from '@/lib/infra/context'
import { standIn, stripe } from '@/lib/infra/stripe'
import { isStripeUnavailable } from '@/lib/infra/stripe-errors'
import { AppError } from '@/lib/kernel/app-error'
import { newId } from '@/lib/kernel/id'
import { answerDispute } from '@/lib/refunds/answer-dispute'
import { refundOrder } from '@/lib/refunds/refund-order'
import { settleCheckout } from '@/lib/checkout/settlement/settle-checkout'
import { sweepCheckouts } from '@/lib/checkout/sweep-checkouts'
import { syncRefunds } from '@/lib/refunds/sync-refunds'
import { connectPayouts } from '@/lib/payouts/connect-payouts'
import { refreshPayouts } from '@/lib/payouts/refresh-payouts'
import { sentOutCents, targetCents } from '@/lib/payouts/rules'
import { sweepPayouts } from '@/lib/payouts/sweep-payouts'
import { receiveStripeEvent } from '@/lib/webhooks/receive-stripe-event'
import { randomFrom } from '@/tests/support/chance'
import { actorOf, contextFor, makeDrop, makeSeller } from '@/tests/support/factories'
import { examineMoneyAfterEach } from '@/tests/support/examine-money-after-each'
import { onboard, openCheckout, passDays, pay } from '@/tests/support/shop'

examineMoneyAfterEach()
afterAll(closeDatabase)

/**
 * The test makes random sales, bank payouts, disputes of every kind, and refunds that are pending or fail. It also
 * empties the platform's balance, disconnects accounts and lets days pass. Events come late, twice, in any order or
 * never. At the end our books must agree with Stripe's to the cent for sellers, platform and buyers. `BOOKS_SEED`
 * repeats the random choices of a run, and `BOOKS_OPERATIONS` sets its length.
 */
const SEED = Number(process.env.BOOKS_SEED ?? Date.now() % 1_000_000)
const OPERATIONS = Number(process.env.BOOKS_OPERATIONS ?? 120)
const MS_PER_OPERATION = 1_000
/** A long run compares the books after every so many operations, so that a mistake is found near its cause. */
const BETWEEN_CHECKS = 2_500

const system = () => systemContext('books')

type Shop = {
  sellerCtx: ReturnType<typeof contextFor<ReturnType<typeof actorOf>>>
  dropId: number
  /** Null while the seller is disconnected. */
  account: string | null
}

async function openShop(priceCents: number): Promise<Shop> {
  const seller = await makeSeller()
  const sellerCtx = contextFor(actorOf(seller))
  const drop = await makeDrop({ userId: seller.id, productType: 'digital', quantity: 10_000, priceCents })
  const shop: Shop = { sellerCtx, account: null, dropId: drop.id }
  await connect(shop)
  return shop
}

/** Connects the seller's payouts for the first time, or again after the account was deleted. */
async function connect(shop: Shop): Promise<void> {
  const { actor } = shop.sellerCtx
  const { userId } = actor
  // A long test outlasts the time for which a sign-in counts as recent, so sellers sign in again before they connect.
  const signedIn = contextFor({ ...actor, steppedUpAt: new Date() })
  await onboard(await connectPayouts(signedIn), 'finish')
  await refreshPayouts(shop.sellerCtx, userId)
  shop.account = (await db().user.findUniqueOrThrow({ where: { id: userId } })).stripeAccountId
}

/**
 * Deletes the seller's account at Stripe. If `isNoticed`, the application reads the account right away. Otherwise it
 * learns of the deletion later, from an event, a refused call or a later read.
 */
async function disconnect(shop: Shop, isNoticed: boolean): Promise<void> {
  if (!shop.account) return
  await stripe().accounts.del(shop.account)
  shop.account = null
  if (isNoticed) await refreshPayouts(shop.sellerCtx, shop.sellerCtx.actor.userId)
}

/** Returns the available balance in cents of a connected account or, without an argument, of the platform. */
async function availableCents(account?: string): Promise<number> {
  const { available } = await stripe().balance.retrieve({}, account ? { stripeAccount: account } : {})
  return available[0]?.amount ?? 0
}

/** Returns the platform's balance in cents, including what is pending. */
async function platformCents(): Promise<number> {
  const { available, pending } = await stripe().balance.retrieve()
  return (available[0]?.amount ?? 0) + (pending[0]?.amount ?? 0)
}

const CARDS = [
  undefined,
  undefined,
  undefined,
  '4000000000000259', // disputed
  '4000000000001976', // the bank opens an inquiry
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

/** Delivers up to ten waiting events in random order. Some of them arrive twice, and some never arrive. */
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
  /** Paid sessions that were not settled after the payment. The sweep may have settled some of them since. */
  late: string[]
  /** The cents that the platform's bank account received, less those that it paid in. */
  paidOutCents: number
}

type Operation = () => Promise<unknown>

/**
 * Returns the operations of buyers and sellers, the late events of payments, and the sweep. An operation that is listed
 * several times is chosen more often.
 */
function sales({ shops, random, orders, late }: Game): Operation[] {
  return [
    ...Array.from({ length: 4 }, () => async () => {
      const shop = shops[random(shops.length)]!
      const { url, sessionId } = await openCheckout(shop.dropId, { quantity: 1 + random(3) })
      await pay(url, CARDS[random(CARDS.length)], { settles: random(2) === 0 })
      // The event of about every third payment comes late or never. If it never comes, the sweep finds the payment.
      if (random(3) === 0) return late.push(sessionId)
      await settleCheckout(system(), sessionId)
      const order = await db().order.findUniqueOrThrow({ where: { stripeSessionId: sessionId } })
      return orders.push({ shop, id: order.id })
    }),
    ...Array.from({ length: 2 }, () => async () => {
      const order = orders[random(orders.length)]
      if (!order) return
      const { amountCents } = await db().order.findUniqueOrThrow({ where: { id: order.id } })
      await refundOrder(order.shop.sellerCtx, {
        orderId: order.id,
        refundId: newId('ref'),
        amountCents: random(2) === 0 ? amountCents : 1 + random(amountCents),
        restockUnits: 0,
      })
    }),
    async () => {
      const order = orders[random(orders.length)]
      if (!order) return
      await syncRefunds(system(), order.id)
      const evidence = random(2) === 0 ? 'winning_evidence' : 'losing_evidence'
      await answerDispute(order.shop.sellerCtx, { orderId: order.id, statement: evidence })
    },
    async () => {
      const sessionId = late.shift()
      if (sessionId) await settleCheckout(system(), sessionId)
    },
    () => sweep(),
  ]
}

/** Returns the operations of Stripe and of the banks. */
function banking(game: Game): Operation[] {
  const { shops, random, orders } = game
  return [
    // Stripe's later steps happen: payments settle, refunds succeed or fail, and the money of won disputes returns.
    () => standIn()!.settleDue(),
    async () => {
      const order = orders[random(orders.length)]
      if (!order || random(3) > 0) return
      const { stripePaymentIntentId } = await db().order.findUniqueOrThrow({ where: { id: order.id } })
      await standIn()!.bankDoes(stripePaymentIntentId ?? '', BANK_STEPS[random(BANK_STEPS.length)]!)
    },
    ...Array.from({ length: 2 }, () => () => deliverSome(random)),
    async () => {
      const { account } = shops[random(shops.length)]!
      const amount = account ? await availableCents(account) : 0
      if (account && amount > 0) await stripe().payouts.create({ amount, currency: 'usd' }, { stripeAccount: account })
    },
    // Pending money becomes available.
    () => passDays(1 + random(3)),
    // The platform's balance is paid out, or the platform pays money in.
    async () => (random(2) === 0 ? emptyPlatform(game) : fillPlatform(game)),
    async () => {
      const shop = shops[random(shops.length)]!
      if (!shop.account) await connect(shop)
      else if (random(3) === 0) await disconnect(shop, random(2) === 0)
    },
    // Stripe's pages disagree about a reversal that the balance does not cover. Either Stripe refuses it, or the
    // balance becomes negative (docs/stripe-rules.md, A6).
    () => standIn()!.setFaults({ api: null, deliveries: null, overdraws: random(3) === 0 }),
  ]
}

async function emptyPlatform(game: Game): Promise<void> {
  const amount = await availableCents()
  if (amount <= 0) return
  await stripe().payouts.create({ amount, currency: 'usd' })
  game.paidOutCents += amount
}

async function fillPlatform(game: Game): Promise<void> {
  const net = 1_000_000
  const json = { id: newId('txn'), object: 'balance_transaction', type: 'topup', net, created: 0, available_on: 0 }
  await db().sandboxObject.create({ data: { id: json.id, kind: 'balance_transaction', json } })
  game.paidOutCents -= net
}

/**
 * The codes of errors that are expected: an operation may come at the wrong moment, or a seller may owe too much for
 * another refund. A long game also meets limits per hour or day.
 */
const EXPECTED = [
  'DISPUTED',
  'FEES_NOT_COVERED',
  'NOT_ANSWERABLE',
  'NOT_REFUNDABLE',
  'REFUND_NOT_COVERED',
  'REFUND_REFUSED',
  'REFUND_TOO_LARGE',
  'TOO_MANY_REQUESTS',
]

/** Runs `count` random operations. @returns the errors other than expected refusals and late responses. */
async function play(game: Game, count: number): Promise<string[]> {
  const operations = [...sales(game), ...banking(game)]
  const failures: string[] = []
  await db().rateLimit.deleteMany()
  for (let done = 0; done < count; done += 1) {
    await operations[game.random(operations.length)]!().catch((error: unknown) => {
      // On a busy machine the stand-in may respond too late, as Stripe may. The books must agree even then.
      const isLate = isStripeUnavailable(error) || (error instanceof AppError && error.status === 503)
      const isExpected = isLate || (error instanceof AppError && EXPECTED.includes(error.code))
      if (!isExpected)
        failures.push(`operation ${done}: ${error instanceof AppError ? error.code : ''} ${String(error)}`)
    })
  }
  return failures
}

async function sweep(): Promise<void> {
  await db().transfer.updateMany({ data: { nextAttemptAt: new Date(0) } })
  await sweepCheckouts(system())
  await sweepPayouts(system())
}

async function comeToRest(game: Game): Promise<void> {
  await standIn()!.setFaults({ api: null, deliveries: null })
  for (const shop of game.shops) {
    await refreshPayouts(shop.sellerCtx, shop.sellerCtx.actor.userId)
    if (!shop.account) await connect(shop)
  }
  await passDays()
  await fillPlatform(game)
  await standIn()!.settleDue()
  // The sweep finds the payments whose event never came. Then the refunds of every paid order are read.
  await sweep()
  for (const { id } of await db().order.findMany({ where: { paidAt: { not: null } }, select: { id: true } })) {
    await syncRefunds(system(), id)
  }
  for (let round = 0; round < 4; round += 1) await sweep()
}

/**
 * Returns the cents that are left of a payout after the bank returned a part of the payment or all of it. The result is
 * negative when refunds and lost disputes together returned more than the net payout. The seller then owes the card fee
 * of the refunded part, and the platform bears that of the disputed part (docs/product.md#what-a-seller-owes).
 */
function earnedAfterLoss(order: Order, lostCents: number): number {
  const { amountCents, platformFeeCents, sellerPayoutCents } = order
  const returned = Math.min(amountCents, order.refundedCents + lostCents)
  const deducted = returned - Math.round((platformFeeCents * returned) / amountCents)
  const left = Math.max(0, sellerPayoutCents - (order.cardFeeCents ?? 0)) - deducted
  return left >= 0 ? left : -Math.ceil(-left * (1 - Math.min(lostCents, returned) / returned))
}

/** In these states of a dispute the bank has the disputed money. In all other states the platform has it. */
const WITHDRAWN = ['needs_response', 'under_review', 'lost']

type Mismatch = { order: string; what: string; ours: number; stripes: number }

/** Compares what our database says about each paid order with what Stripe says. @returns the differences. */
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
    const charge = await stripe().charges.retrieve(order.stripeChargeId ?? '', { expand: ['balance_transaction'] })
    const settled = charge.balance_transaction as Stripe.BalanceTransaction | null
    note('card fee', order.cardFeeCents ?? -1, settled?.fee ?? -1)
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
    // The seller should have the net payout less deductions, owed fees and withheld debts, plus the debts that were
    // repaid.
    if (transfer.sentAt && !transfer.reversalRefusedAt && order.status !== 'disputed') {
      note('payout as it should be', Math.max(0, targetCents(transfer)), out)
    }
    // An open dispute is deducted from a payout that has left, until the bank decides.
    const hasLeft = transfer.sentCents !== null && transfer.paidByHandAt === null
    const lost = order.disputes
      .filter(({ status }) => (hasLeft ? WITHDRAWN.includes(status) : status === 'lost'))
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

const OPENING_CENTS = 10_000_000

/** Computes the platform's balance in cents from our books and Stripe's fees for answering disputes. */
async function platformByOurBooks(game: Game): Promise<number> {
  const orders = await db().order.findMany({
    where: { paidAt: { not: null } },
    include: { transfer: true, refunds: true, disputes: true },
  })
  const sum = <T>(rows: readonly T[], cents: (row: T) => number) => rows.reduce((total, row) => total + cents(row), 0)
  const ofOrders = sum(
    orders,
    (order) =>
      order.amountCents -
      (order.cardFeeCents ?? 0) -
      sum(order.refunds, ({ state, amountCents }) => (state === 'succeeded' ? amountCents : 0)) -
      sum(order.disputes, ({ status, amountCents }) => (WITHDRAWN.includes(status) ? amountCents : 0)) -
      sum(order.disputes, ({ feeCents }) => feeCents) -
      (order.transfer ? sentOutCents(order.transfer) : 0),
  )
  return OPENING_CENTS - game.paidOutCents + ofOrders - (await answerFees())
}

/**
 * Returns the sum in cents of Stripe's fees for answering disputes, less the fees that Stripe has returned. Disputes do
 * not show these fees, so no order records them.
 */
async function answerFees(): Promise<number> {
  const moves = await stripe()
    .balanceTransactions.list({ type: 'adjustment', limit: 100 })
    .autoPagingToArray({ limit: 10_000 })
  return moves
    .filter(({ description }) => description === 'Dispute countered fee')
    .reduce((sum, { fee }) => sum + fee, 0)
}

it(
  `the books of sellers, platform and buyers agree with Stripe’s after ${OPERATIONS} random operations`,
  async () => {
    console.info(`BOOKS_SEED=${SEED} BOOKS_OPERATIONS=${OPERATIONS}`)
    const { below: random } = randomFrom(SEED)
    const shops = [await openShop(2400), await openShop(50), await openShop(99_99)]
    const game: Game = { shops, random, orders: [], late: [], paidOutCents: 0 }
    const enough = async () => {
      const [orders, refunds, disputes] = await Promise.all([
        db().order.count({ where: { paidAt: { not: null } } }),
        db().refund.count({ where: { state: 'succeeded' } }),
        db().dispute.count(),
      ])
      return Math.min(orders / 10, refunds / 3, disputes) >= 1
    }
    // The run proves nothing unless it had enough paid orders, refunds and disputes, so it goes on until then.
    for (let done = 0; done < OPERATIONS || !(await enough()); done += BETWEEN_CHECKS) {
      const failures = await play(game, Math.max(20, Math.min(BETWEEN_CHECKS, OPERATIONS - done)))
      expect({ seed: SEED, failures }).toEqual({ seed: SEED, failures: [] })
      await comeToRest(game)
      expect({ seed: SEED, mismatches: await compareBooks() }).toEqual({ seed: SEED, mismatches: [] })
      expect({ seed: SEED, platform: await platformByOurBooks(game) }).toEqual({
        seed: SEED,
        platform: await platformCents(),
      })
      process.stderr.write(
        `BOOKS_SEED=${SEED}: the books agree after ${Math.min(OPERATIONS, done + BETWEEN_CHECKS)} operations\n`,
      )
    }
    // Every transfer at Stripe belongs to exactly one payout in our books.
    const noted = (await db().transfer.findMany()).flatMap(({ stripeTransferId, againTransferIds }) => [
      ...(stripeTransferId ? [stripeTransferId] : []),
      ...againTransferIds,
    ])
    const atStripe = await stripe().transfers.list({ limit: 100 }).autoPagingToArray({ limit: 10_000 })
    expect({ seed: SEED, ids: atStripe.map(({ id }) => id).sort() }).toEqual({ seed: SEED, ids: noted.sort() })
  },
  60_000 + OPERATIONS * MS_PER_OPERATION,
)
