import { closeDatabase, database, db } from '@/lib/infra/db'
import { systemContext } from '@/lib/infra/context'
import { standIn, stripe } from '@/lib/infra/stripe'
import { newId, newSecret } from '@/lib/kernel/id'
import { splitAmount } from '@/lib/kernel/money'
import { findPublicDrop, getSellerDrop } from '@/lib/drops/queries'
import { toDropView, toSellerDropView } from '@/lib/drops/view'
import { changeAddress } from '@/lib/shipping/change-address'
import { checkWalletPayment } from '@/lib/checkout/wallet/check-wallet-payment'
import { evidenceOf } from '@/lib/refunds/evidence-of'
import { getSellerOrder } from '@/lib/orders/get-seller-order'
import { findBuyerOrder } from '@/lib/orders/queries'
import { refundOrder } from '@/lib/refunds/refund-order'
import { changeAddressSchema } from '@/lib/orders/address-schema'
import { findOrderRecord } from '@/lib/orders/seller-queries'
import { settleCheckout } from '@/lib/checkout/settlement/settle-checkout'
import { startCheckout } from '@/lib/checkout/start-checkout'
import { startEmbeddedCheckout } from '@/lib/checkout/start-embedded-checkout'
import { takeHold } from '@/lib/checkout/hold/take-hold'
import { getRecap } from '@/lib/payouts/get-recap'
import { listPayoutLines } from '@/lib/payouts/queries'
import { dropJsonLd } from '@/lib/previews/drop-json-ld'
import { dropMetadata, previewVersion, toPreviewedDrop } from '@/lib/previews/drop-metadata'
import { startCalendar } from '@/lib/previews/start-calendar'
import { makeCodedDrop } from '@/tests/support/make-coded-drop'
import { actorOf, contextFor, makeDrop, makeSeller, visitor, visitorFrom } from '@/tests/support/factories'
import { examineMoneyAfterEach } from '@/tests/support/examine-money-after-each'
import { openCheckout, pay, payEmbedded } from '@/tests/support/shop'
import { readOrdersCsv } from '@/tests/support/read-exports'

examineMoneyAfterEach()
afterAll(closeDatabase)

const shippingZones = [
  { cents: 0, countries: ['US'] },
  { cents: 600, countries: ['DE', 'FR'] },
  { cents: 1500, countries: ['JP'] },
]
const job = () => systemContext('test')
const orderOf = (dropId: number) => db().order.findFirstOrThrow({ where: { dropId }, orderBy: { createdAt: 'desc' } })
const intentOf = (secret: string) => secret.split('_secret_')[0] ?? ''
const stock = async (id: number) => {
  const { sold, held } = await db().drop.findUniqueOrThrow({ where: { id } })
  return { sold, held }
}
const berlin = { country: 'DE', city: 'Berlin', postalCode: '10115', line1: 'Lange Straße 1' }

async function makeZoned(overrides: Parameters<typeof makeDrop>[0] = {}) {
  const seller = await makeSeller({ plan: 'pro' })
  const drop = await makeDrop({ userId: seller.id, shippingZones, ...overrides })
  await db().dropRun.create({
    data: { dropId: drop.id, run: 1, quantity: drop.quantity, startedAt: drop.startedAt, endTime: drop.endTime },
  })
  return { drop, seller: contextFor(actorOf(seller)) }
}

/** Sells and refunds a drop without a code, zones and numbers, and returns the email about the refund. */
async function sellPlain(): Promise<string> {
  const seller = await makeSeller({ plan: 'pro' })
  const drop = await makeDrop({ userId: seller.id })
  const { url, sessionId } = await openCheckout(drop.id)
  await pay(url)
  await settleCheckout(job(), sessionId)
  const { id: orderId } = await orderOf(drop.id)
  const refundId = newId('ref')
  await refundOrder(contextFor(actorOf(seller)), { orderId, refundId, amountCents: 500, restockUnits: 0 })
  return (await db().outboxMail.findUniqueOrThrow({ where: { dedupeKey: `refund:${refundId}` } })).text
}

/** Buys on the embedded checkout's form. */
async function buyEmbedded(dropId: number, country: string, fields: Record<string, string> = berlin) {
  const started = await startEmbeddedCheckout(visitor(), { dropId, country, buyerToken: newSecret() })
  await payEmbedded(started.clientSecret, fields)
  return { ...started, outcome: await settleCheckout(job(), intentOf(started.clientSecret)) }
}

