import { type Context, systemContext } from '@/lib/infra/context'
import { closeDatabase, db, pool } from '@/lib/infra/db'
import { oneAtATimeLengths } from '@/lib/infra/one-at-a-time'
import { stripe } from '@/lib/infra/stripe'
import { newSecret } from '@/lib/kernel/id'
import { changeAddress } from '@/lib/shipping/change-address'
import { changeAddressSchema } from '@/lib/orders/address-schema'
import { cancelCheckout } from '@/lib/checkout/cancel-checkout'
import { limitReachedText, unpaidOfNetworkText } from '@/lib/checkout/hold/limit-messages'
import { limitToHome } from '@/lib/checkout/hold/limit-to-home'
import { settleCheckout } from '@/lib/checkout/settlement/settle-checkout'
import { startCheckout } from '@/lib/checkout/start-checkout'
import { startEmbeddedCheckout } from '@/lib/checkout/start-embedded-checkout'
import { findPublicDrop } from '@/lib/drops/queries'
import { findTraderNotice, readUsedCents } from '@/lib/traders/queries'
import { claimUnit } from '@/lib/waitlist/claim-unit'
import { confirmWaitlist } from '@/lib/waitlist/confirm-waitlist'
import { joinWaitlist } from '@/lib/waitlist/join-waitlist'
import { offerFreedUnits } from '@/lib/waitlist/offer-freed-units'
import { makeDrop, makeSeller, visitor, visitorFrom } from '@/tests/support/factories'
import { examineMoneyAfterEach } from '@/tests/support/examine-money-after-each'
import { pay, payEmbedded } from '@/tests/support/shop'
import { until } from '@/tests/support/until'

examineMoneyAfterEach()
afterAll(closeDatabase)

const CAP = { capCents: 100_000, homeCountry: 'US' }
const limited = (ctx: Context = visitor()): Context => ({ ...ctx, sellerLimit: CAP })
const buy = (dropId: number, quantity = 1, options: object = {}, ctx = limited()) =>
  startCheckout(ctx, { dropId, quantity, buyerToken: newSecret(), ...options })
const sessionOf = async (started: Promise<{ url: string } | object>) => {
  const { url } = (await started) as { url: string }
  return { url, id: new URL(url).pathname.split('/').at(-1) ?? '' }
}
const usedBy = (userId: number) => readUsedCents(limited(), { sellerId: userId, capCents: CAP.capCents })

it('simultaneous buyers together never hold more than the limit', async () => {
  const drop = await makeDrop({ priceCents: 20_000, quantity: 20 })
  const results = await Promise.allSettled(Array.from({ length: 12 }, () => buy(drop.id)))
  const refusals = results.flatMap((result) =>
    result.status === 'rejected' ? [result.reason as { code: string }] : [],
  )
  expect(refusals.map(({ code }) => code)).toEqual(Array(7).fill('SELLER_LIMIT'))
  expect(await db().drop.findUniqueOrThrow({ where: { id: drop.id } })).toMatchObject({ held: 5, sold: 0 })
  expect(await db().hold.count({ where: { dropId: drop.id } })).toBe(5)
  expect(await usedBy(drop.userId)).toBe(100_000)
})

it('leaves half of the limit to others when one network opens many checkouts and pays none', async () => {
  const drop = await makeDrop({ priceCents: 20_000, quantity: 20 })
  const network = limited(visitorFrom('203.0.113.94'))
  const first = await sessionOf(buy(drop.id, 1, {}, network))
  await buy(drop.id, 1, {}, network)
  await expect(buy(drop.id, 1, {}, network)).rejects.toMatchObject({
    code: 'SELLER_LIMIT',
    message: unpaidOfNetworkText,
  })
  expect(await usedBy(drop.userId)).toBe(40_000)
  await buy(drop.id)
  await pay(first.url)
  await settleCheckout(systemContext('test'), first.id)
  await buy(drop.id, 1, {}, network)
  // A change that would go above the half is refused before the open checkout is closed.
  const buyerToken = newSecret()
  const other = await makeDrop({ priceCents: 20_000, quantity: 20 })
  await buy(other.id, 1, {}, network)
  await buy(other.id, 1, { buyerToken }, network)
  const more = buy(other.id, 2, { buyerToken }, network)
  await expect(more).rejects.toMatchObject({ code: 'SELLER_LIMIT', message: unpaidOfNetworkText })
  expect(await db().hold.count({ where: { dropId: other.id, state: 'held' } })).toBe(2)
  const large = await makeDrop({ priceCents: 90_000 })
  await buy(large.id, 1, {}, network)
})

