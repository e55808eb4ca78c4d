import type { Order } from '@prisma/client'
import type Stripe from 'stripe'
import { closeDatabase, db } from '@/lib/infra/db'
import { systemContext } from '@/lib/infra/context'
import { standIn, stripe } from '@/lib/infra/stripe'
import { isStripeUnavailable } from '@/lib/infra/stripe-errors'
import { AppError } from '@/lib/kernel/app-error'
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
import { onboard, openCheckout, passDays, pay } from '@/tests/support/shop'

examineMoneyAfterEach()
afterAll(closeDatabase)

/**
 * The test makes random sales, refunds that are pending or fail, disputes of every kind and bank payouts, empties the
 * platform's balance, disconnects accounts, lets days pass, and lets events come late, twice, in any order or never. Afterwards the books of the sellers, the platform and the buyers must agree with
 * Stripe's to the cent. `BOOKS_SEED` repeats a run, `BOOKS_OPERATIONS` makes it longer.
 */
const SEED = Number(process.env.BOOKS_SEED ?? Date.now() % 1_000_000)
const OPERATIONS = Number(process.env.BOOKS_OPERATIONS ?? 120)
const MS_PER_OPERATION = 1_000
/** A long run compares the books in between, too, so that a mistake is found near its cause. */
const BETWEEN_CHECKS = 1_000

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

/** Connects payouts: the first time, or again after the account was lost. */
async function connect(shop: Shop): Promise<void> {
  const { userId } = shop.sellerCtx.actor
  await onboard(await connectPayouts(shop.sellerCtx), 'finish')
  await refreshPayouts(shop.sellerCtx, userId)
  shop.account = (await db().user.findUniqueOrThrow({ where: { id: userId } })).stripeAccountId
}

/** The seller's account is deleted. The application hears of it by an event, by reading the account, or by a refusal. */
async function disconnect(shop: Shop, isNoticed: boolean): Promise<void> {
  if (!shop.account) return
  await stripe().accounts.del(shop.account)
  shop.account = null
  if (isNoticed) await refreshPayouts(shop.sellerCtx, shop.sellerCtx.actor.userId)
}

/** What can be paid out now: of a connected account, or of the platform. */
async function availableCents(account?: string): Promise<number> {
  const { available } = await stripe().balance.retrieve({}, account ? { stripeAccount: account } : {})
  return available[0]?.amount ?? 0
}

/** The platform's balance with what is pending. */
async function platformCents(): Promise<number> {
  const { available, pending } = await stripe().balance.retrieve()
  return (available[0]?.amount ?? 0) + (pending[0]?.amount ?? 0)
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
  /** What the platform's bank account received, less what it paid in. */
  paidOutCents: number
}

type Operation = () => Promise<unknown>

/** What buyers and sellers do. */
function sales({ shops, random, orders, late }: Game): Operation[] {
  return [
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

/** What happens at Stripe and at the banks. */
function banking(game: Game): Operation[] {
  const { shops, random, orders } = game
  return [
    // Stripe's own later work: payments settle, refunds succeed or fail, money of won disputes returns.
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
    // The platform's balance is paid out, and now and then the platform pays money in.
    async () => (random(2) === 0 ? emptyPlatform(game) : fillPlatform(game)),
    async () => {
      const shop = shops[random(shops.length)]!
      if (!shop.account) await connect(shop)
      else if (random(3) === 0) await disconnect(shop, random(2) === 0)
    },
    // Stripe's pages differ about a reversal without cover: it is refused, or the balance becomes negative (A6).
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

/** What the application may answer to operations that come at the wrong moment. Anything else is a mistake. */
const EXPECTED = ['DISPUTED', 'NOT_ANSWERABLE', 'NOT_REFUNDABLE', 'REFUND_REFUSED', 'REFUND_TOO_LARGE']

/** Does random operations on random shops, of which some are refused. @returns the failures that are not refusals. */
async function play(game: Game, count: number): Promise<string[]> {
  const operations = [...sales(game), ...banking(game)]
  const failures: string[] = []
  for (let done = 0; done < count; done += 1) {
    await operations[game.random(operations.length)]!().catch((error: unknown) => {
      // On a machine that is busy the stand-in may answer too late, as Stripe may. The books have to agree then, too.
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

const OPENING_CENTS = 10_000_000
/** In these states of a dispute its money is with the bank; before, and when the dispute was won, it is with the platform. */
const WITHDRAWN = ['needs_response', 'under_review', 'lost']

/** What the platform's balance has to be by our books alone. */
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

/** Stripe's fees for answering disputes. The disputes do not show them, so they are in no order's books. */
async function answerFees(): Promise<number> {
  const moves = await stripe()
    .balanceTransactions.list({ type: 'adjustment', limit: 100 })
    .autoPagingToArray({ limit: 10_000 })
  return moves
    .filter(({ description }) => description === 'Dispute countered fee')
    .reduce((sum, { fee }) => sum + fee, 0)
}

it(
  `books of sellers, platform and buyers agree after ${OPERATIONS} random operations`,
  async () => {
    console.info(`BOOKS_SEED=${SEED} BOOKS_OPERATIONS=${OPERATIONS}`)
    const { below: random } = randomFrom(SEED)
    const shops = [await openShop(2400), await openShop(50), await openShop(99_99)]
    const game: Game = { shops, random, orders: [], late: [], paidOutCents: 0 }
    for (let done = 0; done < OPERATIONS; done += BETWEEN_CHECKS) {
      const failures = await play(game, Math.min(BETWEEN_CHECKS, OPERATIONS - done))
      expect({ seed: SEED, failures }).toEqual({ seed: SEED, failures: [] })
      await comeToRest(game)
      expect({ seed: SEED, mismatches: await compareBooks() }).toEqual({ seed: SEED, mismatches: [] })
      expect({ seed: SEED, platform: await platformByOurBooks(game) }).toEqual({
        seed: SEED,
        platform: await platformCents(),
      })
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
