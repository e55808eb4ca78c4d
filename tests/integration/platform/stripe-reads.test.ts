import { closeDatabase, db } from '@/lib/infra/db'
import { planStripeReads } from '@/lib/jobs/plan-stripe-reads'
import { makeSeller, visitor } from '@/tests/support/factories'

afterAll(closeDatabase)

const forget = (name: string) => db().rateLimit.deleteMany({ where: { key: { startsWith: name } } })

it('an open page for Pro causes 120 reads of a day at Stripe half a minute apart, and then one every ten minutes', async () => {
  const seller = await makeSeller()
  await db().upgradeCheckout.create({
    data: {
      userId: seller.id,
      billingPeriod: 'monthly',
      attempt: 'att_reads',
      expiresAt: new Date(Date.now() + 3_600_000),
    },
  })
  await forget('stripe-look')
  let reads = 0
  for (let halfMinutes = 0; halfMinutes < 125; halfMinutes += 1) {
    await forget('stripe-look-buying')
    if ((await planStripeReads(visitor())).looksForLost) reads += 1
  }
  expect(reads).toBe(121)
  await forget('stripe-look-buying')
  await forget('stripe-look-slow')
  expect((await planStripeReads(visitor())).looksForLost).toBe(true)
})
