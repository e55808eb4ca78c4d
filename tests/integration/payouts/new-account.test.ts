// In these tests, someone with a stolen session connects their own Stripe account to a seller (ADR 0069).
import { confirmEmail } from '@/lib/accounts/confirm-email'
import { deleteOwnAccount } from '@/lib/closure/delete-own-account'
import { hashPassword } from '@/lib/infra/password'
import { closeDatabase, database, db } from '@/lib/infra/db'
import { type Context, systemContext } from '@/lib/infra/context'
import { stripe } from '@/lib/infra/stripe'
import type { UserActor } from '@/lib/kernel/actor'
import { newId } from '@/lib/kernel/id'
import { DAY_MS } from '@/lib/kernel/time'
import { refundOrder } from '@/lib/refunds/refund-order'
import { connectPayouts } from '@/lib/payouts/connect-payouts'
import { getMoneyLine, getPayoutSummary } from '@/lib/payouts/queries'
import { refreshPayouts } from '@/lib/payouts/refresh-payouts'
import { sweepPayouts } from '@/lib/payouts/sweep-payouts'
import { actorOf, contextFor, makeDrop, makeSeller, visitor } from '@/tests/support/factories'
import { examineMoneyAfterEach } from '@/tests/support/examine-money-after-each'
import { rejectRefund } from '@/tests/support/reject-refund'
import { AVAILABLE_AT_ONCE, onboard, openCheckout, payAndSettle } from '@/tests/support/shop'

examineMoneyAfterEach()
afterAll(closeDatabase)

const HOLD_MS = 3 * DAY_MS
const NET = 2180
const userOf = (id: number) => db().user.findUniqueOrThrow({ where: { id } })

/** Makes a seller of an installation with live keys, where a newly connected account gets no money for three days. */
async function liveSeller() {
  const seller = await makeSeller()
  const ctx: Context<UserActor> = { ...contextFor(actorOf(seller)), newAccountWaitMs: HOLD_MS }
  return { seller, ctx }
}

/** Connects payouts, and finishes Stripe's questions. @returns the id of the account at Stripe */
async function connect(ctx: Context<UserActor>): Promise<string> {
  const { userId } = ctx.actor
  await onboard(await connectPayouts(ctx), 'finish')
  expect(await refreshPayouts(ctx, userId)).toBe('ready')
  return (await userOf(userId)).stripeAccountId ?? ''
}

/** Sells a file, whose payout of $21.80 is due right away. */
async function sell(sellerId: number) {
  const drop = await makeDrop({ userId: sellerId, productType: 'digital' })
  const { url, sessionId } = await openCheckout(drop.id)
  await payAndSettle(url, sessionId, AVAILABLE_AT_ONCE)
  return db().order.findUniqueOrThrow({ where: { stripeSessionId: sessionId } })
}

/** Clears the pauses between attempts and runs the sweep of payouts. */
async function sweep(): Promise<void> {
  await db().transfer.updateMany({ data: { nextAttemptAt: new Date(0) } })
  await sweepPayouts(systemContext('test'))
}

const receivedBy = async (destination: string) =>
  (await stripe().transfers.list({ destination })).data.reduce(
    (sum, each) => sum + each.amount - each.amount_reversed,
    0,
  )

/** Moves the connection of the seller's account into the past, together with the end of its waiting time. */
async function ageConnection(id: number, ms: number): Promise<void> {
  const { payoutsConnectedAt, payoutsHeldUntil } = await userOf(id)
  const before = (at: Date | null) => at && new Date(at.getTime() - ms)
  const data = { payoutsConnectedAt: before(payoutsConnectedAt), payoutsHeldUntil: before(payoutsHeldUntil) }
  await db().user.update({ where: { id }, data })
}

async function noticesTo(email: string) {
  const where = { to: email, dedupeKey: { startsWith: 'payouts-connected:' } }
  return db().outboxMail.findMany({ where, orderBy: { id: 'asc' } })
}

async function linkIn(email: string): Promise<string> {
  const [notice] = await noticesTo(email)
  return /token=([\w-]+)/.exec(notice?.text ?? '')?.[1] ?? ''
}

