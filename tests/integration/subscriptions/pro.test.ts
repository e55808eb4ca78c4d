import type Stripe from 'stripe'
import { systemContext } from '@/lib/infra/context'
import { closeDatabase, db } from '@/lib/infra/db'
import { standIn, stripe } from '@/lib/infra/stripe'
import { finishUpgrade } from '@/lib/subscriptions/finish-upgrade'
import { openBillingPortal } from '@/lib/subscriptions/open-billing-portal'
import { getPlan } from '@/lib/subscriptions/queries'
import { setCancelAtPeriodEnd } from '@/lib/subscriptions/set-cancel-at-period-end'
import { startUpgrade } from '@/lib/subscriptions/start-upgrade'
import { sweepSubscriptions } from '@/lib/subscriptions/sweep-subscriptions'
import { syncSubscription } from '@/lib/subscriptions/sync-subscription'
import { followPlanRefund } from '@/lib/subscriptions/follow-plan-refund'
import { takeMoneyBack } from '@/lib/subscriptions/take-money-back'
import { receiveStripeEvent } from '@/lib/webhooks/receive-stripe-event'
import { actorOf, contextFor, makeDrop, makeSeller } from '@/tests/support/factories'
import { examineMoneyAfterEach } from '@/tests/support/examine-money-after-each'
import { deliverEvents, pay } from '@/tests/support/shop'
import { DAY_SECONDS, pass, sessionOf, subscribe, switchAsShown } from '@/tests/support/subscriber'

examineMoneyAfterEach()
afterAll(closeDatabase)

const FAILS_LATER = '4000000000000341'
const ctx = () => systemContext('test')
const userOf = (id: number) =>
  db().user.findUniqueOrThrow({ where: { id }, include: { subscription: true, drops: true } })

const mailsTo = async (email: string) =>
  (await db().outboxMail.findMany({ where: { to: email }, orderBy: { id: 'asc' } })).map(({ subject }) => subject)

async function paidInvoices(customer: string): Promise<number[]> {
  const { data } = await stripe().invoices.list({ customer, status: 'paid' })
  return data.map(({ amount_paid }) => amount_paid).reverse()
}

it('grants Pro only when Stripe reports the payment, and not because the return URL is opened', async () => {
  const seller = await makeSeller()
  const own = contextFor(actorOf(seller))
  const url = await startUpgrade(own, 'yearly')
  expect(await finishUpgrade(own, sessionOf(url))).toBe(false)
  expect((await userOf(seller.id)).plan).toBe('free')
  const stranger = contextFor(actorOf(await makeSeller()))
  expect((await pay(url)).headers.get('location')).toBe(
    `http://localhost:3000/?upgrade=success&session_id=${sessionOf(url)}`,
  )
  expect(await finishUpgrade(stranger, sessionOf(url))).toBe(false)
  expect(await finishUpgrade(own, sessionOf(url))).toBe(true)

  const user = await userOf(seller.id)
  expect(user).toMatchObject({ plan: 'pro', subscription: { status: 'active', billingPeriod: 'yearly' } })
  expect(user.subscription?.currentPeriodEnd.getTime()).toBeGreaterThan(Date.now() + 360 * 86_400_000)
  expect(await mailsTo(seller.email)).toEqual(['Welcome to Pro!'])
  expect(await paidInvoices(user.stripeCustomerId ?? '')).toEqual([9600])
})

it('many simultaneous returns from the payment page all succeed, and the seller gets one email', async () => {
  const seller = await makeSeller()
  const own = contextFor(actorOf(seller))
  const url = await startUpgrade(own, 'monthly')
  await pay(url)
  const finished = await Promise.all(Array.from({ length: 40 }, () => finishUpgrade(own, sessionOf(url))))
  expect(new Set(finished)).toEqual(new Set([true]))
  expect(await mailsTo(seller.email)).toEqual(['Welcome to Pro!'])
})

it('creates one subscription for simultaneous taps, and refuses a later upgrade', async () => {
  const seller = await makeSeller()
  const own = contextFor(actorOf(seller))
  const urls = await Promise.all(Array.from({ length: 10 }, () => startUpgrade(own, 'monthly')))
  expect(new Set(urls).size).toBe(1)
  await Promise.all(urls.map((url) => pay(url)))
  // No webhook has arrived yet, so the application has to read from Stripe.
  await expect(startUpgrade(own, 'monthly')).rejects.toMatchObject({ code: 'ALREADY_PRO', status: 409 })
  const { stripeCustomerId } = await userOf(seller.id)
  const all = await stripe().subscriptions.list({ customer: stripeCustomerId ?? '', status: 'all' })
  expect(all.data).toHaveLength(1)
})

