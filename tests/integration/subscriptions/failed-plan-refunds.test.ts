import { systemContext } from '@/lib/infra/context'
import { closeDatabase, db } from '@/lib/infra/db'
import { stripe } from '@/lib/infra/stripe'
import { followPlanRefund } from '@/lib/subscriptions/follow-plan-refund'
import { finishMoneyBack, takeMoneyBack } from '@/lib/subscriptions/take-money-back'
import { makeSeller } from '@/tests/support/factories'
import { setRefundStatus } from '@/tests/support/reject-refund'
import { subscribe, switchAsShown } from '@/tests/support/subscriber'

afterAll(closeDatabase)

const PENDING_REFUND = '4000000000007726'

it('a refund for Pro that has failed is owed once, and is not made at Stripe as well', async () => {
  // Stripe does not document whether a charge can be refunded again after its refund has failed (docs/stripe-rules.md,
  // D5). Here it can.
  const admin = await makeSeller({ isAdmin: true })
  const subscriber = await subscribe({ card: PENDING_REFUND })
  await takeMoneyBack(subscriber.own)
  const [bill] = (await stripe().invoices.list({ customer: subscriber.customer })).data
  const [paid] = (await stripe().invoicePayments.list({ invoice: bill!.id ?? '' })).data
  const intent = String(paid!.payment.payment_intent)
  const [refund] = (await stripe().refunds.list({ payment_intent: intent })).data
  await setRefundStatus(refund!.id, 'failed')
  await db().$executeRaw`
    UPDATE "SandboxObject" SET "json" = "json" || '{"amount_refunded":0,"refunded":false}'
     WHERE "kind" = 'charge' AND "json"->>'payment_intent' = ${intent}`
  // The next hour has another idempotency key.
  await db().sandboxIdempotencyKey.deleteMany({})
  await finishMoneyBack(systemContext('test'), subscriber.customer)
  const refunds = await stripe().refunds.list({ payment_intent: intent })
  expect(refunds.data.map(({ status }) => status)).toEqual(['failed'])
  const subjects = await db().outboxMail.findMany({ where: { to: { in: [admin.email, subscriber.email] } } })
  expect(subjects.map(({ subject }) => subject)).toEqual(
    expect.arrayContaining(['A Pro refund failed and is still owed', "We couldn't refund your Pro plan"]),
  )
  expect(subjects.map(({ subject }) => subject)).not.toContain('Your Pro refund is on its way')
})

it('after a part of a payment could not be refunded, money back still returns the rest, and only that part is owed', async () => {
  const subscriber = await subscribe({ period: 'yearly' })
  const [bill] = (await stripe().invoices.list({ customer: subscriber.customer })).data
  const [paid] = (await stripe().invoicePayments.list({ invoice: bill!.id ?? '' })).data
  const intent = String(paid!.payment.payment_intent)
  // Someone has refunded a part in Stripe's dashboard, and the bank has rejected it.
  const { id } = await stripe().refunds.create({ payment_intent: intent, amount: 300 })
  await setRefundStatus(id, 'failed')
  await db().$executeRaw`
    UPDATE "SandboxObject" SET "json" = "json" || '{"amount_refunded":0,"refunded":false}'
     WHERE "kind" = 'charge' AND "json"->>'payment_intent' = ${intent}`
  await takeMoneyBack(subscriber.own)
  await db().subscription.update({ where: { userId: subscriber.id }, data: { moneyBackDoneAt: null } })
  await finishMoneyBack(systemContext('test'), subscriber.customer)
  const refunds = await stripe().refunds.list({ payment_intent: intent })
  expect(refunds.data.map(({ amount, status }) => [amount, status])).toEqual([
    [9300, 'succeeded'],
    [300, 'failed'],
  ])
})

it('each refund for Pro that a bank rejects later is reported to its user and to the administrators', async () => {
  const admin = await makeSeller({ isAdmin: true })
  const subscriber = await subscribe()
  await switchAsShown(subscriber.own, 'yearly')
  await takeMoneyBack(subscriber.own)
  const { data: charges } = await stripe().charges.list({ customer: subscriber.customer })
  const refunds = (await Promise.all(charges.map(({ id }) => stripe().refunds.list({ charge: id })))).flatMap(
    (r) => r.data,
  )
  expect(refunds).toHaveLength(2)
  for (const { id } of refunds) {
    await setRefundStatus(id, 'failed')
    await followPlanRefund(systemContext('test'), id)
    await followPlanRefund(systemContext('test'), id)
  }
  const owed = await db().outboxMail.findMany({
    where: { subject: 'A Pro refund failed and is still owed', to: admin.email },
  })
  const failed = await db().outboxMail.findMany({
    where: { subject: "We couldn't refund your Pro plan", to: subscriber.email },
  })
  expect([owed.length, failed.length]).toEqual([2, 2])
})
