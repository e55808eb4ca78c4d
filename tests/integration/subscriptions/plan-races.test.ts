// Payments for Pro that bought nothing: after a money-back request, after an administrator ended the plan, and after
// the account was deleted (docs/product.md#how-pro-ends).
import { closeDatabase, db } from '@/lib/infra/db'
import { systemContext } from '@/lib/infra/context'
import { stripe } from '@/lib/infra/stripe'
import { prepareSwitch } from '@/lib/subscriptions/prepare-switch'
import { startUpgrade } from '@/lib/subscriptions/start-upgrade'
import { sweepSubscriptions } from '@/lib/subscriptions/sweep-subscriptions'
import { switchPeriod } from '@/lib/subscriptions/switch-period'
import { syncSubscription } from '@/lib/subscriptions/sync-subscription'
import { finishMoneyBack } from '@/lib/subscriptions/take-money-back'
import { closeAccount } from '@/lib/closure/close-account'
import { actorOf, contextFor, makeSeller } from '@/tests/support/factories'
import { examineMoneyAfterEach } from '@/tests/support/examine-money-after-each'
import { pay } from '@/tests/support/shop'
import { subscribe, switchAsShown } from '@/tests/support/subscriber'

examineMoneyAfterEach()
afterAll(closeDatabase)

const ctx = () => systemContext('test')
const planOf = async (id: number) => (await db().user.findUniqueOrThrow({ where: { id } })).plan

async function paidAndRefunded(customer: string) {
  const { data } = await stripe().charges.list({ customer, limit: 100 })
  const paid = data.filter((charge) => charge.paid)
  const sum = (key: 'amount' | 'amount_refunded') => paid.reduce((total, charge) => total + charge[key], 0)
  return { paid: sum('amount'), refunded: sum('amount_refunded') }
}

it('a plan whose money-back request is not finished cannot be switched, because the payment would buy nothing', async () => {
  const subscriber = await subscribe()
  await db().subscription.update({ where: { userId: subscriber.id }, data: { moneyBackAt: new Date() } })
  await expect(switchAsShown(subscriber.own, 'yearly')).rejects.toMatchObject({ code: 'NO_SUBSCRIPTION' })
})

it('a money-back request also refunds a switch that is paid after it', async () => {
  const subscriber = await subscribe()
  const { own, params } = await prepareSwitch(subscriber.own, 'yearly')
  // The subscription was bought a minute ago, and the request came half a minute later.
  await db()
    .$executeRaw`UPDATE "SandboxObject" SET "json" = jsonb_set("json", '{created}', to_jsonb(("json"->>'created')::int - 60))
                          WHERE "id" = ${subscriber.subscriptionId}`
  const moneyBackAt = new Date(Date.now() - 30_000)
  await db().subscription.update({ where: { userId: subscriber.id }, data: { moneyBackAt } })
  await stripe().subscriptions.update(own.stripeSubscriptionId, params)
  await finishMoneyBack(ctx(), subscriber.customer)
  const { paid, refunded } = await paidAndRefunded(subscriber.customer)
  expect(paid).toBeGreaterThan(9_000)
  expect(refunded).toBe(paid)
  expect(await planOf(subscriber.id)).toBe('free')
})

it('a plan that an administrator has ended cannot be switched, because the seller would pay for nothing', async () => {
  const subscriber = await subscribe()
  await db().user.update({ where: { id: subscriber.id }, data: { plan: 'free' } })
  const before = await paidAndRefunded(subscriber.customer)
  await expect(switchPeriod(subscriber.own, { billingPeriod: 'yearly' })).rejects.toMatchObject({
    code: 'NO_SUBSCRIPTION',
  })
  expect(await paidAndRefunded(subscriber.customer)).toEqual(before)
})

it('the payment page for Pro of a closed account cannot be paid', async () => {
  const seller = await makeSeller()
  const url = await startUpgrade(contextFor(actorOf(seller)), 'yearly')
  await closeAccount(ctx(), seller.id, { check: () => undefined })
  expect((await pay(url)).status).toBe(410)
})

it('a payment for Pro that is made while the account is being closed is refunded', async () => {
  const seller = await makeSeller()
  const url = await startUpgrade(contextFor(actorOf(seller)), 'yearly')
  // The process stops before it closes the page.
  await db().user.update({ where: { id: seller.id }, data: { deletedAt: new Date() } })
  await pay(url)
  const { stripeCustomerId } = await db().user.findUniqueOrThrow({ where: { id: seller.id } })
  await syncSubscription(ctx(), stripeCustomerId!)
  expect(await planOf(seller.id)).toBe('free')
  await sweepSubscriptions(ctx())
  expect(await paidAndRefunded(stripeCustomerId!)).toEqual({ paid: 9_600, refunded: 9_600 })
  expect(await db().outboxMail.count({ where: { subject: 'Welcome to Pro!', to: seller.email } })).toBe(0)
  expect(await planOf(seller.id)).toBe('free')
})

it('an account that is closed while its plan is read from Stripe gets neither Pro nor an email', async () => {
  const seller = await makeSeller()
  await pay(await startUpgrade(contextFor(actorOf(seller)), 'yearly'))
  const { stripeCustomerId } = await db().user.findUniqueOrThrow({ where: { id: seller.id } })
  const { subscriptions } = stripe()
  const list = subscriptions.list.bind(subscriptions)
  const closeAndList = async (...given: Parameters<typeof list>) => {
    await closeAccount(ctx(), seller.id, { check: () => undefined })
    return list(...given)
  }
  jest.spyOn(subscriptions, 'list').mockImplementationOnce(closeAndList as never)
  await syncSubscription(ctx(), stripeCustomerId!)
  expect(await planOf(seller.id)).toBe('free')
  expect(await db().outboxMail.count({ where: { subject: 'Welcome to Pro!', to: seller.email } })).toBe(0)
})