it('expires the open checkout session when the seller chooses the other period', async () => {
  const own = contextFor(actorOf(await makeSeller()))
  const monthly = await startUpgrade(own, 'monthly')
  const yearly = await startUpgrade(own, 'yearly')
  expect((await pay(monthly)).status).toBe(410)
  expect(await startUpgrade(own, 'yearly')).toBe(yearly)
  expect((await pay(yearly)).status).toBe(303)
})

it('refunds a second paid subscription and keeps the first', async () => {
  const subscriber = await subscribe()
  const price = (await stripe().subscriptions.retrieve(subscriber.subscriptionId)).items.data[0]?.price.id ?? ''
  const session = await stripe().checkout.sessions.create({
    mode: 'subscription',
    customer: subscriber.customer,
    line_items: [{ price, quantity: 1 }],
    success_url: 'http://localhost:3000/',
  })
  await pay(session.url ?? '')
  await syncSubscription(ctx(), subscriber.customer)
  const all = await stripe().subscriptions.list({ customer: subscriber.customer, status: 'all' })
  expect(all.data.map(({ status }) => status)).toEqual(['canceled', 'active'])
  const invoice = String(all.data[0]?.latest_invoice)
  const [payment] = (await stripe().invoicePayments.list({ invoice })).data
  const refunds = await stripe().refunds.list({ payment_intent: String(payment?.payment.payment_intent) })
  expect(refunds.data.map(({ amount }) => amount)).toEqual([1000])
  expect(await userOf(subscriber.id)).toMatchObject({ plan: 'pro' })
})

it('renews a monthly subscription after a month', async () => {
  const subscriber = await subscribe()
  await pass(subscriber, 32)
  expect(await paidInvoices(subscriber.customer)).toEqual([1000, 1000])
  const { plan, subscription } = await userOf(subscriber.id)
  expect({ plan, status: subscription?.status }).toEqual({ plan: 'pro', status: 'active' })
  expect(subscription?.currentPeriodEnd.getTime()).toBeGreaterThan(Date.now())
})

describe('a failed renewal', () => {
  it('keeps Pro for seven days, emails the seller, then ends Pro, and leaves live drops on sale', async () => {
    const subscriber = await subscribe({ card: FAILS_LATER })
    const drop = await makeDrop({ userId: subscriber.id, productType: 'digital' })
    await pass(subscriber, 32)
    const late = await userOf(subscriber.id)
    expect(late).toMatchObject({ plan: 'pro', subscription: { status: 'pastDue', isEntitled: true } })
    const { subscription: shown } = await getPlan(subscriber.own, subscriber.id)
    expect(shown).toMatchObject({ state: 'pastDue' })
    expect(Date.parse(shown?.graceUntil ?? '')).toBeGreaterThan(Date.now())
    expect(await mailsTo(subscriber.email)).toEqual(['Welcome to Pro!', 'Your Pro renewal failed'])

    await pass(subscriber, 8)
    await sweepSubscriptions(ctx())
    expect(await userOf(subscriber.id)).toMatchObject({ plan: 'free', subscription: { status: 'canceled' } })
    expect((await mailsTo(subscriber.email)).at(-1)).toBe('Your Pro plan has ended')
    expect(await db().drop.findUniqueOrThrow({ where: { id: drop.id } })).toMatchObject({ isActive: true })
    await expect(startUpgrade(subscriber.own, 'monthly')).resolves.toContain('/sandbox/checkout/')
  })

  it('is resolved when the seller enters another card in the billing portal', async () => {
    const subscriber = await subscribe({ card: FAILS_LATER })
    await pass(subscriber, 32)
    await pressInPortal(await openBillingPortal(subscriber.own), { step: 'card', cardNumber: '4242424242424242' })
    await syncSubscription(ctx(), subscriber.customer)
    expect(await userOf(subscriber.id)).toMatchObject({
      plan: 'pro',
      subscription: { status: 'active', graceUntil: null },
    })
    expect(await paidInvoices(subscriber.customer)).toEqual([1000, 1000])
  })

  it('a seller who never paid is sent to the Pro page instead of the billing portal', async () => {
    const own = contextFor(actorOf(await makeSeller()))
    expect(await openBillingPortal(own)).toBe('http://localhost:3000/subscribe')
  })

  it('ends Pro after the grace period, even if no webhook arrives', async () => {
    const subscriber = await subscribe({ card: FAILS_LATER })
    await pass(subscriber, 31)
    await db().subscription.update({ where: { userId: subscriber.id }, data: { graceUntil: new Date(0) } })
    await standIn()!.advanceSubscription(subscriber.subscriptionId, 6.9 * DAY_SECONDS)
    await standIn()!.advanceSubscription(subscriber.subscriptionId, DAY_SECONDS)
    await sweepSubscriptions(ctx())
    expect((await userOf(subscriber.id)).plan).toBe('free')
  })
})

