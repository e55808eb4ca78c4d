import Stripe from 'stripe'
import { replayEvent } from '@/lib/admin/replay-event'
import { readHealth } from '@/lib/admin/read-overview'
import { viewSeller } from '@/lib/admin/view-seller'
import { listUsers } from '@/lib/admin/queries'
import { flushCollectors } from '@/lib/infra/collector'
import { systemContext } from '@/lib/infra/context'
import { keyedHash } from '@/lib/infra/crypto'
import { closeDatabase, database, db } from '@/lib/infra/db'
import { isOfOtherMode, readWebhook, standIn, stripe } from '@/lib/infra/stripe'
import { newId } from '@/lib/kernel/id'
import { DAY_MS } from '@/lib/kernel/time'
import { runDueWork } from '@/lib/jobs/run-due-work'
import { checkReadyAccounts } from '@/lib/payouts/check-ready-accounts'
import { connectPayouts } from '@/lib/payouts/connect-payouts'
import { getPayoutSummary } from '@/lib/payouts/queries'
import { refreshPayouts } from '@/lib/payouts/refresh-payouts'
import { syncPayoutAccount } from '@/lib/payouts/sync-payout-account'
import { sendTransfers } from '@/lib/payouts/send-transfers'
import { settleCheckout } from '@/lib/checkout/settlement/settle-checkout'
import { receiveStripeEvent } from '@/lib/webhooks/receive-stripe-event'
import { actorOf, contextFor, makeDrop, makeSeller } from '@/tests/support/factories'
import { examineMoneyAfterEach } from '@/tests/support/examine-money-after-each'
import { onboard, openCheckout, pay } from '@/tests/support/shop'
import { stripeEvent } from '@/tests/support/stripe-event'

examineMoneyAfterEach()
afterAll(closeDatabase)

const ctx = () => systemContext('test')
const userOf = (id: number) => db().user.findUniqueOrThrow({ where: { id } })
const stateOf = async (id: number) => (await getPayoutSummary(database(), id)).state

async function readySeller() {
  const seller = await makeSeller()
  const sellerCtx = contextFor(actorOf(seller))
  const onboarding = await connectPayouts(sellerCtx)
  await onboard(onboarding, 'finish')
  await refreshPayouts(sellerCtx, seller.id)
  const { stripeAccountId } = await userOf(seller.id)
  return { seller, sellerCtx, onboarding, account: stripeAccountId ?? '' }
}

/** The money of this test card is available right away (docs.stripe.com/testing#available-balance). */
const AVAILABLE_AT_ONCE = '4000000000000077'

async function sellOnce(sellerId: number, card?: string) {
  const drop = await makeDrop({ userId: sellerId, productType: 'digital' })
  const { url, sessionId } = await openCheckout(drop.id)
  await pay(url, card)
  await settleCheckout(ctx(), sessionId)
  return db().order.findUniqueOrThrow({ where: { stripeSessionId: sessionId } })
}

/** Returns the events of a connected account that the stand-in delivers, oldest first. */
async function eventsOf(account: string): Promise<Stripe.Event[]> {
  const rows = await db().sandboxDelivery.findMany({
    where: { payload: { contains: account } },
    orderBy: { id: 'asc' },
  })
  return rows.map(({ payload }) => JSON.parse(payload) as Stripe.Event).filter((event) => event.account === account)
}

const lastOf = async (account: string, type: string) => {
  const event = (await eventsOf(account)).filter((each) => each.type === type).at(-1)
  if (!event) throw new Error(`there is no ${type}`)
  return event
}