it('leaves connections for others while the buyers of one seller wait for each other', async () => {
  const drop = await makeDrop({ priceCents: 100, quantity: 100 })
  const locking = await pool().connect()
  const key = [drop.userId]
  await locking.query(`SELECT pg_advisory_lock(hashtextextended('seller-limit', $1::bigint))`, key)
  const buyers = Array.from({ length: 30 }, () => buy(drop.id))
  try {
    await until('line of buyers', () => Promise.resolve(oneAtATimeLengths().waiting === 29 || undefined))
    // One connection holds the lock here, and one waits for it.
    expect({ waiting: pool().waitingCount, used: pool().totalCount - pool().idleCount }).toEqual({
      waiting: 0,
      used: 2,
    })
  } finally {
    await locking.query(`SELECT pg_advisory_unlock(hashtextextended('seller-limit', $1::bigint))`, key)
    locking.release()
    await Promise.allSettled(buyers)
  }
  expect(await db().drop.findUniqueOrThrow({ where: { id: drop.id } })).toMatchObject({ held: 30 })
})

it('keeps the open checkout of a buyer whose next choice exceeds the limit, and replaces it by one that fits', async () => {
  const drop = await makeDrop({ priceCents: 30_000, quantity: 20 })
  await buy(drop.id)
  const buyerToken = newSecret()
  await buy(drop.id, 1, { buyerToken })
  const openOnes = () => db().hold.findMany({ where: { dropId: drop.id, state: 'held' }, select: { quantity: true } })
  const tooMany = buy(drop.id, 3, { buyerToken })
  await expect(tooMany).rejects.toMatchObject({ code: 'SELLER_LIMIT', message: limitReachedText(70_000) })
  expect(await openOnes()).toEqual([{ quantity: 1 }, { quantity: 1 }])
  // Together with the old checkout, this one would exceed the limit.
  await buy(drop.id, 2, { buyerToken })
  expect((await openOnes()).map(({ quantity }) => quantity).sort()).toEqual([1, 2])
  expect(await usedBy(drop.userId)).toBe(90_000)
})

it('counts payments and open checkouts, but no checkout that ended unpaid', async () => {
  const drop = await makeDrop({ priceCents: 40_000, quantity: 20 })
  const paid = await sessionOf(buy(drop.id))
  await pay(paid.url)
  await settleCheckout(systemContext('test'), paid.id)
  await buy(drop.id)
  expect(await usedBy(drop.userId)).toBe(80_000)
  await expect(buy(drop.id)).rejects.toMatchObject({ code: 'SELLER_LIMIT', message: limitReachedText(20_000) })
  const { token } = await db().order.findFirstOrThrow({ where: { dropId: drop.id, status: 'pending' } })
  await cancelCheckout(limited(), token)
  expect(await usedBy(drop.userId)).toBe(40_000)
  await buy(drop.id)
})

it('does not limit a seller whom Stripe has checked, nor any seller if the operator set no limit', async () => {
  const ready = await makeSeller({ payoutsState: 'ready', stripeAccountId: `acct_${newSecret()}` })
  const drop = await makeDrop({ userId: ready.id, priceCents: 60_000 })
  await buy(drop.id, 2)
  const free = await makeDrop({ priceCents: 60_000 })
  await buy(free.id, 2, {}, visitor())
  expect(await findTraderNotice(limited(), ready.id)).toMatchObject({ limit: null })
  expect(await findTraderNotice(visitor(), free.userId)).toMatchObject({ limit: null })
})

it('warns the seller from 80% of the limit on, and again when the limit is reached', async () => {
  const drop = await makeDrop({ priceCents: 10_000, quantity: 20 })
  await buy(drop.id, 7)
  expect((await findTraderNotice(limited(), drop.userId)).limit).toBeNull()
  await buy(drop.id, 1)
  expect((await findTraderNotice(limited(), drop.userId)).limit).toMatchObject({ stage: 'near', usedCents: 80_000 })
  await buy(drop.id, 2)
  expect((await findTraderNotice(limited(), drop.userId)).limit).toMatchObject({ stage: 'full', usedCents: 100_000 })
})