describe('the surcharge', () => {
  it('is charged once per order by the hosted checkout, which accepts only an address in this country', async () => {
    const { drop, seller } = await makeZoned()
    const { url, sessionId } = await openCheckout(drop.id, { quantity: 3, country: 'de' })
    const session = await stripe().checkout.sessions.retrieve(sessionId, { expand: ['line_items'] })
    expect(session).toMatchObject({
      amount_total: 7800,
      metadata: { shipsTo: 'DE', shippingCents: '600' },
      shipping_address_collection: { allowed_countries: ['DE'] },
    })
    expect(session.line_items?.data.map((line) => [line.description, line.amount_total])).toEqual([
      ['Test mug', 7200],
      ['Shipping to Germany', 600],
    ])
    const inFrance = { email: 'b@example.com', cardNumber: '4242424242424242', name: 'Bea', ...berlin, country: 'FR' }
    const request = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(inFrance) }
    expect(await (await standIn()!.pages(new Request(`${url}/pay`, request))).text()).toContain("doesn't ship")
    await pay(url)
    expect(await settleCheckout(job(), sessionId)).toBe('paid')
    const order = await orderOf(drop.id)
    expect(order).toMatchObject({
      ...{ shipsTo: 'DE', shippingCents: 600, unitPriceCents: 2400, amountCents: 7800, shipCountry: 'DE' },
      ...splitAmount(7800, order.platformFeeBps),
    })
    await expect(
      refundOrder(seller, { orderId: order.id, refundId: newId('ref'), amountCents: 7801, restockUnits: 0 }),
    ).rejects.toMatchObject({ code: 'REFUND_TOO_LARGE' })
    // Refunds the price of two units, and then the rest including the surcharge.
    await refundOrder(seller, { orderId: order.id, refundId: newId('ref'), amountCents: 4800, restockUnits: 2 })
    await refundOrder(seller, { orderId: order.id, refundId: newId('ref'), amountCents: 3000, restockUnits: 1 })
    expect(await orderOf(drop.id)).toMatchObject({ status: 'refunded', refundedCents: 7800 })
    expect(await stock(drop.id)).toEqual({ sold: 0, held: 0 })
  })

  it('is charged by the embedded checkout and by a wallet, whose address has to be in this country', async () => {
    const { drop } = await makeZoned()
    const { outcome } = await buyEmbedded(drop.id, 'FR', { ...berlin, country: 'FR' })
    expect(outcome).toBe('paid')
    expect(await orderOf(drop.id)).toMatchObject({ shipsTo: 'FR', amountCents: 3000 })

    const buyerToken = newSecret()
    const tap = await startEmbeddedCheckout(visitor(), { dropId: drop.id, quantity: 2, country: 'JP', buyerToken })
    expect(tap.amountCents).toBe(6300)
    const details = { email: 'd@example.com', name: 'Dana', line1: '1 Street', line2: '', city: 'Tokyo', state: '' }
    const check = (country: string) =>
      checkWalletPayment(visitor(), {
        ...{ paymentIntentId: intentOf(tap.clientSecret), amountCents: 6300, buyerToken },
        details: { ...details, postalCode: '100', country, phone: '+81 555 0100' },
      })
    await expect(check('US')).rejects.toMatchObject({
      ...{ code: 'WALLET_DETAILS', field: 'country', message: expect.stringContaining('You chose shipping to Japan') },
    })
    await expect(check('JP')).resolves.toBeUndefined()
  })

  it('is added to the price with a discount code, and not discounted itself', async () => {
    const { drop } = await makeCodedDrop({}, { shippingZones })
    const { url, sessionId } = await openCheckout(drop.id, { code: 'FRIENDS', quantity: 2, country: 'FR' })
    await pay(url)
    expect(await settleCheckout(job(), sessionId)).toBe('paid')
    expect(await orderOf(drop.id)).toMatchObject({ discountCents: 960, shippingCents: 600, amountCents: 4440 })
  })

  it('is named in the email about a refund, with the code and the numbers that are retired', async () => {
    const { drop, seller } = await makeCodedDrop({}, { shippingZones, isNumbered: true })
    const { id: dropId, quantity: units, startedAt, endTime } = drop
    await db().dropRun.create({ data: { dropId, run: 1, quantity: units, startedAt, endTime } })
    const { url, sessionId } = await openCheckout(drop.id, { code: 'FRIENDS', quantity: 3, country: 'FR' })
    await pay(url)
    expect(await settleCheckout(job(), sessionId)).toBe('paid')
    const { id: orderId } = await orderOf(drop.id)
    const refund = async (amountCents: number) => {
      const refundId = newId('ref')
      await refundOrder(seller, { orderId, refundId, amountCents, restockUnits: 0 })
      const { text } = await db().outboxMail.findUniqueOrThrow({ where: { dedupeKey: `refund:${refundId}` } })
      return text
    }
    // Three units of $24 less 20 %, and $6 for shipping.
    const small = await refund(1000)
    expect(small).toContain('Paid: $63.60 USD')
    expect(small).toContain('Discount: FRIENDS, −$14.40')
    expect(small).toContain('Shipping to France: $6.00')
    expect(small).not.toContain('Retired')
    expect(await refund(920)).toContain('Retired number: No. 3')
    expect(await refund(1920)).toContain('Retired numbers: No. 2–3')
    const plain = await sellPlain()
    expect(plain).not.toMatch(/Discount|Shipping to|Retired/)
  })

  it('is announced beside the price in link previews, pictures and the calendar file', async () => {
    const { drop } = await makeZoned()
    const zoned = (await findPublicDrop(database(), drop.uniqueId))!
    const plain = { ...zoned, shippingZones: null }
    const free = { ...zoned, shippingZones: [{ cents: 0, countries: ['DE'] }] }
    expect(dropMetadata(toPreviewedDrop(zoned)).description).toMatch(/^\$24\.00 plus shipping · /)
    expect(startCalendar(zoned, 'https://example.com')).toContain('$24.00 plus shipping.')
    for (const row of [plain, free]) {
      expect(dropMetadata(toPreviewedDrop(row)).description).toMatch(/^\$24\.00 · /)
      expect(startCalendar(row, 'https://example.com')).not.toContain('plus shipping')
    }
    // The picture shows the price. A surcharge changes that price, and zones without a surcharge do not.
    expect(previewVersion(toPreviewedDrop(zoned))).not.toBe(previewVersion(toPreviewedDrop(plain)))
    expect(previewVersion(toPreviewedDrop(free))).toBe(previewVersion(toPreviewedDrop(plain)))
  })

  it('is 0 for a country without one, and needs no choice for a drop with one country', async () => {
    const { drop } = await makeZoned()
    const { sessionId } = await openCheckout(drop.id, { country: 'US' })
    expect((await stripe().checkout.sessions.retrieve(sessionId)).amount_total).toBe(2400)
    const one = await makeZoned({ shippingZones: [{ cents: 450, countries: ['PT'] }] })
    await openCheckout(one.drop.id)
    expect(await orderOf(one.drop.id)).toMatchObject({ shipsTo: 'PT', amountCents: 2850 })
  })

  it('is in every list, email, file and sum', async () => {
    const { drop, seller } = await makeZoned()
    await buyEmbedded(drop.id, 'DE')
    const order = await orderOf(drop.id)
    const shipping = { country: 'DE', cents: 600 }
    expect(await findBuyerOrder(db(), order.token)).toMatchObject({ shipping, amountCents: 3000 })
    expect(await getSellerOrder(seller, drop.userId, order.id)).toMatchObject({ shipping })
    expect(await readOrdersCsv(database(), drop.userId)).toMatch(
      /,country,shipping,early,option,run\r\n.*,DE,6\.00,,,1\r\n/,
    )
    for (const key of ['receipt', 'sale']) {
      const mail = await db().outboxMail.findUniqueOrThrow({ where: { dedupeKey: `${key}:${order.id}` } })
      expect(mail.text).toMatch(/Shipping to Germany:? +\$6\.00/)
      expect(mail.text).toMatch(/\$30\.00/)
    }
    const record = await findOrderRecord(db(), order.id)
    expect(evidenceOf(record!, '', 'http://localhost').product_description).toContain('Shipping to Germany $6.00')
    expect(await listPayoutLines(db(), drop.userId, 5)).toMatchObject([{ amountCents: 3000, shippingCents: 600 }])
    const mine = await getSellerDrop(database(), drop.id, drop.userId)
    expect(toSellerDropView(mine).revenueCents).toBe(3000)
    const recap = await getRecap(database(), { sellerId: drop.userId, dropId: drop.id, run: 1 })
    expect(recap?.money.paidCents).toBe(3000)
    const view = toDropView(mine)
    expect(view.shippingZones?.[1]).toEqual({ surcharge: '6.00', surchargeCents: 600, countries: ['DE', 'FR'] })
    const { offers } = JSON.parse(dropJsonLd(view)) as { offers: { shippingDetails: object[] } }
    expect(offers.shippingDetails).toMatchObject([
      { shippingRate: { value: '0.00' }, shippingDestination: { addressCountry: ['US'] } },
      { shippingRate: { value: '6.00' }, shippingDestination: { addressCountry: ['DE', 'FR'] } },
      { shippingRate: { value: '15.00' }, shippingDestination: { addressCountry: ['JP'] } },
    ])
  })
})

