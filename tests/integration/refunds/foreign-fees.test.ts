// Stripe states fees in the currency in which it settles, with the exchange rate between the two currencies:
// docs.stripe.com/reports/balance-transaction-types.
import { systemContext } from '@/lib/infra/context'
import { closeDatabase, db } from '@/lib/infra/db'
import { settleCheckout } from '@/lib/checkout/settlement/settle-checkout'
import { syncRefunds } from '@/lib/refunds/sync-refunds'
import { examineMoneyAfterEach } from '@/tests/support/examine-money-after-each'
import { makeDrop } from '@/tests/support/factories'
import { openCheckout, payAndSettle } from '@/tests/support/shop'

examineMoneyAfterEach()
afterAll(closeDatabase)

async function sell(card?: string) {
  const { url, sessionId } = await openCheckout((await makeDrop()).id)
  await payAndSettle(url, sessionId, card)
  return db().order.findUniqueOrThrow({ where: { stripeSessionId: sessionId } })
}

async function changeAtStripe(id: string, change: object): Promise<void> {
  const { json } = await db().sandboxObject.findUniqueOrThrow({ where: { id } })
  await db().sandboxObject.update({ where: { id }, data: { json: { ...(json as object), ...change } } })
}

it('converts the fee of a dispute from the settlement currency, and leaves out a fee without a rate', async () => {
  const order = await sell('4000000000000259')
  await syncRefunds(systemContext('test'), order.id)
  const { stripeDisputeId } = await db().dispute.findFirstOrThrow({ where: { orderId: order.id } })
  const feeCents = async () => (await db().dispute.findFirstOrThrow({ where: { orderId: order.id } })).feeCents
  const moved = { currency: 'eur', fee: 1500, exchange_rate: 0.5 }
  await changeAtStripe(stripeDisputeId, { balance_transactions: [moved] })
  await syncRefunds(systemContext('test'), order.id)
  expect(await feeCents()).toBe(3000)
  await changeAtStripe(stripeDisputeId, { balance_transactions: [{ ...moved, exchange_rate: null }] })
  await syncRefunds(systemContext('test'), order.id)
  expect(await feeCents()).toBe(0)
})

it('records the settlement currency of a payment whose fee stays unknown', async () => {
  const order = await sell()
  const { json } = await db().sandboxObject.findUniqueOrThrow({ where: { id: order.stripeChargeId ?? '' } })
  const { balance_transaction: balanceId } = json as { balance_transaction: string }
  await changeAtStripe(balanceId, { currency: 'eur', exchange_rate: null })
  await db().order.update({ where: { id: order.id }, data: { cardFeeCents: null, settlementCurrency: null } })
  await db().transfer.update({ where: { orderId: order.id }, data: { amountCents: order.sellerPayoutCents } })
  await settleCheckout(systemContext('test'), order.stripeSessionId ?? '')
  const known = await db().order.findUniqueOrThrow({ where: { id: order.id } })
  expect(known).toMatchObject({ cardFeeCents: null, settlementCurrency: 'eur' })
})