async function pressInPortal(url: string, fields: Record<string, string>): Promise<void> {
  const response = await standIn()!.pages(new Request(url, { method: 'POST', body: new URLSearchParams(fields) }))
  expect(response.status).toBe(303)
}

it('undoes a cancellation on our page, and keeps Pro until the end of the period after a cancellation in the billing portal', async () => {
  const subscriber = await subscribe()
  await setCancelAtPeriodEnd(subscriber.own, true)
  expect((await getPlan(subscriber.own, subscriber.id)).subscription).toMatchObject({ endsAtPeriodEnd: true })
  await setCancelAtPeriodEnd(subscriber.own, false)
  expect((await getPlan(subscriber.own, subscriber.id)).subscription).toMatchObject({ endsAtPeriodEnd: false })
  await pressInPortal(await openBillingPortal(subscriber.own), { step: 'cancel' })
  await pass(subscriber, 20)
  expect((await userOf(subscriber.id)).plan).toBe('pro')
  await pass(subscriber, 12)
  expect(await userOf(subscriber.id)).toMatchObject({ plan: 'free', subscription: { status: 'canceled' } })
  expect(await paidInvoices(subscriber.customer)).toEqual([1000])
})

it('switches between monthly and yearly and credits the rest of the old period', async () => {
  const subscriber = await subscribe()
  await standIn()!.advanceSubscription(subscriber.subscriptionId, 15 * DAY_SECONDS)
  await switchAsShown(subscriber.own, 'yearly')
  const [first, second] = await paidInvoices(subscriber.customer)
  expect(first).toBe(1000)
  // The yearly price is $96. About half of the monthly $10 is credited.
  expect(second).toBeGreaterThan(9050)
  expect(second).toBeLessThan(9150)
  expect((await getPlan(subscriber.own, subscriber.id)).subscription).toMatchObject({ billingPeriod: 'yearly' })
  await switchAsShown(subscriber.own, 'monthly')
  // Nothing is charged, because the rest of the year is worth more than a month.
  expect((await stripe().invoices.list({ customer: subscriber.customer })).data[0]).toMatchObject({ amount_due: 0 })
  const customer = (await stripe().customers.retrieve(subscriber.customer)) as Stripe.Customer
  expect(customer.balance).toBeLessThan(-8500)
})

