// A switch from yearly to monthly billing leaves a credit at Stripe. These tests check that no credit pays for Pro
// whose own payment was never made, or was returned (docs/product.md#how-pro-ends).
import type Stripe from 'stripe'
import { closeDatabase, db } from '@/lib/infra/db'
import { systemContext } from '@/lib/infra/context'
import { standIn, stripe } from '@/lib/infra/stripe'
import { HOUR_MS } from '@/lib/kernel/time'
import { finishUpgrade } from '@/lib/subscriptions/finish-upgrade'
import { startUpgrade } from '@/lib/subscriptions/start-upgrade'
import { syncSubscription } from '@/lib/subscriptions/sync-subscription'
import { finishMoneyBack, takeMoneyBack } from '@/lib/subscriptions/take-money-back'
import { withdrawCredit } from '@/lib/subscriptions/withdraw-credit'
import { receiveStripeEvent } from '@/lib/webhooks/receive-stripe-event'
import { examineMoneyAfterEach } from '@/tests/support/examine-money-after-each'
import { pay } from '@/tests/support/shop'
import { stripeEvent } from '@/tests/support/stripe-event'
import { DAY_SECONDS, pass, sessionOf, subscribe, switchAsShown } from '@/tests/support/subscriber'

examineMoneyAfterEach()
afterAll(closeDatabase)

const planOf = async (id: number) => (await db().user.findUniqueOrThrow({ where: { id } })).plan
const balanceOf = async (customer: string) => ((await stripe().customers.retrieve(customer)) as Stripe.Customer).balance

it('a money-back request also takes back the credit of a switch to monthly billing', async () => {
  const subscriber = await subscribe({ period: 'yearly' })
  await switchAsShown(subscriber.own, 'monthly')
  expect(await balanceOf(subscriber.customer)).toBeLessThan(-8000)
  await takeMoneyBack(subscriber.own)
  expect(await balanceOf(subscriber.customer)).toBe(0)
  const again = await startUpgrade(subscriber.own, 'monthly')
  await pay(again)
  expect(await finishUpgrade(subscriber.own, sessionOf(again))).toBe(true)
  const [latest] = (await stripe().invoices.list({ customer: subscriber.customer })).data
  expect(latest).toMatchObject({ amount_paid: 1000 })
})

it('a money-back request that is finished again leaves the credit of a later purchase', async () => {
  const subscriber = await subscribe({ period: 'yearly' })
  await switchAsShown(subscriber.own, 'monthly')
  await takeMoneyBack(subscriber.own)
  await stripe().customers.createBalanceTransaction(subscriber.customer, { amount: -700, currency: 'usd' })
  await db().subscription.update({ where: { userId: subscriber.id }, data: { moneyBackDoneAt: null } })
  await finishMoneyBack(systemContext('test'), subscriber.customer)
  expect(await balanceOf(subscriber.customer)).toBe(-700)
})

it('a credit whose payments are returned pays for no plan that is bought before the refunds are made', async () => {
  const subscriber = await subscribe({ period: 'yearly' })
  await switchAsShown(subscriber.own, 'monthly')
  expect(await balanceOf(subscriber.customer)).toBeLessThan(-8000)
  await standIn()!.setFaults({
    api: { kind: 'error', path: '/v1/refunds', remaining: 20, delayMs: 0 },
    deliveries: null,
  })
  await expect(takeMoneyBack(subscriber.own)).rejects.toThrow()
  await standIn()!.setFaults({ api: null, deliveries: null })
  // Stripe's times are whole seconds, so the request is moved into the past, before the next purchase.
  const moneyBackAt = new Date(Date.now() - 2_000)
  await db().subscription.update({ where: { userId: subscriber.id }, data: { moneyBackAt } })
  const again = await startUpgrade(subscriber.own, 'monthly')
  await pay(again)
  expect(await finishUpgrade(subscriber.own, sessionOf(again))).toBe(true)
  const [latest] = (await stripe().invoices.list({ customer: subscriber.customer })).data
  expect(latest).toMatchObject({ amount_paid: 1000 })
  // Stripe repeats the stored failure until the next hour.
  const inAnHour = { now: () => new Date(Date.now() + HOUR_MS) }
  await finishMoneyBack({ ...systemContext('test'), clock: inAnHour }, subscriber.customer)
  expect(await balanceOf(subscriber.customer)).toBe(0)
})

it('a plan goes on until its credit is taken back, so that nothing can be bought with the credit in between', async () => {
  const subscriber = await subscribe({ period: 'yearly' })
  await switchAsShown(subscriber.own, 'monthly')
  const path = `/v1/customers/${subscriber.customer}/balance_transactions`
  await standIn()!.setFaults({ api: { kind: 'error', path, remaining: 20, delayMs: 0 }, deliveries: null })
  await expect(takeMoneyBack(subscriber.own)).rejects.toThrow()
  await standIn()!.setFaults({ api: null, deliveries: null })
  await expect(startUpgrade(subscriber.own, 'monthly')).rejects.toMatchObject({ code: 'ALREADY_PRO' })
  await finishMoneyBack(systemContext('test'), subscriber.customer)
  expect(await balanceOf(subscriber.customer)).toBe(0)
  expect(await planOf(subscriber.id)).toBe('free')
})