describe('a choice that cannot be sold', () => {
  it.each([
    [undefined, 'COUNTRY_MISSING'],
    ['', 'COUNTRY_MISSING'],
    ['ZZ', 'COUNTRY_UNKNOWN'],
    ["DE'; --", 'COUNTRY_UNKNOWN'],
    ['GB', 'COUNTRY_REFUSED'],
  ])('%j is refused by both checkouts with %s, and no unit is held', async (country, code) => {
    const { drop } = await makeZoned()
    const chosen = country === undefined ? {} : { country }
    const buyer = { dropId: drop.id, quantity: 1, buyerToken: newSecret(), ...chosen }
    await expect(startCheckout(visitor(), buyer)).rejects.toMatchObject({ code, field: 'country' })
    await expect(startEmbeddedCheckout(visitor(), buyer)).rejects.toMatchObject({ code, field: 'country' })
    expect(await db().hold.count({ where: { dropId: drop.id } })).toBe(0)
  })

  it('a country changes nothing for a drop whose price includes shipping, and an unknown one is refused', async () => {
    const drop = await makeDrop({ quantity: 2 })
    const { sessionId } = await openCheckout(drop.id, { country: 'de' })
    const order = await db().order.findUniqueOrThrow({ where: { stripeSessionId: sessionId } })
    expect(order).toMatchObject({ shipsTo: null, shippingCents: 0, amountCents: drop.priceCents })
    await expect(openCheckout(drop.id, { country: 'ZZ' })).rejects.toMatchObject({ code: 'COUNTRY_UNKNOWN' })
  })

  it('is refused by the statement itself, whatever the caller has checked', async () => {
    const { drop } = await makeZoned()
    const plain = await makeDrop()
    const units = { quantity: 1, buyerKey: newSecret(), mode: 'hosted', holdMs: 60_000 } as const
    expect(await takeHold(job(), { ...units, dropId: drop.id })).toBeNull()
    expect(await takeHold(job(), { ...units, dropId: drop.id, shipsTo: 'GB' })).toBeNull()
    expect(await takeHold(job(), { ...units, dropId: plain.id, shipsTo: 'DE' })).toBeNull()
    expect(await stock(drop.id)).toEqual({ sold: 0, held: 0 })
  })

  it('another country replaces the open checkout, and no choice keeps its country', async () => {
    const { drop } = await makeZoned()
    const buyer = { buyerToken: newSecret() }
    const first = await openCheckout(drop.id, { ...buyer, country: 'DE' })
    expect(await openCheckout(drop.id, buyer)).toEqual(first)
    const second = await openCheckout(drop.id, { ...buyer, country: 'JP' })
    expect(second.sessionId).not.toBe(first.sessionId)
    expect((await stripe().checkout.sessions.retrieve(first.sessionId)).status).toBe('expired')
    expect(await stock(drop.id)).toEqual({ sold: 0, held: 1 })
  })

  it('a buyer can replace the open checkout 20 times in ten minutes, and then keeps the last one', async () => {
    const { drop } = await makeZoned()
    const buyer = { buyerToken: newSecret() }
    const countries = ['DE', 'JP']
    await openCheckout(drop.id, { ...buyer, country: 'US' })
    for (let at = 0; at < 20; at += 1) await openCheckout(drop.id, { ...buyer, country: countries[at % 2]! })
    await expect(openCheckout(drop.id, { ...buyer, country: 'DE' })).rejects.toMatchObject({ code: 'RESTARTED_OFTEN' })
    expect(await stock(drop.id)).toEqual({ sold: 0, held: 1 })
    await openCheckout(drop.id, { ...buyer, country: 'JP' })
  })

  it('a payment with an address in another country is refunded in full, with an email that says why', async () => {
    const { drop } = await makeZoned()
    const { outcome } = await buyEmbedded(drop.id, 'US', { ...berlin, country: 'JP' })
    expect(outcome).toBe('mismatch')
    expect(await stock(drop.id)).toEqual({ sold: 0, held: 0 })
    const refund = await db().refund.findFirstOrThrow({ where: { order: { dropId: drop.id } } })
    expect(refund).toMatchObject({ amountCents: 2400, state: 'succeeded' })
    const mail = await db().outboxMail.findUniqueOrThrow({ where: { dedupeKey: `mismatch-refund:${refund.id}` } })
    expect(mail.text).toContain('You chose shipping to the United States')
  })

  it('five payments for another country within a day close drops with a country to their network', async () => {
    const { drop } = await makeZoned()
    const here = visitorFrom('203.0.113.78')
    const start = () => startEmbeddedCheckout(here, { dropId: drop.id, country: 'US', buyerToken: newSecret() })
    for (let at = 0; at < 5; at += 1) {
      const { clientSecret } = await start()
      await payEmbedded(clientSecret, { ...berlin, email: `b${at}@example.com` })
      expect(await settleCheckout(job(), intentOf(clientSecret))).toBe('mismatch')
    }
    await expect(start()).rejects.toMatchObject({ code: 'OFTEN_REFUNDED', status: 429 })
    expect(await stock(drop.id)).toEqual({ sold: 0, held: 0 })
    await openCheckout(drop.id, { country: 'US' })
  })
})

