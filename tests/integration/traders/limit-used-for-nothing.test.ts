import { type Context, systemContext } from '@/lib/infra/context'
import { closeDatabase } from '@/lib/infra/db'
import { newSecret } from '@/lib/kernel/id'
import { releaseHold } from '@/lib/checkout/hold/release-hold'
import { settleCheckout } from '@/lib/checkout/settlement/settle-checkout'
import { startCheckout } from '@/lib/checkout/start-checkout'
import { makeDrop, visitorFrom } from '@/tests/support/factories'
import { ageHolds, pay, startBuying } from '@/tests/support/shop'
import { holdsOf } from '../checkout/hold-support'

afterAll(closeDatabase)

const CAP = { capCents: 100_000, homeCountry: 'US' }
const from = (network: string): Context => ({ ...visitorFrom(network), sellerLimit: CAP })

it('payments that only led to a refund by the platform do not use up the limit of the seller', async () => {
  const drop = await makeDrop({ priceCents: 10_000, quantity: 200, maxPerBuyer: 2, productType: 'digital' })
  const buy = async (network: string, quantity: number) => {
    const started = await startBuying(from(network), { dropId: drop.id, quantity, buyerToken: newSecret() })
    const { url } = started as { url: string }
    await pay(url)
    return settleCheckout(systemContext('test'), new URL(url).pathname.split('/').at(-1) ?? '')
  }
  expect(await buy('203.0.113.101', 1)).toBe('paid')
  // Two networks pay nine times above the limit per buyer. All of it is refunded by the platform.
  const networks = [...Array<string>(5).fill('203.0.113.101'), ...Array<string>(4).fill('203.0.113.102')]
  for (const network of networks) expect(await buy(network, 2)).toBe('refunded')
  // The seller has sold one unit for $100.00 this month, so $900.00 are left.
  const other = startCheckout(from('203.0.113.103'), { dropId: drop.id, quantity: 2, buyerToken: newSecret() })
  expect(await other.then(() => 'ok').catch((error: { code: string }) => error.code)).toBe('ok')
})

it('one visitor cannot use up the limit of a new seller with one unpaid checkout after the other', async () => {
  const drop = await makeDrop({ priceCents: 10_000, quantity: 200, productType: 'digital' })
  const outcomes: string[] = []
  const errorOf = (buying: Promise<unknown>) => buying.then(() => 'ok').catch((error: { code: string }) => error.code)
  for (let round = 0; round < 3; round += 1) {
    const attacker = { dropId: drop.id, quantity: 10, buyerToken: newSecret() }
    const taken = await errorOf(startBuying(from('203.0.113.104'), attacker))
    const honest = startBuying(from('203.0.113.105'), { dropId: drop.id, quantity: 1, buyerToken: newSecret() })
    outcomes.push(`${taken}, ${await errorOf(honest)}`)
    // The checkouts end unpaid after their 31 minutes.
    await ageHolds(drop.id, 31 * 60)
    for (const { id } of await holdsOf(drop.id)) await releaseHold(systemContext('test'), id, 'expired')
  }
  // The first order may use the whole limit, because it may be honest.
  expect(outcomes).toEqual(['ok, SELLER_LIMIT', 'SELLER_LIMIT, ok', 'SELLER_LIMIT, ok'])
})
