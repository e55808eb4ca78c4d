import { closeDatabase } from '@/lib/infra/db'
import { newSecret } from '@/lib/kernel/id'
import { startCheckout } from '@/lib/checkout/start-checkout'
import { readUsedCents } from '@/lib/traders/queries'
import { makeDrop, makeSeller, visitor } from '@/tests/support/factories'
import { makePaidOrders } from '@/tests/support/make-paid-orders'

// These orders are inserted directly and have no matching stock or refunds, so the money audit does not run here.
afterAll(closeDatabase)

const priced = (amountCents: number) => ({
  ...{
    amountCents,
    unitPriceCents: amountCents,
    platformFeeBps: 0,
    platformFeeCents: 0,
    sellerPayoutCents: amountCents,
  },
})

it('the limit counts only the current calendar month, all drops of the seller, and payments less their refunds', async () => {
  const seller = await makeSeller()
  const beforeThisMonth = new Date().getUTCDate() + 1
  await makePaidOrders(seller, [
    { ...priced(90_000), daysAgo: beforeThisMonth },
    priced(30_000),
    { ...priced(50_000), refundedCents: 50_000, status: 'refunded' },
  ])
  const ctx = { ...visitor(), sellerLimit: { capCents: 100_000, homeCountry: 'US' } }
  const limit = { sellerId: seller.id, capCents: 100_000 }
  expect(await readUsedCents(ctx, limit)).toBe(30_000)
  const other = await makeDrop({ userId: seller.id, priceCents: 35_001 })
  const buy = (quantity: number) => startCheckout(ctx, { dropId: other.id, quantity, buyerToken: newSecret() })
  await expect(buy(2)).rejects.toMatchObject({ code: 'SELLER_LIMIT' })
  await buy(1)
})

it('refunds give back at most the limit once a month, because each of them costs a card fee', async () => {
  const seller = await makeSeller()
  const refunded = (cents: number) => ({ ...priced(cents), refundedCents: cents, status: 'refunded' as const })
  await makePaidOrders(seller, [refunded(90_000), refunded(60_000), priced(10_000)])
  const ctx = { ...visitor(), sellerLimit: { capCents: 100_000, homeCountry: 'US' } }
  expect(await readUsedCents(ctx, { sellerId: seller.id, capCents: 100_000 })).toBe(60_000)
  const drop = await makeDrop({ userId: seller.id, priceCents: 40_001 })
  const buy = () => startCheckout(ctx, { dropId: drop.id, quantity: 1, buyerToken: newSecret() })
  await expect(buy()).rejects.toMatchObject({ code: 'SELLER_LIMIT' })
})