it('the address can be changed only to a country with the same surcharge', async () => {
  const { drop } = await makeZoned()
  await buyEmbedded(drop.id, 'DE')
  const { token } = await orderOf(drop.id)
  expect((await findBuyerOrder(db(), token))?.addressForm?.countries).toEqual(['DE', 'FR'])
  const address = { name: 'Bea', line1: 'Rue 1', line2: '', city: 'Paris', state: '', postalCode: '75001' }
  const change = (country: string) =>
    changeAddress(visitor(), changeAddressSchema.parse({ token, ...address, country, phone: '+33 555 0100' }))
  await expect(change('US')).rejects.toMatchObject({ code: 'ADDRESS_COUNTRY' })
  const unserved = expect.stringContaining("doesn't ship this order to the Netherlands.")
  await expect(change('NL')).rejects.toMatchObject({ code: 'ADDRESS_COUNTRY', message: unserved })
  await change('FR')
  expect(await orderOf(drop.id)).toMatchObject({ shipCountry: 'FR', shippingCents: 600, amountCents: 3000 })
})

describe('the database', () => {
  it.each([
    ['no zone', []],
    ['four zones', ['US', 'DE', 'FR', 'JP'].map((code) => ({ cents: 0, countries: [code] }))],
    [
      'a country in two zones',
      [
        { cents: 0, countries: ['DE'] },
        { cents: 1, countries: ['DE'] },
      ],
    ],
    ['a zone without a country', [{ cents: 0, countries: [] }]],
    ['a negative surcharge', [{ cents: -1, countries: ['DE'] }]],
    ['a fraction of a cent', [{ cents: 1.5, countries: ['DE'] }]],
    ['a huge surcharge', [{ cents: 100_000_000, countries: ['DE'] }]],
    ['another field', [{ cents: 1, countries: ['DE'], rest: true }]],
  ])('refuses %s', async (_name, zones) => {
    await expect(makeDrop({ shippingZones: zones })).rejects.toThrow(/Drop_shippingZones_check/)
  })

  it('refuses zones of a download, and a payment for an order of an older process that does not know zones', async () => {
    await expect(makeDrop({ shippingZones, productType: 'digital' })).rejects.toThrow(/Drop_shippingZones_check/)
    const { drop } = await makeZoned()
    const units = { quantity: 1, buyerKey: newSecret(), mode: 'hosted', holdMs: 60_000 } as const
    const hold = await takeHold(job(), { ...units, dropId: drop.id, isOffer: true })
    const data = { stripeSessionId: 'cs_test_older', checkoutUrl: 'https://example.com' }
    await expect(db().order.update({ where: { id: hold!.orderId }, data })).rejects.toThrow(/no country to ship to/)
    await expect(db().order.update({ where: { id: hold!.orderId }, data: { shippingCents: 600 } })).rejects.toThrow(
      /Order_money|Order_shipping/,
    )
  })
})