it('keys of another Stripe account, and test keys after live keys, know no seller and disconnect nobody', async () => {
  const { seller, account } = await readySeller()
  const withKeys = { ...ctx(), payments: 'live' as const }
  expect(await syncPayoutAccount(withKeys, seller.id)).toBe('ready')
  const platform = (await stripe().accounts.retrieveCurrent()).id
  const noted = () => db().platformSettings.findUniqueOrThrow({ where: { id: 1 } })
  // The keys of the tests are test keys.
  expect((await noted()).stripeAccountId).toBe(`${platform} (test mode)`)
  await db().sandboxObject.delete({ where: { id: account } })
  for (const stripeAccountId of ['acct_before', platform]) {
    await db().platformSettings.update({ where: { id: 1 }, data: { stripeAccountId } })
    await expect(syncPayoutAccount(withKeys, seller.id)).rejects.toThrow()
  }
  expect(await db().user.findUniqueOrThrow({ where: { id: seller.id } })).toMatchObject({
    ...{ stripeAccountId: account, payoutsState: 'ready' },
  })
  // With the right keys again, an account that is gone is removed as before.
  await db().platformSettings.update({ where: { id: 1 }, data: { stripeAccountId: `${platform} (test mode)` } })
  expect(await syncPayoutAccount(withKeys, seller.id)).toBe('disconnected')
})

it('going live with the keys of the same account disconnects the sellers of the test mode, and records the live mode', async () => {
  const [tried, other] = [await readySeller(), await readySeller()]
  const platform = (await stripe().accounts.retrieveCurrent()).id
  const withLiveKeys = { ...ctx(), payments: 'live' as const, takesRealMoney: true }
  await db().platformSettings.update({ where: { id: 1 }, data: { stripeAccountId: `${platform} (test mode)` } })
  await db().sandboxObject.delete({ where: { id: tried.account } })
  expect(await syncPayoutAccount(withLiveKeys, tried.seller.id)).toBe('disconnected')
  expect(await syncPayoutAccount(withLiveKeys, other.seller.id)).toBe('ready')
  expect((await db().platformSettings.findUniqueOrThrow({ where: { id: 1 } })).stripeAccountId).toBe(platform)
})

// Stripe documents these events at docs.stripe.com/connect/webhooks (docs/stripe-rules.md, B3).
describe('an account that is no longer connected', () => {
  it('counts as disconnected, its seller gets one email, and administrators see the seller as disconnected', async () => {
    const { seller, sellerCtx, onboarding, account } = await readySeller()
    const disconnectedBefore = (await readHealth(database())).disconnectedSellers
    await onboard(onboarding, 'disconnect')
    const event = await lastOf(account, 'account.application.deauthorized')
    expect(event.data.object).toMatchObject({ object: 'application' })
    expect(await receiveStripeEvent(ctx(), event)).toBe('disconnected')
    expect(await receiveStripeEvent(ctx(), { ...event, id: newId('evt') })).toBe('unknown')
    expect(await stateOf(seller.id)).toBe('disconnected')
    expect(await refreshPayouts(sellerCtx, seller.id)).toBe('disconnected')
    const mails = await db().outboxMail.findMany({ where: { to: seller.email }, orderBy: { createdAt: 'asc' } })
    expect(mails.map(({ subject }) => subject)).toEqual(['Payouts connected', 'Please connect your payouts again'])

    const admin = contextFor(actorOf(await makeSeller({ isAdmin: true })))
    expect(await viewSeller(admin, seller.id)).toMatchObject({ payoutsState: 'disconnected' })
    expect((await readHealth(database())).disconnectedSellers).toBe(disconnectedBefore + 1)
    const listed = await listUsers(database(), { show: 'disconnected', limit: 100 })
    expect(listed.map(({ id }) => id)).toContain(seller.id)
  })

  it('leaves new payouts waiting, and they are sent to the account that the seller connects next', async () => {
    const { seller, sellerCtx, onboarding, account } = await readySeller()
    await onboard(onboarding, 'disconnect')
    await receiveStripeEvent(ctx(), await lastOf(account, 'account.application.deauthorized'))
    const order = await sellOnce(seller.id)
    expect(await getPayoutSummary(database(), seller.id)).toMatchObject({ state: 'disconnected', waitingCents: 2180 })
    await onboard(await connectPayouts(sellerCtx), 'finish')
    expect(await refreshPayouts(sellerCtx, seller.id)).toBe('ready')
    const { stripeAccountId } = await userOf(seller.id)
    expect(stripeAccountId).not.toBe(account)
    expect(await db().transfer.findUniqueOrThrow({ where: { orderId: order.id } })).toMatchObject({
      state: 'sent',
      destination: stripeAccountId,
    })
  })

  it('lets a seller who was never ready start again without an email', async () => {
    const seller = await makeSeller()
    const sellerCtx = contextFor(actorOf(seller))
    await connectPayouts(sellerCtx)
    await stripe().accounts.del((await userOf(seller.id)).stripeAccountId ?? '')
    expect(await refreshPayouts(sellerCtx, seller.id)).toBe('notStarted')
    const disconnected = { to: seller.email, dedupeKey: { startsWith: 'payouts-disconnected:' } }
    expect(await db().outboxMail.count({ where: disconnected })).toBe(0)
  })

  it('is recognized by a read at Stripe, so a forged event does not disconnect the account', async () => {
    const { seller, account } = await readySeller()
    const [event] = await eventsOf(account)
    const forged = stripeEvent('account.application.deauthorized', event!.data.object, { account, livemode: false })
    expect(await receiveStripeEvent(ctx(), forged)).toBe('ready')
    expect(await stateOf(seller.id)).toBe('ready')
  })
})

