// Stripe Tax (docs/stripe.md#taxes): with STRIPE_TAX, every session carries automatic tax. The tax is a part of the
// price, and it is kept from the seller's payout, because the platform owes it.
import { systemContext } from '@/lib/infra/context'
import { closeDatabase, database, db } from '@/lib/infra/db'
import { newId, newSecret } from '@/lib/kernel/id'
import { getSellerOrder } from '@/lib/orders/get-seller-order'
import { findBuyerOrder } from '@/lib/orders/queries'
import { refundOrder } from '@/lib/refunds/refund-order'
import { settleCheckout } from '@/lib/checkout/settlement/settle-checkout'
import { startCheckout } from '@/lib/checkout/start-checkout'
import { startEmbeddedCheckout } from '@/lib/checkout/start-embedded-checkout'
import { startWalletPayment } from '@/lib/checkout/wallet/start-wallet-payment'
import { taxTexts } from '@/lib/traders/messages'
import { getRecap } from '@/lib/payouts/get-recap'
import { actorOf, contextFor, makeDrop, makeSeller, visitor } from '@/tests/support/factories'
import { examineMoneyAfterEach } from '@/tests/support/examine-money-after-each'
import { deliverEvents, pay } from '@/tests/support/shop'

examineMoneyAfterEach()
afterAll(closeDatabase)

const taxed = () => ({ ...visitor(), hasStripeTax: true })

/** Sells two units at $24.00 to Germany, with a surcharge of $6.00 for shipping. The $54.00 include 19 % tax. */
async function sellToGermany() {
  const owner = await makeSeller()
  const drop = await makeDrop({ userId: owner.id, shippingZones: [{ cents: 600, countries: ['DE'] }] })
  const { id: dropId, quantity, startedAt, endTime } = drop
  await db().dropRun.create({ data: { dropId, run: 1, quantity, startedAt, endTime } })
  const started = await startCheckout(taxed(), { dropId, quantity: 2, country: 'DE', buyerToken: newSecret() })
  if (!('url' in started)) throw new Error('the buyer has to wait')
  const sessionId = new URL(started.url).pathname.split('/').at(-1) ?? ''
  await pay(started.url)
  await settleCheckout(systemContext('test'), sessionId)
  const order = await db().order.findFirstOrThrow({ where: { dropId } })
  return { owner, seller: contextFor(actorOf(owner)), dropId, sessionId, order }
}

it('calculates the tax that the price contains, and charges the price', async () => {
  const { sessionId, order } = await sellToGermany()
  const session = await visitor().stripe().checkout.sessions.retrieve(sessionId)
  expect(session).toMatchObject({ amount_total: 5400, automatic_tax: { enabled: true, status: 'complete' } })
  const lines = await visitor().stripe().checkout.sessions.listLineItems(sessionId)
  const products = await Promise.all(
    lines.data.map(({ price }) => visitor().stripe().products.retrieve(String(price?.product))),
  )
  expect(lines.data.map(({ price }) => price?.tax_behavior)).toEqual(['inclusive', 'inclusive'])
  expect(products.map(({ tax_code }) => tax_code)).toEqual(['txcd_99999999', 'txcd_92010001'])
  // 4,800 × 19 ÷ 119 = 766 and 600 × 19 ÷ 119 = 96.
  expect(order).toMatchObject({ amountCents: 5400, taxCents: 862, billingCountry: 'DE', platformFeeBps: 500 })
})

it("keeps the tax from the seller's payout, and says so to both sides", async () => {
  const { order, seller, owner } = await sellToGermany()
  // The fee is 5 % of 5,400, which is 270.
  expect(order).toMatchObject({ platformFeeCents: 270 + 862, sellerPayoutCents: 5400 - 270 - 862 })
  const transfer = await db().transfer.findUniqueOrThrow({ where: { orderId: order.id } })
  expect(transfer.amountCents).toBe(5400 - 270 - 862 - order.cardFeeCents!)
  const { money } = (await getSellerOrder(seller, owner.id, order.id))!
  expect(money).toMatchObject({ taxCents: 862, platformFeeCents: 1132, netCents: transfer.amountCents })
  expect((await findBuyerOrder(db(), order.token))?.taxCents).toBe(862)
  const mails = await db().outboxMail.findMany({
    where: { dedupeKey: { in: [`receipt:${order.id}`, `sale:${order.id}`] } },
  })
  const texts = mails.sort((a, b) => a.dedupeKey.localeCompare(b.dedupeKey)).map(({ text }) => text)
  expect(texts[0]).toMatch(new RegExp(`${taxTexts.included.label}: +\\$8\\.62`))
  expect(texts[1]).toMatch(new RegExp(`${taxTexts.withheld.label}: +−\\$8\\.62`))
  expect(texts[1]).toMatch(/Platform fee \(5%\): +−\$2\.70/)
})

it('returns the tax with a refund, in proportion', async () => {
  const { order, seller, dropId, owner } = await sellToGermany()
  await refundOrder(seller, { orderId: order.id, refundId: newId('ref'), amountCents: 2700, restockUnits: 0 })
  await deliverEvents()
  const refund = await db().refund.findFirstOrThrow({ where: { orderId: order.id } })
  expect(refund.platformFeeCents).toBe((270 + 862) / 2)
  const recap = (await getRecap(database(), { sellerId: owner.id, dropId, run: 1 }))!
  expect(recap.money).toMatchObject({ paidCents: 5400, refundedCents: 2700, platformFeeCents: 566, taxCents: 431 })
  // Pro would have taken 3 % of 2,700 in place of 5 %. The tax would be the same.
  expect(recap.proSavesCents).toBe(135 - 81)
  await refundOrder(seller, { orderId: order.id, refundId: newId('ref'), amountCents: 2700, restockUnits: 0 })
  await deliverEvents()
  const transfer = await db().transfer.findUniqueOrThrow({ where: { orderId: order.id } })
  expect(transfer.feeOwedCents).toBe(order.cardFeeCents)
})

it('finds no tax where the platform is not registered', async () => {
  const drop = await makeDrop({ productType: 'digital' })
  const started = await startCheckout(taxed(), { dropId: drop.id, quantity: 1, buyerToken: newSecret() })
  if (!('url' in started)) throw new Error('the buyer has to wait')
  await pay(started.url)
  await settleCheckout(systemContext('test'), new URL(started.url).pathname.split('/').at(-1) ?? '')
  const order = await db().order.findFirstOrThrow({ where: { dropId: drop.id } })
  expect(order).toMatchObject({ status: 'paid', taxCents: 0, billingCountry: 'US' })
})

it('sells nothing through the form or a wallet, which have no tax', async () => {
  const { id: dropId } = await makeDrop()
  const embedded = startEmbeddedCheckout(taxed(), { dropId, buyerToken: newSecret() })
  await expect(embedded).rejects.toMatchObject({ code: 'HOSTED_ONLY' })
  const wallet = startWalletPayment(taxed(), { dropId, buyerToken: newSecret() }, new AbortController().signal)
  await expect(wallet).rejects.toMatchObject({ code: 'WALLET_BUSY' })
  expect(await db().hold.count({ where: { dropId } })).toBe(0)
})