/** Reports a dispute of the seller's first payment for Pro, as it now is at Stripe. */
async function disputeOf(customer: string) {
  const [invoice] = (await stripe().invoices.list({ customer })).data.reverse()
  const [paid] = (await stripe().invoicePayments.list({ invoice: invoice?.id ?? '' })).data
  const payment_intent = String(paid?.payment.payment_intent)
  const { id } = (await stripe().disputes.list({ payment_intent })).data[0]!
  const report = (type: string) => receiveStripeEvent(systemContext('test'), stripeEvent(type, { id, payment_intent }))
  return { id, report }
}

it('a disputed payment ends Pro and takes back the credit', async () => {
  const subscriber = await subscribe({ period: 'yearly', card: '4000000000000259' })
  await switchAsShown(subscriber.own, 'monthly')
  expect(await balanceOf(subscriber.customer)).toBeLessThan(-8000)
  const { report } = await disputeOf(subscriber.customer)
  expect(await report('charge.dispute.created')).toBe('plan ended')
  expect(await planOf(subscriber.id)).toBe('free')
  expect((await stripe().subscriptions.retrieve(subscriber.subscriptionId)).status).toBe('canceled')
  expect(await balanceOf(subscriber.customer)).toBe(0)
})

it('a dispute leaves a plan that was bought and paid after the disputed one, and its credit', async () => {
  const subscriber = await subscribe({ period: 'yearly', card: '4000000000000259' })
  const { report } = await disputeOf(subscriber.customer)
  await stripe().subscriptions.cancel(subscriber.subscriptionId)
  await syncSubscription(systemContext('test'), subscriber.customer)
  const again = await startUpgrade(subscriber.own, 'yearly')
  await pay(again)
  expect(await finishUpgrade(subscriber.own, sessionOf(again))).toBe(true)
  await switchAsShown(subscriber.own, 'monthly')
  const creditCents = await balanceOf(subscriber.customer)
  await report('charge.dispute.created')
  await report('charge.dispute.funds_withdrawn')
  expect(await planOf(subscriber.id)).toBe('pro')
  expect(await balanceOf(subscriber.customer)).toBe(creditCents)
})

it('a dispute takes back the credit of the disputed plan even while a plan runs that was bought with it', async () => {
  const subscriber = await subscribe({ period: 'yearly', card: '4000000000000259' })
  const { report } = await disputeOf(subscriber.customer)
  await switchAsShown(subscriber.own, 'monthly')
  await stripe().subscriptions.cancel(subscriber.subscriptionId)
  await syncSubscription(systemContext('test'), subscriber.customer)
  const again = await startUpgrade(subscriber.own, 'monthly')
  await pay(again)
  expect(await finishUpgrade(subscriber.own, sessionOf(again))).toBe(true)
  expect(await balanceOf(subscriber.customer)).toBeLessThan(-7000)
  // A credit that does not come from the disputed plan stays.
  await stripe().customers.createBalanceTransaction(subscriber.customer, { amount: -2000, currency: 'usd' })
  await report('charge.dispute.created')
  await report('charge.dispute.funds_withdrawn')
  expect(await planOf(subscriber.id)).toBe('pro')
  // The first month of the second plan was paid with $10 of the disputed money.
  expect(await balanceOf(subscriber.customer)).toBe(-1000)
})

it('an inquiry of the bank changes nothing until it becomes a dispute', async () => {
  const subscriber = await subscribe({ card: '4000000000000259' })
  const { id, report } = await disputeOf(subscriber.customer)
  const become = (status: string) =>
    db()
      .$executeRaw`UPDATE "SandboxObject" SET "json" = jsonb_set("json", '{status}', to_jsonb(${status}::text)) WHERE "id" = ${id}`
  await become('warning_needs_response')
  expect(await report('charge.dispute.created')).toBe('unknown')
  expect(await planOf(subscriber.id)).toBe('pro')
  await become('needs_response')
  expect(await report('charge.dispute.updated')).toBe('plan ended')
  expect(await planOf(subscriber.id)).toBe('free')
})

