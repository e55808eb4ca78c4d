import type Stripe from 'stripe'
import { closeDatabase, db } from '@/lib/infra/db'
import { systemContext } from '@/lib/infra/context'
import { standIn, stripe } from '@/lib/infra/stripe'
import { finishUpgrade } from '@/lib/subscriptions/finish-upgrade'
import { startUpgrade } from '@/lib/subscriptions/start-upgrade'
import { finishMoneyBack, takeMoneyBack } from '@/lib/subscriptions/take-money-back'
import { pay } from '@/tests/support/shop'
import { sessionOf, subscribe, switchAsShown } from '@/tests/support/subscriber'

afterAll(closeDatabase)

const balanceOf = async (customer: string) => ((await stripe().customers.retrieve(customer)) as Stripe.Customer).balance

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
  await finishMoneyBack(systemContext('test'), subscriber.customer)
  expect(await balanceOf(subscriber.customer)).toBe(0)
})