// Stripe documents these rules at docs.stripe.com/billing/subscriptions/billing-mode/compare (docs/stripe-rules.md, A9,
// A10).
describe('a plan that was canceled in the billing portal', () => {
  async function canceled(period?: 'yearly') {
    const subscriber = await subscribe(period ? { period } : {})
    await pressInPortal(await openBillingPortal(subscriber.own), { step: 'cancel' })
    await syncSubscription(ctx(), subscriber.customer)
    const atStripe = () => stripe().subscriptions.retrieve(subscriber.subscriptionId)
    const shown = async () => (await getPlan(subscriber.own, subscriber.id)).subscription
    return { subscriber, atStripe, shown }
  }

  it('is shown with its end date, although Stripe leaves cancel_at_period_end false', async () => {
    const { subscriber, atStripe, shown } = await canceled()
    expect(await atStripe()).toMatchObject({ billing_mode: { type: 'flexible' }, cancel_at_period_end: false })
    const { currentPeriodEnd } = (await userOf(subscriber.id)).subscription!
    expect(await shown()).toMatchObject({ endsAtPeriodEnd: true, endsOn: currentPeriodEnd.toISOString() })
  })

  it('renews again after the seller undoes the cancellation on our page', async () => {
    const { subscriber, atStripe, shown } = await canceled()
    await setCancelAtPeriodEnd(subscriber.own, false)
    expect(await atStripe()).toMatchObject({ cancel_at: null, cancel_at_period_end: false })
    expect(await shown()).toMatchObject({ endsAtPeriodEnd: false, endsOn: null })
    await pass(subscriber, 32)
    expect(await paidInvoices(subscriber.customer)).toEqual([1000, 1000])
  })

  it('runs for the whole paid year after a switch to yearly', async () => {
    const { subscriber, atStripe, shown } = await canceled()
    await switchAsShown(subscriber.own, 'yearly')
    expect(await atStripe()).toMatchObject({ cancel_at: null, cancel_at_period_end: false })
    expect(await shown()).toMatchObject({ billingPeriod: 'yearly', endsOn: null })
    // The new period begins now and lasts a whole year, although flexible billing mode keeps the old anchor by default.
    const { currentPeriodEnd } = (await userOf(subscriber.id)).subscription!
    expect(currentPeriodEnd.getTime()).toBeGreaterThan(Date.now() + 360 * 86_400_000)
    await pass(subscriber, 40)
    expect((await userOf(subscriber.id)).plan).toBe('pro')
  })

  it('keeps its end date when the card is declined for a switch of the period', async () => {
    const subscriber = await subscribe({ card: FAILS_LATER })
    await pressInPortal(await openBillingPortal(subscriber.own), { step: 'cancel' })
    await expect(switchAsShown(subscriber.own, 'yearly')).rejects.toMatchObject({ code: 'SWITCH_DECLINED' })
    const { cancel_at } = await stripe().subscriptions.retrieve(subscriber.subscriptionId)
    expect(cancel_at).not.toBeNull()
  })

  it('ends on its date, even if no event arrives', async () => {
    const { subscriber } = await canceled()
    await standIn()!.advanceSubscription(subscriber.subscriptionId, 31 * DAY_SECONDS)
    const past = new Date(Date.now() - 10 * 60_000)
    await db().subscription.update({ where: { userId: subscriber.id }, data: { cancelAt: past } })
    await sweepSubscriptions(ctx())
    expect(await userOf(subscriber.id)).toMatchObject({ plan: 'free', subscription: { status: 'canceled' } })
    expect(await paidInvoices(subscriber.customer)).toEqual([1000])
  })
})

it('in the stand-in, cancel_at_period_end: false does not clear cancel_at, and setting both in one call is refused', async () => {
  // Stripe does not document whether cancel_at_period_end: false clears cancel_at, so the stand-in applies the stricter
  // rule (docs/stripe-rules.md, D2).
  const { subscriptionId: id, own } = await subscribe()
  await pressInPortal(await openBillingPortal(own), { step: 'cancel' })
  const { subscriptions } = stripe()
  expect((await subscriptions.update(id, { cancel_at_period_end: false })).cancel_at).not.toBeNull()
  await expect(subscriptions.update(id, { cancel_at: '', cancel_at_period_end: false })).rejects.toThrow(
    'only specify one',
  )
})

it('a subscription in flexible billing mode keeps its anchor when its period changes, unless the anchor is reset', async () => {
  const { subscriptionId: id, own } = await subscribe()
  await standIn()!.advanceSubscription(id, 10 * DAY_SECONDS)
  const before = await stripe().subscriptions.retrieve(id)
  await switchAsShown(own, 'yearly')
  const reset = await stripe().subscriptions.retrieve(id)
  expect(reset.billing_cycle_anchor).toBeGreaterThan(before.billing_cycle_anchor)
  const monthly = before.items.data[0]!.price.id
  const kept = await stripe().subscriptions.update(id, { items: [{ id: reset.items.data[0]!.id, price: monthly }] })
  expect(kept.billing_cycle_anchor).toBe(reset.billing_cycle_anchor)
})

