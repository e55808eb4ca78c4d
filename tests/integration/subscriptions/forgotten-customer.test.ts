// A customer of a Pro plan that Stripe no longer has (docs/product.md#how-pro-ends).
import { systemContext } from '@/lib/infra/context'
import { closeDatabase, db } from '@/lib/infra/db'
import { finishUpgrade } from '@/lib/subscriptions/finish-upgrade'
import { startUpgrade } from '@/lib/subscriptions/start-upgrade'
import { syncSubscription } from '@/lib/subscriptions/sync-subscription'
import { pay } from '@/tests/support/shop'
import { sessionOf, subscribe } from '@/tests/support/subscriber'

afterAll(closeDatabase)

const planOf = async (id: number) => {
  const { plan, subscription } = await db().user.findUniqueOrThrow({ where: { id }, include: { subscription: true } })
  return { plan, status: subscription?.status, isEntitled: subscription?.isEntitled }
}

it('when a customer was deleted at Stripe, the plan ends once, and the seller can buy Pro again', async () => {
  const { id, own, customer, email } = await subscribe()
  await db().sandboxObject.delete({ where: { id: customer } })
  for (const _time of [1, 2]) expect(await syncSubscription(systemContext('test'), customer)).toBe('free')
  expect(await planOf(id)).toEqual({ plan: 'free', status: 'canceled', isEntitled: false })
  const mails = await db().outboxMail.findMany({ where: { to: email } })
  expect(mails.filter(({ dedupeKey }) => dedupeKey.startsWith('pro-ended'))).toHaveLength(1)
  const url = await startUpgrade(own, 'monthly')
  expect((await pay(url)).status).toBe(303)
  expect(await finishUpgrade(own, sessionOf(url))).toBe(true)
  expect(await planOf(id)).toEqual({ plan: 'pro', status: 'active', isEntitled: true })
})

it('keys of another Stripe account, which knows no customer, end no plan', async () => {
  const { id, customer } = await subscribe()
  await db().platformSettings.update({ where: { id: 1 }, data: { stripeAccountId: 'acct_before' } })
  await db().sandboxObject.delete({ where: { id: customer } })
  const withKeys = { ...systemContext('test'), payments: 'live' as const }
  await expect(syncSubscription(withKeys, customer)).rejects.toThrow('No such customer')
  await db().platformSettings.update({ where: { id: 1 }, data: { stripeAccountId: null } })
  await expect(syncSubscription(withKeys, customer)).rejects.toThrow('No such customer')
  expect(await planOf(id)).toEqual({ plan: 'pro', status: 'active', isEntitled: true })
})