it('reads the account again when one of its capabilities changes', async () => {
  const { seller, onboarding, account } = await readySeller()
  await onboard(onboarding, 'restrict')
  expect(await receiveStripeEvent(ctx(), await lastOf(account, 'capability.updated'))).toBe('paused')
  expect(await stateOf(seller.id)).toBe('paused')
})

// C18 and C19 of docs/stripe-rules.md, docs.stripe.com/connect/payouts-connected-accounts
it('pauses payouts to a seller whose bank refused one, and notifies the seller', async () => {
  const { seller, account } = await readySeller()
  await sellOnce(seller.id, AVAILABLE_AT_ONCE)
  await sendTransfers(ctx(), seller.id)
  const ofAccount = { stripeAccount: account }
  const { available } = await stripe().balance.retrieve({}, ofAccount)
  const payout = await stripe().payouts.create({ amount: available[0]!.amount, currency: 'usd' }, ofAccount)
  await standIn()!.bankDoes(payout.id, 'refuse-payout')
  expect(await receiveStripeEvent(ctx(), await lastOf(account, 'payout.failed'))).toBe('paused')
  expect(await stateOf(seller.id)).toBe('paused')
  const subjects = (await db().outboxMail.findMany({ where: { to: seller.email } })).map(({ subject }) => subject)
  expect(subjects).toContain('Your payouts are paused')
})

it('keeps paying a seller of whom Stripe will require a document later', async () => {
  const { seller, onboarding, account } = await readySeller()
  await onboard(onboarding, 'announce')
  expect(await receiveStripeEvent(ctx(), await lastOf(account, 'account.updated'))).toBe('ready')
  expect(await stateOf(seller.id)).toBe('ready')
})

it('ignores an event of a connected account that names one of our checkout sessions', async () => {
  const { seller, account } = await readySeller()
  const order = await sellOnce(seller.id)
  const object = { id: order.stripeSessionId, object: 'checkout.session' }
  const event = stripeEvent('checkout.session.completed', object, { account, livemode: false })
  expect(await receiveStripeEvent(ctx(), event)).toBe('ignored')
})

it('replays an event of a connected account, although Stripe finds it only when the request names the account', async () => {
  const { seller, onboarding, account } = await readySeller()
  const event = await lastOf(account, 'account.updated')
  await receiveStripeEvent(ctx(), event)
  await onboard(onboarding, 'restrict')
  const admin = contextFor(actorOf(await makeSeller({ isAdmin: true })))
  expect(await replayEvent(admin, { id: event.id })).toBe('paused')
  expect(await stateOf(seller.id)).toBe('paused')
})