it('the invoice of a renewal is a draft for an hour before it is charged', async () => {
  // See docs.stripe.com/billing/subscriptions/overview (docs/stripe-rules.md, C6).
  const subscriber = await subscribe()
  const { current_period_end: end } = (await stripe().subscriptions.retrieve(subscriber.subscriptionId)).items.data[0]!
  await standIn()!.advanceSubscription(subscriber.subscriptionId, end - Math.floor(Date.now() / 1000) + 60)
  const [draft] = (await stripe().invoices.list({ customer: subscriber.customer })).data
  expect(draft).toMatchObject({ status: 'draft', billing_reason: 'subscription_cycle' })
  await syncSubscription(ctx(), subscriber.customer)
  expect(await userOf(subscriber.id)).toMatchObject({ plan: 'pro', subscription: { status: 'active' } })
  await pass(subscriber, 0.1)
  expect(await paidInvoices(subscriber.customer)).toEqual([1000, 1000])
})

it('after a subscription is canceled, its unpaid invoice stays open but is no longer collected', async () => {
  // See docs.stripe.com/api/subscriptions/cancel (docs/stripe-rules.md, C6).
  const subscriber = await subscribe({ card: FAILS_LATER })
  await pass(subscriber, 32)
  await stripe().subscriptions.cancel(subscriber.subscriptionId)
  const [invoice] = (await stripe().invoices.list({ customer: subscriber.customer })).data
  expect(invoice).toMatchObject({ status: 'open', auto_advance: false, next_payment_attempt: null })
})

describe('the 14-day money-back guarantee', () => {
  it('refunds the whole payment once, and ends Pro', async () => {
    const subscriber = await subscribe({ period: 'yearly' })
    const results = await Promise.allSettled(Array.from({ length: 5 }, () => takeMoneyBack(subscriber.own)))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await userOf(subscriber.id)).toMatchObject({ plan: 'free', subscription: { status: 'canceled' } })
    const invoice = (await stripe().invoices.list({ customer: subscriber.customer })).data[0]?.id ?? ''
    const [payment] = (await stripe().invoicePayments.list({ invoice })).data
    const refunds = await stripe().refunds.list({ payment_intent: String(payment?.payment.payment_intent) })
    expect(refunds.data.map(({ amount }) => amount)).toEqual([9600])
  })

  it('is refused after 14 days, and to a seller who has used it before', async () => {
    const late = await subscribe()
    await pass(late, 14.1)
    await expect(takeMoneyBack(late.own)).rejects.toMatchObject({ code: 'NO_MONEY_BACK', status: 409 })

    const again = await subscribe()
    await takeMoneyBack(again.own)
    const url = await startUpgrade(again.own, 'monthly')
    await pay(url)
    expect(await finishUpgrade(again.own, sessionOf(url))).toBe(true)
    await expect(takeMoneyBack(again.own)).rejects.toMatchObject({ code: 'NO_MONEY_BACK' })
    // The sweep does not return the money of the second plan.
    await sweepSubscriptions(ctx())
    expect((await userOf(again.id)).plan).toBe('pro')
  })

  // See docs.stripe.com/refunds (docs/stripe-rules.md, A2, A11).
  it('ends the plan right away, but sends an email only when the pending refund succeeds or is canceled later', async () => {
    const subscriber = await subscribe({ card: '4000000000007726' })
    await takeMoneyBack(subscriber.own)
    expect(await userOf(subscriber.id)).toMatchObject({ plan: 'free', subscription: { status: 'canceled' } })
    expect(await mailsTo(subscriber.email)).not.toContain('Your Pro refund is on its way')
    await standIn()!.settleDue()
    await deliverEvents()
    expect(await mailsTo(subscriber.email)).toContain('Your Pro refund is on its way')
    expect((await userOf(subscriber.id)).subscription?.moneyBackDoneAt).not.toBeNull()
    const { id } = await db().sandboxObject.findFirstOrThrow({ where: { kind: 'refund' }, orderBy: { seq: 'desc' } })
    await db().$executeRaw`UPDATE "SandboxObject" SET "json" = "json" || '{"status":"canceled"}' WHERE "id" = ${id}`
    await followPlanRefund(ctx(), id)
    expect(await mailsTo(subscriber.email)).toContain("We couldn't refund your Pro plan")
  })

  it('notifies the user and the administrators when the bank returns the refund, which is then still owed', async () => {
    const admin = await makeSeller({ isAdmin: true })
    const subscriber = await subscribe({ card: '4000000000005126' })
    await takeMoneyBack(subscriber.own)
    await standIn()!.settleDue()
    await deliverEvents()
    expect(await mailsTo(subscriber.email)).toContain("We couldn't refund your Pro plan")
    expect(await mailsTo(admin.email)).toEqual(['A Pro refund failed and is still owed'])
  })

  it('cancels a plan whose payment is disputed, but promises no refund', async () => {
    const subscriber = await subscribe({ card: '4000000000000259' })
    await takeMoneyBack(subscriber.own)
    expect((await stripe().subscriptions.retrieve(subscriber.subscriptionId)).status).toBe('canceled')
    expect(await userOf(subscriber.id)).toMatchObject({ plan: 'free' })
    expect(await mailsTo(subscriber.email)).not.toContain('Your Pro refund is on its way')
  })

  it('does not affect a plan that was bought later', async () => {
    const subscriber = await subscribe({ card: '4000000000007726' })
    await takeMoneyBack(subscriber.own)
    // Moves the payment and its refund some seconds into the past, because Stripe's times are whole seconds.
    await db().subscription.update({
      where: { userId: subscriber.id },
      data: { moneyBackAt: new Date(Date.now() - 2_000), firstPaidAt: new Date(Date.now() - 4_000) },
    })
    const url = await startUpgrade(subscriber.own, 'monthly')
    await pay(url)
    expect(await finishUpgrade(subscriber.own, sessionOf(url))).toBe(true)
    await sweepSubscriptions(ctx())
    await deliverEvents()
    expect(await userOf(subscriber.id)).toMatchObject({ plan: 'pro', subscription: { status: 'active' } })
    const refunded = (await stripe().refunds.list({ limit: 100 })).data.filter(({ amount }) => amount === 1000)
    expect(refunded.filter(({ customer }) => customer === subscriber.customer)).toHaveLength(1)
  })

  it('is completed by the sweep when a crash interrupted it', async () => {
    const subscriber = await subscribe()
    await db().subscription.update({ where: { userId: subscriber.id }, data: { moneyBackAt: new Date() } })
    await sweepSubscriptions(ctx())
    expect((await userOf(subscriber.id)).plan).toBe('free')
    expect(await mailsTo(subscriber.email)).toContain('Your Pro refund is on its way')
  })
})

