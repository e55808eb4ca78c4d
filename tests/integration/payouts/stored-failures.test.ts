import { closeDatabase, db } from '@/lib/infra/db'
import { systemContext } from '@/lib/infra/context'
import { standIn, stripe } from '@/lib/infra/stripe'
import { newId } from '@/lib/kernel/id'
import { refundOrder } from '@/lib/refunds/refund-order'
import { connectPayouts } from '@/lib/payouts/connect-payouts'
import { refreshPayouts } from '@/lib/payouts/refresh-payouts'
import { sendTransfers } from '@/lib/payouts/send-transfers'
import { sweepPayouts } from '@/lib/payouts/sweep-payouts'
import { proPriceCents } from '@/lib/plans/rules'
import { ensureCustomer } from '@/lib/subscriptions/ensure-customer'
import { ensurePrice } from '@/lib/subscriptions/ensure-price'
import { actorOf, contextFor, makeDrop, makeSeller } from '@/tests/support/factories'
import { examineMoneyAfterEach } from '@/tests/support/examine-money-after-each'
import { rejectRefund } from '@/tests/support/reject-refund'
import { AVAILABLE_AT_ONCE, onboard, openCheckout, payAndSettle } from '@/tests/support/shop'

// Stripe stores the first response under its idempotency key "regardless of whether it succeeds or fails, including 500
// errors": docs.stripe.com/api/idempotent_requests (docs/stripe-rules.md, A7). A retry under the same key would fail
// for a day. With `error` the call fails before it takes effect, and with `error-after-commit` it fails afterwards.
examineMoneyAfterEach()
afterAll(closeDatabase)

const ctx = () => systemContext('test')
const FAULTS = ['error', 'error-after-commit'] as const
type Fault = (typeof FAULTS)[number]

function failOnce(kind: Fault, path: string): Promise<void> {
  return standIn()!.setFaults({ api: { kind, path, remaining: 1, delayMs: 0 }, deliveries: null })
}

async function balanceOf(account: string): Promise<number> {
  const { available } = await stripe().balance.retrieve({}, { stripeAccount: account })
  return available[0]?.amount ?? 0
}

/** Clears the pauses between attempts and runs the sweep of payouts again. */
async function sweepAgain(): Promise<void> {
  await db().transfer.updateMany({ data: { nextAttemptAt: new Date(0) } })
  await sweepPayouts(ctx()).catch(() => undefined)
}

/** Makes a sale whose payout of $21.80 was sent. */
async function sale() {
  const seller = await makeSeller()
  const sellerCtx = contextFor(actorOf(seller))
  await onboard(await connectPayouts(sellerCtx), 'finish')
  await refreshPayouts(sellerCtx, seller.id)
  const { stripeAccountId } = await db().user.findUniqueOrThrow({ where: { id: seller.id } })
  const drop = await makeDrop({ userId: seller.id, productType: 'digital' })
  const { url, sessionId } = await openCheckout(drop.id)
  await payAndSettle(url, sessionId, AVAILABLE_AT_ONCE)
  await sendTransfers(ctx(), seller.id)
  const order = await db().order.findUniqueOrThrow({ where: { stripeSessionId: sessionId } })
  return { seller, sellerCtx, order, account: stripeAccountId ?? '' }
}

const transferOf = (orderId: string) => db().transfer.findUniqueOrThrow({ where: { orderId } })

describe.each(FAULTS)('after one stored failure (%s)', (fault) => {
  it('the reversal of a refund is made at the next attempt, and only once', async () => {
    const { sellerCtx, order, account } = await sale()
    const { stripeTransferId } = await transferOf(order.id)
    await failOnce(fault, `/v1/transfers/${stripeTransferId ?? ''}/reversals`)
    await refundOrder(sellerCtx, { orderId: order.id, refundId: newId('ref'), amountCents: 737, restockUnits: 0 })
    expect(await balanceOf(account)).toBe(fault === 'error' ? 2180 : 1480)
    await sweepAgain()
    await sweepAgain()
    expect(await balanceOf(account)).toBe(1480)
    expect(await transferOf(order.id)).toMatchObject({ reversedAtStripeCents: 700, reversalRefusedAt: null })
  })

  it('money that a rejected refund returned is sent again at the next attempt, and only once', async () => {
    const { sellerCtx, order, account } = await sale()
    await refundOrder(sellerCtx, { orderId: order.id, refundId: newId('ref'), amountCents: 737, restockUnits: 0 })
    expect(await balanceOf(account)).toBe(1480)
    const { id, orderId, destination, refusals } = await transferOf(order.id)
    // Only the creation fails, and not the searches before it, because its response is stored in advance.
    await failOnce(fault, '/v1/transfers')
    const again = { amount: 700, currency: 'usd', destination: destination ?? '', transfer_group: orderId }
    const idempotencyKey = `transfer-again-${id}-1-700-${refusals}`
    const first = stripe().transfers.create({ ...again, metadata: { orderId } }, { idempotencyKey })
    await expect(first).rejects.toMatchObject({ statusCode: 500 })
    const [sent] = (await stripe().refunds.list({ payment_intent: order.stripePaymentIntentId ?? '' })).data
    await rejectRefund(sent!.id, order.id)
    await sweepAgain()
    await sweepAgain()
    expect(await balanceOf(account)).toBe(2180)
  })

  it('a seller connects at the next attempt', async () => {
    const own = contextFor(actorOf(await makeSeller()))
    await failOnce(fault, '/v1/accounts')
    await expect(connectPayouts(own)).rejects.toMatchObject({ status: 503 })
    expect(await connectPayouts(own)).toContain('http')
  })

  it('a customer is made in the same call, and only once', async () => {
    const seller = await makeSeller()
    await failOnce(fault, '/v1/customers')
    expect(await ensureCustomer(ctx(), seller.id)).toMatch(/^cus_/)
    expect((await stripe().customers.list({ email: seller.email })).data).toHaveLength(1)
  })

  it('a price is made or found in the next call', async () => {
    await ensurePrice(ctx(), 'monthly')
    await db().sandboxObject.deleteMany({ where: { kind: 'price' } })
    await db().sandboxIdempotencyKey.deleteMany({ where: { key: { startsWith: 'price-' } } })
    const lookup_key = `lastcall_pro_monthly_${proPriceCents.monthly}`
    await failOnce(fault, '/v1/prices')
    const price = { product: 'lastcall_pro', currency: 'usd', unit_amount: proPriceCents.monthly, lookup_key }
    const made = stripe().prices.create(
      { ...price, recurring: { interval: 'month' }, transfer_lookup_key: true },
      { idempotencyKey: `price-${lookup_key}` },
    )
    await expect(made).rejects.toMatchObject({ statusCode: 500 })
    const id = await ensurePrice(ctx(), 'monthly')
    expect((await stripe().prices.list({ lookup_keys: [lookup_key] })).data.map((known) => known.id)).toEqual([id])
  })
})
