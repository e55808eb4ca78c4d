// Stripe stops collecting the unpaid invoice of a subscription that has ended, but does not void it
// (docs.stripe.com/api/subscriptions/cancel, docs/stripe-rules.md, C6). It can still be paid with the link in Stripe's
// emails and in the billing portal.
import { systemContext } from '@/lib/infra/context'
import { closeDatabase, db } from '@/lib/infra/db'
import { stripe } from '@/lib/infra/stripe'
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
