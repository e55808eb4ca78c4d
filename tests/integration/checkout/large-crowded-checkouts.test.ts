import { closeDatabase } from '@/lib/infra/db'
import { newSecret } from '@/lib/kernel/id'
import { makeDrop, visitorFrom } from '@/tests/support/factories'
import { startBuying } from '@/tests/support/shop'
import { heldOf } from './hold-support'

afterAll(closeDatabase)

it("a buyer's own large checkout does not keep the buyer from changing it while the drop is crowded", async () => {
  const drop = await makeDrop({ quantity: 10, priceCents: 20_000 })
  const buyer = { dropId: drop.id, buyerToken: newSecret() }
  const here = visitorFrom('203.0.113.131')
  await startBuying(here, { ...buyer, quantity: 7 })
  await startBuying(here, { ...buyer, quantity: 6 })
  expect(await heldOf(drop.id)).toMatchObject([{ quantity: 6 }])
})
