import { closeDatabase } from '@/lib/infra/db'
import { newSecret } from '@/lib/kernel/id'
import { makeDrop, visitorFrom } from '@/tests/support/factories'
import { startBuying } from '@/tests/support/shop'
import { heldOf, outcomesOf } from './hold-support'

afterAll(closeDatabase)

it("a buyer's own large checkout does not keep the buyer from changing it while the drop is crowded", async () => {
  const drop = await makeDrop({ quantity: 10, priceCents: 20_000 })
  const buyer = { dropId: drop.id, buyerToken: newSecret() }
  const here = visitorFrom('203.0.113.131')
  await startBuying(here, { ...buyer, quantity: 7 })
  await startBuying(here, { ...buyer, quantity: 6 })
  expect(await heldOf(drop.id)).toMatchObject([{ quantity: 6 }])
})

it('refuses all but one of several large checkouts that one network starts at the same moment on a crowded drop', async () => {
  const drop = await makeDrop({ quantity: 400, priceCents: 200_000 })
  const start = (ip: string, quantity: number) =>
    startBuying(visitorFrom(ip), { dropId: drop.id, quantity, buyerToken: newSecret() })
  for (let other = 1; other <= 41; other += 1) await start(`198.51.${other}.7`, 5)
  const atOnce = Array.from({ length: 20 }, () => start('203.0.113.132', 1))
  expect(await outcomesOf(atOnce)).toEqual({ ok: 1, LARGE_ORDERS_OPEN: 19 })
})