it('a plan ends up as it is at Stripe, even if its events arrive twice and in reverse order', async () => {
  const subscriber = await subscribe()
  await setCancelAtPeriodEnd(subscriber.own, true)
  await standIn()!.advanceSubscription(subscriber.subscriptionId, 40 * DAY_SECONDS)
  const rows = await db().sandboxDelivery.findMany({ where: { payload: { contains: subscriber.subscriptionId } } })
  const events = rows.map((row) => JSON.parse(row.payload) as Stripe.Event)
  expect(events.length).toBeGreaterThan(3)
  await Promise.all(
    [...events].reverse().flatMap((event) => [event, event].map((one) => receiveStripeEvent(ctx(), one))),
  )
  expect(await userOf(subscriber.id)).toMatchObject({ plan: 'free', subscription: { status: 'canceled' } })
})

it('the sweep grants Pro for a subscription whose webhook never arrived', async () => {
  const seller = await makeSeller()
  const url = await startUpgrade(contextFor(actorOf(seller)), 'monthly')
  await pay(url)
  await sweepSubscriptions(ctx())
  expect((await userOf(seller.id)).plan).toBe('pro')
})

it('keeps the free plan that an administrator set, and stops the renewal so that the user is not charged for Pro', async () => {
  const subscriber = await subscribe()
  await db().user.update({ where: { id: subscriber.id }, data: { plan: 'free' } })
  await syncSubscription(ctx(), subscriber.customer)
  await sweepSubscriptions(ctx())
  expect(await userOf(subscriber.id)).toMatchObject({ plan: 'free', subscription: { cancelAtPeriodEnd: true } })
})

it('cancels the subscription when the account is deleted', async () => {
  const subscriber = await subscribe()
  await db().user.update({ where: { id: subscriber.id }, data: { deletedAt: new Date() } })
  await sweepSubscriptions(ctx())
  expect((await stripe().subscriptions.retrieve(subscriber.subscriptionId)).status).toBe('canceled')
})
