// Before a switch of the billing period, the seller sees what Stripe will charge (docs/product.md#how-pro-ends).
import type Stripe from 'stripe'
import { closeDatabase, db } from '@/lib/infra/db'
import { standIn, stripe } from '@/lib/infra/stripe'
import { switchTerms } from '@/lib/subscriptions/messages'
import { previewSwitch } from '@/lib/subscriptions/preview-switch'
import { switchPeriod } from '@/lib/subscriptions/switch-period'
import { examineMoneyAfterEach } from '@/tests/support/examine-money-after-each'
import { DAY_SECONDS, subscribe, switchAsShown } from '@/tests/support/subscriber'

examineMoneyAfterEach()
afterAll(closeDatabase)

const ROUNDING_CENTS = 1
const balanceOf = async (customer: string) => ((await stripe().customers.retrieve(customer)) as Stripe.Customer).balance
const newestInvoice = async (customer: string) => (await stripe().invoices.list({ customer })).data[0]!

it('a switch to yearly charges what the preview says, and renews on the day that it says', async () => {
  const subscriber = await subscribe()
  await standIn()!.advanceSubscription(subscriber.subscriptionId, 15 * DAY_SECONDS)
  const shown = await previewSwitch(subscriber.own, 'yearly')
  expect(shown.todayCents).toBeGreaterThan(9050)
  expect(shown.todayCents).toBeLessThan(9150)
  expect(shown.creditCents).toBe(0)
  await switchPeriod(subscriber.own, { billingPeriod: 'yearly', todayCents: shown.todayCents + ROUNDING_CENTS })
  const { amount_paid } = await newestInvoice(subscriber.customer)
  expect(Math.abs(amount_paid - shown.todayCents)).toBeLessThanOrEqual(ROUNDING_CENTS)
  const { currentPeriodEnd } = await db().subscription.findUniqueOrThrow({ where: { userId: subscriber.id } })
  expect(shown.renewsOn.slice(0, 10)).toBe(currentPeriodEnd.toISOString().slice(0, 10))
})

it('a switch to monthly charges nothing today, and the preview names the credit that is left', async () => {
  const subscriber = await subscribe({ period: 'yearly' })
  const shown = await previewSwitch(subscriber.own, 'monthly')
  expect(shown).toMatchObject({ todayCents: 0 })
  await switchAsShown(subscriber.own, 'monthly')
  expect(Math.abs(-(await balanceOf(subscriber.customer)) - shown.creditCents)).toBeLessThanOrEqual(ROUNDING_CENTS)
  expect(switchTerms({ ...shown, renewsOn: '2026-12-28T10:00:00.000Z', creditCents: 8600 }, 'monthly', 'UTC')).toBe(
    'You pay nothing today. Your remaining credit of $86.00 goes toward your next bills. Your plan renews on Dec 28, 2026 at $10.00 per month.',
  )
})

it('a credit that is left pays a part of the switch back to yearly', async () => {
  const subscriber = await subscribe({ period: 'yearly' })
  await switchAsShown(subscriber.own, 'monthly')
  const { todayCents } = await previewSwitch(subscriber.own, 'yearly')
  expect(todayCents).toBeLessThanOrEqual(ROUNDING_CENTS)
})

// Stripe documents this at docs.stripe.com/api/invoices/create_preview (docs/stripe-rules.md, C20).
it('a preview stores nothing: no invoice, no other period, and no use of the credit', async () => {
  const subscriber = await subscribe()
  await stripe().customers.createBalanceTransaction(subscriber.customer, { amount: -700, currency: 'usd' })
  const before = await stripe().subscriptions.retrieve(subscriber.subscriptionId)
  const { todayCents } = await previewSwitch(subscriber.own, 'yearly')
  expect(Math.abs(todayCents - (9600 - 1000 - 700))).toBeLessThanOrEqual(ROUNDING_CENTS)
  expect(await stripe().subscriptions.retrieve(subscriber.subscriptionId)).toEqual(before)
  expect((await stripe().invoices.list({ customer: subscriber.customer })).data).toHaveLength(1)
  expect(await balanceOf(subscriber.customer)).toBe(-700)
})

it('a preview marks the credit as a proration with its own period, and leaves the ending balance open', async () => {
  const { subscriptionId, own } = await subscribe({ period: 'yearly' })
  await switchAsShown(own, 'monthly')
  const { items } = await stripe().subscriptions.retrieve(subscriptionId)
  const [{ id, price, current_period_end }] = items.data as [Stripe.SubscriptionItem]
  const { data } = await stripe().prices.list({ lookup_keys: ['lastcall_pro_yearly_9600'] })
  const change = { items: [{ id, price: data[0]!.id }], proration_behavior: 'always_invoice' as const }
  const invoice = await stripe().invoices.createPreview({ subscription: subscriptionId, subscription_details: change })
  expect(invoice).toMatchObject({ ending_balance: null, number: null, status: 'draft' })
  expect(invoice.lines.data[0]).toMatchObject({
    amount: expect.any(Number) as number,
    parent: { subscription_item_details: { proration: true } },
    period: { end: current_period_end },
  })
  await expect(stripe().invoices.retrieve(invoice.id)).rejects.toThrow('No such invoice')
  const same = { items: [{ id, price: price.id }], proration_behavior: 'always_invoice' as const }
  await expect(
    stripe().invoices.createPreview({ subscription: subscriptionId, subscription_details: same }),
  ).rejects.toMatchObject({ code: 'invoice_upcoming_none' })
})

it('while Stripe does not answer, there is no preview and no switch', async () => {
  const subscriber = await subscribe()
  const api = { kind: 'error' as const, path: '/v1/invoices/create_preview', remaining: null, delayMs: 0 }
  await standIn()!.setFaults({ api, deliveries: null, limits: false })
  try {
    await expect(previewSwitch(subscriber.own, 'yearly')).rejects.toMatchObject({ code: 'STRIPE_AWAY', status: 503 })
    await expect(switchPeriod(subscriber.own, { billingPeriod: 'yearly', todayCents: 9600 })).rejects.toThrow()
  } finally {
    await standIn()!.setFaults({ api: null, deliveries: null, limits: false })
  }
  expect((await newestInvoice(subscriber.customer)).amount_paid).toBe(1000)
})

it('a switch that would cost more than the seller has confirmed charges nothing', async () => {
  const subscriber = await subscribe()
  const { todayCents } = await previewSwitch(subscriber.own, 'yearly')
  await expect(
    switchPeriod(subscriber.own, { billingPeriod: 'yearly', todayCents: todayCents - 100 }),
  ).rejects.toMatchObject({ code: 'SWITCH_COSTS_MORE', status: 409 })
  expect((await newestInvoice(subscriber.customer)).amount_paid).toBe(1000)
  expect(await db().subscription.findUniqueOrThrow({ where: { userId: subscriber.id } })).toMatchObject({
    billingPeriod: 'monthly',
  })
})

it('there is no preview of the period that the plan already has', async () => {
  const subscriber = await subscribe()
  await expect(previewSwitch(subscriber.own, 'monthly')).rejects.toMatchObject({ code: 'ALREADY_SWITCHED' })
})