describe('a connected account that is new', () => {
  it('gets no money in its first three days, and all of it afterwards, once', async () => {
    const { seller, ctx } = await liveSeller()
    const order = await sell(seller.id)
    const account = await connect(ctx)
    await sweep()
    expect(await receivedBy(account)).toBe(0)
    expect(await db().transfer.findUnique({ where: { orderId: order.id } })).toMatchObject({
      ...{ state: 'waiting', sentCents: null, destination: null, lastError: null },
    })
    const heldUntil = (await userOf(seller.id)).payoutsHeldUntil
    expect(heldUntil!.getTime() - Date.now()).toBeGreaterThan(HOLD_MS - 60_000)
    expect(await getPayoutSummary(database(), seller.id)).toMatchObject({
      state: 'ready',
      heldUntil,
      waitingCents: NET,
    })
    expect((await getMoneyLine(database(), seller.id, 'UTC')).nextDay).not.toBeNull()

    await ageConnection(seller.id, HOLD_MS - 60_000)
    await sweep()
    expect(await receivedBy(account)).toBe(0)
    await ageConnection(seller.id, 60_000)
    await sweep()
    await sweep()
    expect(await receivedBy(account)).toBe(NET)
    expect(await getPayoutSummary(database(), seller.id)).toMatchObject({ heldUntil: null, waitingCents: 0 })
  })

  it('prevents a thief from deleting the user, which would invalidate the link sent to the owner', async () => {
    const passwordHash = await hashPassword('long enough')
    const { seller, ctx } = await liveSeller()
    await db().user.update({ where: { id: seller.id }, data: { passwordHash } })
    await connect(ctx)
    const leave = () => deleteOwnAccount(ctx, { username: seller.username ?? '', password: 'long enough' })
    await expect(leave()).rejects.toMatchObject({ code: 'NEW_PAYOUTS', status: 409 })
    await ageConnection(seller.id, HOLD_MS)
    await leave()
    expect((await userOf(seller.id)).deletedAt).not.toBeNull()
  })

  it('does not get the money of a failed refund back until it is no longer new', async () => {
    const { seller, ctx } = await liveSeller()
    const first = await connect({ ...ctx, newAccountWaitMs: 0 })
    const order = await sell(seller.id)
    await sweep()
    expect(await receivedBy(first)).toBe(NET)
    await refundOrder(ctx, { orderId: order.id, refundId: newId('ref'), amountCents: 1000, restockUnits: 0 })
    await sweep()
    const [refund] = (await stripe().refunds.list({ payment_intent: order.stripePaymentIntentId ?? '' })).data
    // The account counts as new again, as if it had just been connected.
    await db().user.update({ where: { id: seller.id }, data: { payoutsHeldUntil: new Date(Date.now() + HOLD_MS) } })
    await rejectRefund(refund!.id, order.id)
    await sweep()
    expect(await receivedBy(first)).toBe(NET - 950)
    await ageConnection(seller.id, HOLD_MS + 60_000)
    await sweep()
    expect(await receivedBy(first)).toBe(NET)
  })

  it.each(['with test keys', 'that was connected before'])('%s does not wait', async (kind) => {
    const { seller, ctx } = await liveSeller()
    const account = await connect({ ...ctx, newAccountWaitMs: 0 })
    if (kind !== 'with test keys') {
      await db().user.update({ where: { id: seller.id }, data: { payoutsConnectedAt: null } })
    }
    await sell(seller.id)
    await sweep()
    expect(await receivedBy(account)).toBe(NET)
  })
})

describe('the email about connected payouts', () => {
  it('is sent once per account, even when two requests connect at the same time', async () => {
    const { seller, ctx } = await liveSeller()
    await Promise.all([connectPayouts(ctx), connectPayouts(ctx)])
    await connectPayouts(ctx)
    const notices = await noticesTo(seller.email)
    expect(notices.map(({ subject }) => subject)).toEqual(['Payouts connected'])
    expect(notices[0]!.text).toContain('we send the first one on')
    expect(await db().token.count({ where: { userId: seller.id, purpose: 'emailUndo' } })).toBe(1)
  })

  it('has a link that removes the account, so that nothing is sent to it, and connecting again creates another one', async () => {
    const { seller, ctx } = await liveSeller()
    await sell(seller.id)
    const stolen = await connect(ctx)
    expect(await confirmEmail(visitor(), { token: await linkIn(seller.email) })).toBe(seller.email)
    expect(await userOf(seller.id)).toMatchObject({
      ...{ stripeAccountId: null, payoutsState: 'notStarted', payoutsReadyAt: null, payoutsHeldUntil: null },
    })
    const where = { action: 'user.payouts-undone', targetId: String(seller.id) }
    expect(await db().auditEntry.findMany({ where })).toMatchObject([{ before: { stripeAccountId: stolen } }])
    await sweep()
    await ageConnection(seller.id, 2 * HOLD_MS)
    await sweep()
    expect(await receivedBy(stolen)).toBe(0)

    const own = await connect({ ...ctx, newAccountWaitMs: 0 })
    expect(own).not.toBe(stolen)
    await sweep()
    expect([await receivedBy(stolen), await receivedBy(own)]).toEqual([0, NET])
  })

  it('does not remove an account that is older than the link', async () => {
    const { seller, ctx } = await liveSeller()
    const own = await connect(ctx)
    await ageConnection(seller.id, 60_000)
    await confirmEmail(visitor(), { token: await linkIn(seller.email) })
    expect(await userOf(seller.id)).toMatchObject({ stripeAccountId: own, payoutsState: 'ready' })
  })
})

it('records no account for a request that was waiting for Stripe while the owner changed the password', async () => {
  const { seller, ctx } = await liveSeller()
  // The password changes at the moment at which Stripe creates the account.
  const client = ctx.stripe()
  const create = client.accounts.create.bind(client.accounts)
  const takenBack = Object.assign(Object.create(client) as typeof client, {
    accounts: Object.assign(Object.create(client.accounts) as typeof client.accounts, {
      create: async (...given: Parameters<typeof create>) => {
        const account = await create(...given)
        await db().user.update({ where: { id: seller.id }, data: { passwordHash: 'taken back' } })
        return account
      },
    }),
  })
  const attempt = connectPayouts({ ...ctx, stripe: () => takenBack })
  await expect(attempt).rejects.toMatchObject({ code: 'PROOF_REQUIRED' })
  expect(await userOf(seller.id)).toMatchObject({ stripeAccountId: null })
  expect(await noticesTo(seller.email)).toEqual([])
})