it('does not offer the waitlist a unit that the seller may not sell', async () => {
  const seller = await makeSeller({ plan: 'pro' })
  const drop = await makeDrop({ userId: seller.id, priceCents: 90_000, quantity: 2 })
  const cheap = await makeDrop({ userId: drop.userId, priceCents: 4_000, quantity: 2 })
  for (const { id, uniqueId } of [drop, cheap]) {
    await buy(id)
    await db().drop.update({ where: { id }, data: { quantity: 1 } })
    const email = `w${newSecret()}@example.com`.toLowerCase()
    await joinWaitlist(visitor(), { identifier: uniqueId, email })
    const mail = await db().outboxMail.findFirstOrThrow({ where: { to: email } })
    await confirmWaitlist(visitor(), /\/remind\/confirm\?token=(\w+)/.exec(mail.text)?.[1] ?? '')
    await db().drop.update({ where: { id }, data: { quantity: 2 } })
  }
  await offerFreedUnits(limited(systemContext('waitlist')))
  expect(await db().hold.count({ where: { dropId: drop.id } })).toBe(1)
  // A cheaper drop of the same seller still fits within the limit.
  expect(await db().hold.count({ where: { dropId: cheap.id } })).toBe(2)
  await offerFreedUnits(systemContext('waitlist'))
  expect(await db().hold.count({ where: { dropId: drop.id } })).toBe(2)
})

it('a claim whose surcharge exceeds the limit is refused, keeps the unit, and works once the limit has room', async () => {
  const shippingZones = [{ cents: 2_000, countries: ['US'] }]
  const drop = await makeDrop({ priceCents: 99_000, quantity: 1, held: 1, shippingZones })
  const email = `w${newSecret()}@example.com`.toLowerCase()
  await joinWaitlist(visitor(), { identifier: drop.uniqueId, email })
  const newest = async () =>
    (await db().outboxMail.findFirstOrThrow({ where: { to: email }, orderBy: { id: 'desc' } })).text
  await confirmWaitlist(visitor(), /\/remind\/confirm\?token=(\w+)/.exec(await newest())?.[1] ?? '')
  await db().drop.update({ where: { id: drop.id }, data: { held: 0 } })
  await offerFreedUnits(limited(systemContext('waitlist')))
  const secret = /\/claim\/(\w+)/.exec(await newest())?.[1] ?? ''
  await expect(claimUnit(limited(), secret, 'US')).rejects.toMatchObject({ code: 'SELLER_LIMIT' })
  expect(await db().order.findFirstOrThrow({ where: { dropId: drop.id } })).toMatchObject({ amountCents: 99_000 })
  const higher = { ...visitor(), sellerLimit: { ...CAP, capCents: 101_000 } }
  await claimUnit(higher, secret, 'US')
  expect(await db().order.findFirstOrThrow({ where: { dropId: drop.id } })).toMatchObject({ amountCents: 101_000 })
})