it('closes an ignored event again after a replay, and replaces the outcome of a replayed event', async () => {
  const { account } = await readySeller()
  const event = await lastOf(account, 'account.updated')
  const admin = contextFor(actorOf(await makeSeller({ isAdmin: true })))
  const row = () => db().webhookEvent.findUniqueOrThrow({ where: { id: event.id } })
  const { type, data } = event
  const objectId = (data.object as { id: string }).id
  await db().webhookEvent.create({
    data: { id: event.id, type, objectId, account, attempts: 1, handledAt: new Date(), outcome: 'unknown' },
  })
  expect(await replayEvent(admin, { id: event.id })).toBe('ready')
  expect(await row()).toMatchObject({ outcome: 'ready', handledAt: expect.any(Date) as Date })

  const other = { ...event, id: newId('evt'), type: 'account.external_account.created' } as Stripe.Event
  await db().sandboxObject.create({ data: { id: other.id, kind: 'event', json: other as never } })
  await receiveStripeEvent(ctx(), other)
  await flushCollectors()
  expect(await replayEvent(admin, { id: other.id })).toBe('ignored')
  await flushCollectors()
  const ignored = await db().webhookEvent.findUniqueOrThrow({ where: { id: other.id } })
  expect(ignored).toMatchObject({ outcome: 'ignored', attempts: 2, handledAt: expect.any(Date) as Date })
})

// Each endpoint has its own secret (docs/stripe-rules.md, B3).
describe('the signature of an event', () => {
  const payload = JSON.stringify({ id: 'evt_1', type: 'account.updated', account: 'acct_1', data: { object: {} } })
  const read = (secret: string, body = payload) =>
    readWebhook(body, Stripe.webhooks.generateTestHeaderString({ payload: body, secret }), Date.now())

  it.each(['secret', 'connect'])('is valid with the secret of either endpoint (%s)', (name) => {
    expect(read(`whsec_${keyedHash('sandbox-webhook', name)}`)).toMatchObject({ account: 'acct_1' })
  })

  it('is refused with any other secret', () => expect(read('whsec_other')).toBeNull())

  it('does not make a body with a malformed account valid', () => {
    const body = payload.replace('"acct_1"', '["acct_1"]')
    expect(read(`whsec_${keyedHash('sandbox-webhook', 'connect')}`, body)).toBeNull()
  })

  it('does not make a live event acceptable in test mode', () => {
    const event = { livemode: true } as Stripe.Event
    expect([isOfOtherMode(event), isOfOtherMode({ ...event, livemode: false })]).toEqual([true, false])
  })
})

