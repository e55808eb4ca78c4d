// Stripe stops collecting the unpaid invoice of a subscription that has ended, but does not void it
// (docs.stripe.com/api/subscriptions/cancel, docs/stripe-rules.md, C6). It can still be paid with the link in Stripe's
// emails and in the billing portal.
import { systemContext } from '@/lib/infra/context'
import { closeDatabase, db } from '@/lib/infra/db'
import { standIn, stripe } from '@/lib/infra/stripe'
import { closeAccount } from '@/lib/closure/close-account'
import { cancelPlan } from '@/lib/subscriptions/cancel-plan'
import { sweepSubscriptions } from '@/lib/subscriptions/sweep-subscriptions'
import { syncSubscription } from '@/lib/subscriptions/sync-subscription'
import { examineMoneyAfterEach } from '@/tests/support/examine-money-after-each'
import { pass, subscribe, type Subscriber } from '@/tests/support/subscriber'

examineMoneyAfterEach()
afterAll(closeDatabase)

const FAILS_LATER = '4000000000000341'
const ctx = () => systemContext('test')

async function billOf({ customer }: Subscriber) {
  const [newest] = (await stripe().invoices.list({ customer, limit: 1 })).data
  return newest!
}

async function refundsOf(invoice: string | undefined): Promise<number[]> {
  const [paid] = (await stripe().invoicePayments.list({ invoice: invoice ?? '' })).data
  const payment_intent = String(paid?.payment.payment_intent)
  return (await stripe().refunds.list({ payment_intent })).data.map(({ amount }) => amount)
}

it('a renewal that was not paid within the grace period can no longer be paid after Pro has ended', async () => {
  const subscriber = await subscribe({ card: FAILS_LATER })
  await pass(subscriber, 32)
  expect(await billOf(subscriber)).toMatchObject({ status: 'open', amount_due: 1000 })
  await db().subscription.update({ where: { userId: subscriber.id }, data: { graceUntil: new Date(0) } })
  await pass(subscriber, 6.5)
  await sweepSubscriptions(ctx())
  expect(await db().user.findUniqueOrThrow({ where: { id: subscriber.id } })).toMatchObject({ plan: 'free' })
  const bill = await billOf(subscriber)
  expect(bill.status).toBe('void')
  const late = stripe().invoices.pay(bill.id ?? '', { payment_method: 'pm_card_visa' })
  await expect(late).rejects.toMatchObject({ statusCode: 400 })
})

it('a renewal that is paid although its plan has ended is refunded', async () => {
  const subscriber = await subscribe({ card: FAILS_LATER })
  await pass(subscriber, 32)
  await stripe().subscriptions.cancel(subscriber.subscriptionId)
  // Stripe's times are whole seconds, so the end moves into the past.
  await db().$executeRaw`
    UPDATE "SandboxObject" SET "json" = jsonb_set("json", '{ended_at}', to_jsonb(("json"->>'ended_at')::bigint - 60))
     WHERE "id" = ${subscriber.subscriptionId}`
  const bill = await billOf(subscriber)
  await stripe().invoices.pay(bill.id ?? '', { payment_method: 'pm_card_visa' })
  expect(await syncSubscription(ctx(), subscriber.customer)).toBe('free')
  await syncSubscription(ctx(), subscriber.customer)
  expect(await refundsOf(bill.id)).toEqual([1000])
  expect(await db().user.findUniqueOrThrow({ where: { id: subscriber.id } })).toMatchObject({ plan: 'free' })
})

it('a renewal that is paid within the grace period keeps Pro', async () => {
  const subscriber = await subscribe({ card: FAILS_LATER })
  await pass(subscriber, 32)
  const bill = await billOf(subscriber)
  await stripe().invoices.pay(bill.id ?? '', { payment_method: 'pm_card_visa' })
  expect(await syncSubscription(ctx(), subscriber.customer)).toBe('pro')
  expect(await refundsOf(bill.id)).toEqual([])
})

it('a renewal that is paid right before its plan ends is refunded, even if the answer about the end was lost', async () => {
  const subscriber = await subscribe({ card: FAILS_LATER })
  await pass(subscriber, 32)
  const bill = await billOf(subscriber)
  await stripe().invoices.pay(bill.id ?? '', { payment_method: 'pm_card_visa' })
  const path = `/v1/subscriptions/${subscriber.subscriptionId}`
  await standIn()!.setFaults({
    api: { kind: 'reset-after-commit', path, remaining: 1, delayMs: 0 },
    deliveries: null,
  })
  await expect(cancelPlan(ctx(), subscriber.subscriptionId, { wasUnpaid: true })).rejects.toThrow()
  expect(await syncSubscription(ctx(), subscriber.customer)).toBe('free')
  await syncSubscription(ctx(), subscriber.customer)
  expect(await refundsOf(bill.id)).toEqual([1000])
})

it('the paid bill of a plan that its seller has ended is not refunded, whatever reason the seller has given', async () => {
  const subscriber = await subscribe()
  // The billing portal stores the reason that a customer types in the same place as the product.
  await stripe().subscriptions.cancel(subscriber.subscriptionId, { cancellation_details: { comment: 'unpaid' } })
  expect(await syncSubscription(ctx(), subscriber.customer)).toBe('free')
  expect(await refundsOf((await billOf(subscriber)).id)).toEqual([])
})

it('a renewal that is paid after the account was closed is refunded', async () => {
  const subscriber = await subscribe({ card: FAILS_LATER })
  await pass(subscriber, 32)
  const bill = await billOf(subscriber)
  await closeAccount(ctx(), subscriber.id, { check: () => undefined })
  await stripe().invoices.pay(bill.id ?? '', { payment_method: 'pm_card_visa' })
  await sweepSubscriptions(ctx())
  expect(await refundsOf(bill.id)).toEqual([1000])
  const [first] = (await stripe().invoices.list({ customer: subscriber.customer })).data.slice(-1)
  expect(await refundsOf(first?.id)).toEqual([])
  expect(await stripe().subscriptions.retrieve(subscriber.subscriptionId)).toMatchObject({ status: 'canceled' })
})