describe('parcels of a limited seller', () => {
  const stating = (userId: number, country: string) =>
    db().sellerDetails.create({ data: { userId, kind: 'private', country } })

  it('go only to the home country, which the seller stated or else the operator chose', async () => {
    const drop = await makeDrop()
    const countriesOf = async () => {
      const { id } = await sessionOf(buy(drop.id))
      const session = await stripe().checkout.sessions.retrieve(id)
      return session.shipping_address_collection?.allowed_countries
    }
    expect(await countriesOf()).toEqual(['US'])
    await stating(drop.userId, 'DE')
    expect(await countriesOf()).toEqual(['DE'])
    const orders = await db().order.findMany({ where: { dropId: drop.id }, orderBy: { createdAt: 'asc' } })
    expect(orders).toMatchObject([
      { shipsTo: 'US', shippingCents: 0 },
      { shipsTo: 'DE', shippingCents: 0 },
    ])
  })

  it('keep the surcharge of the home country, and other countries are refused', async () => {
    const shippingZones = [
      { cents: 0, countries: ['US'] },
      { cents: 600, countries: ['DE', 'FR'] },
    ]
    const drop = await makeDrop({ shippingZones })
    await stating(drop.userId, 'FR')
    const row = await findPublicDrop(limited(), String(drop.id))
    expect((await limitToHome(limited(), row!)).shippingZones).toEqual([{ cents: 600, countries: ['FR'] }])
    await expect(buy(drop.id, 1, { country: 'DE' })).rejects.toMatchObject({ code: 'COUNTRY_REFUSED' })
    await buy(drop.id, 1, { country: 'FR' })
    expect(await db().order.findFirst({ where: { dropId: drop.id } })).toMatchObject({
      shipsTo: 'FR',
      amountCents: 3_000,
    })
  })

  it('cannot be sold when the drop is not shipped to the home country', async () => {
    const drop = await makeDrop({ shippingZones: [{ cents: 0, countries: ['JP'] }] })
    await expect(buy(drop.id)).rejects.toMatchObject({ code: 'SELLER_HOME' })
    const elsewhere = await makeDrop()
    await stating(elsewhere.userId, 'GR')
    await expect(buy(elsewhere.id)).rejects.toMatchObject({ code: 'SELLER_HOME' })
  })

  it('keep their country after the payment, and a payment for another country is refunded', async () => {
    const drop = await makeDrop()
    const buyFor = async (address: Record<string, string>) => {
      const { clientSecret } = await startEmbeddedCheckout(limited(), { dropId: drop.id, buyerToken: newSecret() })
      await payEmbedded(clientSecret, { email: 'bea@example.com', ...address })
      return settleCheckout(systemContext('test'), clientSecret.split('_secret_')[0] ?? '')
    }
    expect(
      await buyFor({ country: 'US', city: 'Austin', state: 'TX', postalCode: '78701', line1: 'Long Lane 1' }),
    ).toBe('paid')
    const { token } = await db().order.findFirstOrThrow({ where: { dropId: drop.id } })
    const address = { name: 'Bea', line1: 'Rue 1', line2: '', city: 'Paris', state: '', postalCode: '75001' }
    const moved = changeAddressSchema.parse({ token, ...address, country: 'FR', phone: '+33 555 0100' })
    await expect(changeAddress(visitor(), moved)).rejects.toMatchObject({ code: 'ADDRESS_COUNTRY' })
    expect(await buyFor({ country: 'FR', city: 'Paris', postalCode: '75001', line1: 'Rue 1' })).toBe('mismatch')
  })

  it('keep their country after the payment, although the zone of the drop has more countries', async () => {
    const drop = await makeDrop({ shippingZones: [{ cents: 0, countries: ['US', 'CA'] }] })
    const { id, url } = await sessionOf(buy(drop.id, 1, { country: 'US' }))
    await pay(url)
    await settleCheckout(systemContext('test'), id)
    const { token } = await db().order.findFirstOrThrow({ where: { dropId: drop.id } })
    const address = { name: 'Bea', line1: 'King St 1', line2: '', city: 'Toronto', state: 'ON', postalCode: 'M5V 1J2' }
    const moved = changeAddressSchema.parse({ token, ...address, country: 'CA', phone: '+1 555 0100' })
    await expect(changeAddress(limited(), moved)).rejects.toMatchObject({ code: 'ADDRESS_COUNTRY' })
    await db().user.update({ where: { id: drop.userId }, data: { payoutsState: 'ready' } })
    expect(await changeAddress(limited(), moved)).toBe(true)
  })

  it('keep their checkout when the buyer tries again, and can also be bought in the embedded checkout', async () => {
    const drop = await makeDrop()
    const buyerToken = newSecret()
    const first = await buy(drop.id, 1, { buyerToken })
    expect(await buy(drop.id, 1, { buyerToken, country: 'US' })).toEqual(first)
    await startEmbeddedCheckout(limited(), { dropId: drop.id, buyerToken: newSecret() })
    expect(await db().hold.count({ where: { dropId: drop.id } })).toBe(2)
  })

  it('are limited to the home country, unlike digital products', async () => {
    const drop = await makeDrop({ productType: 'digital' })
    const row = await findPublicDrop(limited(), String(drop.id))
    expect(await limitToHome(limited(), row!)).toBe(row)
  })
})
