import { closeDatabase } from '@/lib/infra/db'
import { newSecret } from '@/lib/kernel/id'
import { makeDrop, visitorFrom } from '@/tests/support/factories'
import { startBuying } from '@/tests/support/shop'
import { outcomesOf } from './hold-support'

afterAll(closeDatabase)

it('refuses to replace a small open checkout by a large one while large checkouts of the network are open', async () => {
  const drop = await makeDrop({ quantity: 4_000, maxPerBuyer: 10, priceCents: 19_900 })
  const here = visitorFrom('203.0.113.91')
  const browsers = Array.from({ length: 8 }, () => newSecret())
  // Each of these counts nothing, because $199.00 is less than $200.
  for (const buyerToken of browsers) await startBuying(here, { dropId: drop.id, quantity: 1, buyerToken })
  // $1,990.00 counts almost nine payments. A new browser is refused after the first one.
  const [first = '', ...others] = browsers
  await startBuying(here, { dropId: drop.id, quantity: 10, buyerToken: first })
  const fresh = startBuying(here, { dropId: drop.id, quantity: 10, buyerToken: newSecret() })
  await expect(fresh).rejects.toMatchObject({ code: 'LARGE_ORDERS_OPEN' })
  const outcomes = []
  for (const buyerToken of others) {
    outcomes.push(await outcomesOf([startBuying(here, { dropId: drop.id, quantity: 10, buyerToken })]))
  }
  expect(outcomes).toEqual(others.map(() => ({ LARGE_ORDERS_OPEN: 1 })))
})

it('refuses all but one of several large checkouts that one network starts at the same moment', async () => {
  const drop = await makeDrop({ quantity: 400, maxPerBuyer: 1, priceCents: 1_000_000 })
  const start = () =>
    startBuying(visitorFrom('203.0.113.92'), { dropId: drop.id, quantity: 1, buyerToken: newSecret() })
  expect(await outcomesOf(Array.from({ length: 8 }, start))).toEqual({ ok: 1, LARGE_ORDERS_OPEN: 7 })
})