// Stripe does not document how the platform pays for such a dispute (docs/stripe-rules.md, D6):
// docs.stripe.com/changelog/basil/2025-08-27/add-preventions-to-dispute
it('a dispute that was prevented ends Pro if the cardholder was paid back, and otherwise changes nothing', async () => {
  const subscriber = await subscribe({ card: '4000000000000259' })
  const { id, report } = await disputeOf(subscriber.customer)
  const become = (change: object) =>
    db().$executeRaw`UPDATE "SandboxObject" SET "json" = "json" || ${JSON.stringify(change)}::jsonb WHERE "id" = ${id}`
  const { balance_transactions } = await stripe().disputes.retrieve(id)
  await become({ status: 'prevented', balance_transactions: [] })
  expect(await report('charge.dispute.created')).toBe('unknown')
  expect(await planOf(subscriber.id)).toBe('pro')
  await become({ balance_transactions })
  expect(await report('charge.dispute.funds_withdrawn')).toBe('plan ended')
  expect(await planOf(subscriber.id)).toBe('free')
})

it('a money-back request whose refund is pending leaves the credit of a plan that is bought meanwhile', async () => {
  const subscriber = await subscribe({ period: 'yearly', card: '4000000000007726' })
  await takeMoneyBack(subscriber.own)
  // Stripe's times are whole seconds, so the request is moved into the past, before the next purchase.
  const [moneyBackAt, firstPaidAt] = [new Date(Date.now() - 2_000), new Date(Date.now() - 4_000)]
  await db().subscription.update({ where: { userId: subscriber.id }, data: { moneyBackAt, firstPaidAt } })
  const again = await startUpgrade(subscriber.own, 'yearly')
  await pay(again)
  expect(await finishUpgrade(subscriber.own, sessionOf(again))).toBe(true)
  await switchAsShown(subscriber.own, 'monthly')
  const creditCents = await balanceOf(subscriber.customer)
  expect(creditCents).toBeLessThan(-8000)
  await finishMoneyBack(systemContext('test'), subscriber.customer)
  expect(await balanceOf(subscriber.customer)).toBe(creditCents)
  expect(await planOf(subscriber.id)).toBe('pro')
})

it('a period whose renewal was declined cannot be switched, because Stripe would credit it as if it were paid', async () => {
  const subscriber = await subscribe({ period: 'yearly', card: '4000000000000341' })
  await pass(subscriber, 366)
  await expect(switchAsShown(subscriber.own, 'monthly')).rejects.toMatchObject({ code: 'RENEWAL_UNPAID', status: 409 })
  expect(await balanceOf(subscriber.customer)).toBe(0)
  expect(await db().subscription.findUniqueOrThrow({ where: { userId: subscriber.id } })).toMatchObject({
    status: 'pastDue',
    billingPeriod: 'yearly',
  })
})

it('a renewal that is still a draft cannot be switched either', async () => {
  const subscriber = await subscribe({ period: 'yearly', card: '4000000000000341' })
  await standIn()!.advanceSubscription(subscriber.subscriptionId, 365 * DAY_SECONDS + 60)
  const [draft] = (await stripe().invoices.list({ customer: subscriber.customer })).data
  expect(draft?.status).toBe('draft')
  await expect(switchAsShown(subscriber.own, 'monthly')).rejects.toMatchObject({ code: 'RENEWAL_UNPAID' })
})

it('the first payment stays the first one after more than 100 bills, so the money-back week does not begin again', async () => {
  const subscriber = await subscribe()
  const firstPaidAt = async () =>
    (await db().subscription.findUniqueOrThrow({ where: { userId: subscriber.id } })).firstPaidAt
  const first = await firstPaidAt()
  expect(first).not.toBeNull()
  for (let month = 0; month < 101; month += 1) {
    await standIn()!.advanceSubscription(subscriber.subscriptionId, 31 * DAY_SECONDS)
  }
  await syncSubscription(systemContext('test'), subscriber.customer)
  const bills = await stripe()
    .invoices.list({ customer: subscriber.customer, status: 'paid' })
    .autoPagingToArray({ limit: 200 })
  expect(bills.length).toBeGreaterThan(100)
  // The stand-in moves the past back instead of the clock forward.
  expect(await firstPaidAt()).toEqual(new Date(first!.getTime() - 101 * 31 * DAY_SECONDS * 1000))
})

it('two causes that take back the credit at the same moment leave the seller owing nothing', async () => {
  const subscriber = await subscribe({ period: 'yearly' })
  await stripe().customers.createBalanceTransaction(subscriber.customer, { amount: -8000, currency: 'usd' })
  const { customers } = stripe()
  const retrieve = customers.retrieve.bind(customers)
  let [reads, go] = [0, () => {}]
  const both = new Promise<void>((resolve) => (go = resolve))
  const readTogether = async (...given: Parameters<typeof retrieve>) => {
    const read = await retrieve(...given)
    reads += 1
    if (reads === 2) go()
    await both
    return read
  }
  const spy = jest.spyOn(customers, 'retrieve').mockImplementation(readTogether as never)
  const withdraw = (cause: string) => withdrawCredit(systemContext('test'), subscriber.customer, cause)
  await Promise.all([withdraw('money back'), withdraw('dispute')])
  spy.mockRestore()
  expect(await balanceOf(subscriber.customer)).toBe(0)
})