// Stripe allows 500 reads per payment on average, and at least 10,000 a month (docs.stripe.com/rate-limits).
// Accounts are therefore read rarely (docs/stripe-rules.md, B2).
describe('accounts that are ready', () => {
  const NEVER = new Date(Date.now() + 365 * 86_400_000)
  const dueInDays = async (id: number) =>
    Math.round((((await userOf(id)).payoutsCheckDueAt?.getTime() ?? 0) - Date.now()) / 86_400_000)

  beforeEach(() => db().user.updateMany({ data: { payoutsCheckDueAt: NEVER } }))

  it.each([
    { count: 'at most 200', others: 0, days: 1 },
    { count: 'more than 200', others: 200, days: 7 },
  ])(
    'are read daily when they sell; when there are $count, others are read again after $days day(s)',
    async ({ others, days }) => {
      const selling = await readySeller()
      await sellOnce(selling.seller.id)
      const idle = await readySeller()
      await db().$executeRaw`
      INSERT INTO "User" ("email", "payoutsState", "payoutsCheckDueAt", "updatedAt", "firstName", "lastName", "passwordHash")
      SELECT 'ready' || n || '@example.com', 'ready', ${NEVER}, now(), 'R', 'S', 'x' FROM generate_series(1, ${others}::int) n`
      await db().user.updateMany({
        where: { id: { in: [selling.seller.id, idle.seller.id] } },
        data: { payoutsCheckDueAt: new Date(0) },
      })
      await onboard(selling.onboarding, 'restrict')
      await onboard(idle.onboarding, 'disconnect')
      expect(await checkReadyAccounts(ctx())).toBe(2)
      expect([await stateOf(selling.seller.id), await stateOf(idle.seller.id)]).toEqual(['paused', 'disconnected'])
      expect([await dueInDays(selling.seller.id), await dueInDays(idle.seller.id)]).toEqual([1, days])
      expect(await checkReadyAccounts(ctx())).toBe(0)
    },
  )

  it('are read five per run, and each account only once, even in two runs at the same time', async () => {
    const sellers = await Promise.all(Array.from({ length: 7 }, readySeller))
    const ids = sellers.map(({ seller }) => seller.id)
    await db().user.updateMany({ where: { id: { in: ids } }, data: { payoutsCheckDueAt: null } })
    const counts = await Promise.all([checkReadyAccounts(ctx()), checkReadyAccounts(ctx())])
    expect(counts.sort()).toEqual([2, 5])
  })

  it('are read even if Stripe always fails on one of them, which is then left alone for an hour', async () => {
    const sellers = await Promise.all(Array.from({ length: 5 }, readySeller))
    const ids = sellers.map(({ seller }) => seller.id)
    await db().user.updateMany({ data: { payoutsCheckDueAt: new Date(Date.now() + DAY_MS) } })
    await db().user.updateMany({ where: { id: { in: ids } }, data: { payoutsCheckDueAt: null } })
    const path = `/v1/accounts/${sellers[0]!.account}`
    await standIn()!.setFaults({ api: { kind: 'error', path, remaining: null, delayMs: 0 }, deliveries: null })
    expect(await checkReadyAccounts(ctx())).toBe(4)
    expect(await db().user.count({ where: { id: { in: ids }, payoutsCheckDueAt: null } })).toBe(0)
    const { reads } = await standIn()!.traffic()
    expect(await checkReadyAccounts(ctx())).toBe(0)
    expect((await standIn()!.traffic()).reads).toBe(reads)
  })

  it('are all read by one scheduled call, because some hosts call only once a day', async () => {
    const sellers = await Promise.all(Array.from({ length: 12 }, readySeller))
    const ids = sellers.map(({ seller }) => seller.id)
    await db().user.updateMany({ where: { id: { in: ids } }, data: { payoutsCheckDueAt: null } })
    await runDueWork()
    expect(await db().user.count({ where: { id: { in: ids }, payoutsCheckDueAt: null } })).toBe(0)
  })
})

// Stripe documents the deadline at docs.stripe.com/connect/handling-api-verification (docs/stripe-rules.md, C10).
it('a seller is paid until the deadline that Stripe has set, and one email then says that the payouts are paused', async () => {
  const { seller, sellerCtx, onboarding, account } = await readySeller()
  await onboard(onboarding, 'ask')
  expect(await refreshPayouts(sellerCtx, seller.id)).toBe('ready')
  const order = await sellOnce(seller.id)
  await sendTransfers(ctx(), seller.id)
  expect(await db().transfer.findUniqueOrThrow({ where: { orderId: order.id } })).toMatchObject({ state: 'sent' })
  const { json } = await db().sandboxObject.findUniqueOrThrow({ where: { id: account } })
  const requirements = { ...(json as { requirements: object }).requirements, current_deadline: 1 }
  await db().sandboxObject.update({ where: { id: account }, data: { json: { ...(json as object), requirements } } })
  await db()
    .$executeRaw`UPDATE "SandboxObject" SET "json" = "json" || '{"dueAt": 1}' WHERE "json"->>'step' = 'account-falls-due'`
  await standIn()!.settleDue()
  expect(await receiveStripeEvent(ctx(), await lastOf(account, 'account.updated'))).toBe('paused')
  const mails = await db().outboxMail.findMany({ where: { to: seller.email, subject: 'Your payouts are paused' } })
  expect(mails).toHaveLength(1)
})
