// A seller can have two plans at Stripe at the same time. Each test checks that the seller keeps the one that was
// paid, and gets back what was paid for the other (docs/product.md#how-pro-begins).
import type Stripe from 'stripe'
import { systemContext } from '@/lib/infra/context'
import { closeDatabase, db } from '@/lib/infra/db'
import { standIn, stripe } from '@/lib/infra/stripe'
import { finishUpgrade } from '@/lib/subscriptions/finish-upgrade'
import { ensurePrice } from '@/lib/subscriptions/ensure-price'
import { startUpgrade } from '@/lib/subscriptions/start-upgrade'
import { sweepSubscriptions } from '@/lib/subscriptions/sweep-subscriptions'
import { syncSubscription } from '@/lib/subscriptions/sync-subscription'
import { examineMoneyAfterEach } from '@/tests/support/examine-money-after-each'
import { pay } from '@/tests/support/shop'
import { DAY_SECONDS, pass, sessionOf, subscribe, type Subscriber } from '@/tests/support/subscriber'

examineMoneyAfterEach()
afterAll(closeDatabase)
afterEach(() => jest.restoreAllMocks())

const FAILS_LATER = '4000000000000341'
const ctx = () => systemContext('test')
const planOf = async ({ id }: Subscriber) => (await db().user.findUniqueOrThrow({ where: { id } })).plan
const balanceOf = async (customer: string) => ((await stripe().customers.retrieve(customer)) as Stripe.Customer).balance

async function keptCents(customer: string): Promise<number> {
  const { data } = await stripe().charges.list({ customer, limit: 100 })
  return data.reduce((sum, { paid, amount, amount_refunded }) => sum + (paid ? amount - amount_refunded : 0), 0)
}

/**
 * Lets a renewal fail and the grace period end, and reads the plan as the event about the next failure does. Stripe
 * charges the card again for up to two weeks, so the plan has not ended there.
 */
async function missRenewal(subscriber: Subscriber): Promise<void> {
  await pass(subscriber, 32)
  await db().$executeRaw`
    UPDATE "SandboxObject" SET "json" = jsonb_set("json", '{items,data,0,current_period_start}',
             to_jsonb(("json"#>>'{items,data,0,current_period_start}')::bigint - ${7 * DAY_SECONDS}))
     WHERE "id" = ${subscriber.subscriptionId}`
  await syncSubscription(ctx(), subscriber.customer)
  expect(await planOf(subscriber)).toBe('free')
  expect((await stripe().subscriptions.retrieve(subscriber.subscriptionId)).status).toBe('past_due')
}

/** Pays a second payment page, as two tabs can at the same moment. */
async function buyAgain(customer: string): Promise<void> {
  const session = await stripe().checkout.sessions.create({
    mode: 'subscription',
    customer,
    line_items: [{ price: await ensurePrice(ctx(), 'monthly'), quantity: 1 }],
    success_url: 'http://localhost/',
  })
  await pay(session.url!)
}

it('a plan that is bought before the unpaid one has ended at Stripe is kept, and only the unpaid one is canceled', async () => {
  const subscriber = await subscribe({ card: FAILS_LATER })
  await missRenewal(subscriber)
  const url = await startUpgrade(subscriber.own, 'monthly')
  await pay(url)
  expect(await finishUpgrade(subscriber.own, sessionOf(url))).toBe(true)
  await sweepSubscriptions(ctx())
  expect(await planOf(subscriber)).toBe('pro')
  const { data } = await stripe().subscriptions.list({ customer: subscriber.customer, status: 'all' })
  expect(data.map(({ status }) => status)).toEqual(['active', 'canceled'])
  // The first month of the first plan was used, so its payment is kept.
  expect(await keptCents(subscriber.customer)).toBe(2000)
  const bills = await stripe().invoices.list({ subscription: subscriber.subscriptionId })
  expect(bills.data.map(({ status }) => status)).toEqual(['void', 'paid'])
})

it('a renewal that is paid while its plan is being ended is refunded', async () => {
  const subscriber = await subscribe({ card: FAILS_LATER })
  await missRenewal(subscriber)
  const { subscriptions } = stripe()
  const cancel = subscriptions.cancel.bind(subscriptions)
  const payAndCancel = async (...given: Parameters<typeof cancel>) => {
    const [bill] = (await stripe().invoices.list({ customer: subscriber.customer, limit: 1 })).data
    await stripe().invoices.pay(bill?.id ?? '', { payment_method: 'pm_card_visa' })
    return cancel(...given)
  }
  jest.spyOn(subscriptions, 'cancel').mockImplementationOnce(payAndCancel as never)
  await sweepSubscriptions(ctx())
  expect(await planOf(subscriber)).toBe('free')
  expect(await keptCents(subscriber.customer)).toBe(1000)
})

it('the credit that a duplicate plan has used goes back to its seller', async () => {
  const subscriber = await subscribe()
  await stripe().customers.createBalanceTransaction(subscriber.customer, { amount: -700, currency: 'usd' })
  await buyAgain(subscriber.customer)
  expect(await balanceOf(subscriber.customer)).toBe(0)
  await syncSubscription(ctx(), subscriber.customer)
  await syncSubscription(ctx(), subscriber.customer)
  expect(await keptCents(subscriber.customer)).toBe(1000)
  expect(await balanceOf(subscriber.customer)).toBe(-700)
})

it('a duplicate plan that was refunded gives no Pro if the process died before it was canceled and the other plan ends', async () => {
  const subscriber = await subscribe()
  await buyAgain(subscriber.customer)
  const { subscriptions } = stripe()
  jest.spyOn(subscriptions, 'cancel').mockRejectedValueOnce(new Error('the process died'))
  await expect(syncSubscription(ctx(), subscriber.customer)).rejects.toThrow('the process died')
  expect(await keptCents(subscriber.customer)).toBe(1000)
  await subscriptions.cancel(subscriber.subscriptionId)
  expect(await syncSubscription(ctx(), subscriber.customer)).toBe('free')
  expect(await planOf(subscriber)).toBe('free')
  const { data } = await subscriptions.list({ customer: subscriber.customer, status: 'all' })
  expect(data.map(({ status }) => status)).toEqual(['canceled', 'canceled'])
  expect(await keptCents(subscriber.customer)).toBe(1000)
})

it('a renewal that is refunded because it was paid after the end of its plan also returns the credit that it has used', async () => {
  const subscriber = await subscribe({ card: FAILS_LATER })
  await stripe().customers.createBalanceTransaction(subscriber.customer, { amount: -400, currency: 'usd' })
  await standIn()!.advanceSubscription(subscriber.subscriptionId, 32 * DAY_SECONDS)
  await stripe().subscriptions.cancel(subscriber.subscriptionId)
  // Stripe's times are whole seconds, so the end moves into the past.
  await db().$executeRaw`
    UPDATE "SandboxObject" SET "json" = jsonb_set("json", '{ended_at}', to_jsonb(("json"->>'ended_at')::bigint - 60))
     WHERE "id" = ${subscriber.subscriptionId}`
  const [bill] = (await stripe().invoices.list({ customer: subscriber.customer, limit: 1 })).data
  expect(bill).toMatchObject({ status: 'open', amount_due: 600 })
  await stripe().invoices.pay(bill?.id ?? '', { payment_method: 'pm_card_visa' })
  await syncSubscription(ctx(), subscriber.customer)
  await syncSubscription(ctx(), subscriber.customer)
  expect(await keptCents(subscriber.customer)).toBe(1000)
  expect(await balanceOf(subscriber.customer)).toBe(-400)
})
