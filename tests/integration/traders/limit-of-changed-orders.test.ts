import { type Context, systemContext } from '@/lib/infra/context'
import { closeDatabase } from '@/lib/infra/db'
import { newSecret } from '@/lib/kernel/id'
import { releaseHold } from '@/lib/checkout/hold/release-hold'
import { makeDrop, visitorFrom } from '@/tests/support/factories'
import { ageHolds, startBuying } from '@/tests/support/shop'
import { heldOf } from '../checkout/hold-support'

afterAll(closeDatabase)

const from = (network: string): Context => ({
  ...visitorFrom(network),
  sellerLimit: { capCents: 100_000, homeCountry: 'US' },
})

it('a buyer whose changed order the seller may not accept keeps the open checkout', async () => {
  const drop = await makeDrop({ priceCents: 10_000, quantity: 200, productType: 'digital' })
  const buyer = { dropId: drop.id, buyerToken: newSecret() }
  await startBuying(from('203.0.113.121'), { ...buyer, quantity: 8 })
  const [first] = await heldOf(drop.id)
  // The buyer thinks about it for twelve minutes on the payment page, and wants one unit less.
  await ageHolds(drop.id, 12 * 60)
  const changed = startBuying(from('203.0.113.121'), { ...buyer, quantity: 7 })
  await expect(changed).rejects.toMatchObject({ code: 'SELLER_LIMIT' })
  expect((await heldOf(drop.id)).map(({ id }) => id)).toEqual([first?.id])
})

it('a buyer whose embedded checkout has run out once may order the same again', async () => {
  const drop = await makeDrop({ priceCents: 10_000, quantity: 200, productType: 'digital' })
  const buyer = { dropId: drop.id, buyerToken: newSecret(), quantity: 8 }
  await startBuying(from('203.0.113.122'), buyer)
  // An embedded checkout ends after ten minutes, and the sweep notices that some seconds later.
  await ageHolds(drop.id, 10 * 60 + 20)
  for (const { id } of await heldOf(drop.id)) await releaseHold(systemContext('test'), id, 'expired')
  expect(await startBuying(from('203.0.113.122'), buyer)).toMatchObject({ url: expect.any(String) as string })
})
