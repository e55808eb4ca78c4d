import Stripe from 'stripe'
import { closeDatabase, db } from '@/lib/infra/db'
import { standIn } from '@/lib/infra/stripe'
import { MINUTE_MS } from '@/lib/kernel/time'
import { sendTransfers } from '@/lib/payouts/send-transfers'
import { refundOrder } from '@/lib/refunds/refund-order'
import { examineMoneyAfterEach } from '@/tests/support/examine-money-after-each'
import { balanceOf, ctx, paidCheckout, readySeller, refund, transferOf } from './payout-support'

examineMoneyAfterEach()
afterAll(closeDatabase)

/** A context whose secret key Stripe refuses, such as one that was replaced in the Dashboard. */
function withRefusedKey() {
  const inProcess: typeof fetch = (input, init) => standIn()!.api(new Request(input, init))
  const httpClient = Stripe.createFetchHttpClient(inProcess)
  const client = new Stripe('sk_test_replaced', { httpClient, maxNetworkRetries: 0 })
  return { ...ctx(), stripe: () => client }
}

it('a payout whose result is unknown is not sent again after Stripe has refused the search for it', async () => {
  const { seller, sellerCtx, account } = await readySeller()
  const { sessionId } = await paidCheckout(seller)
  const order = await db().order.findUniqueOrThrow({ where: { stripeSessionId: sessionId } })
  // Of $24.00, $14.00 is refunded. The charge would therefore pay for a second transfer of $8.50.
  await refundOrder(sellerCtx, refund(order.id, 1400))
  const dueNow = () => db().transfer.update({ where: { orderId: order.id }, data: { nextAttemptAt: new Date(0) } })

  // Stripe sends the payout, but its response is lost.
  const lost = { kind: 'reset-after-commit', path: '/v1/transfers', remaining: 1, delayMs: 0 } as const
  await standIn()!.setFaults({ api: lost, deliveries: null })
  await dueNow()
  await expect(sendTransfers(ctx(), seller.id)).rejects.toThrow()
  expect(await balanceOf(account)).toBe(850)
  // The clock moves on by more than the margin of the search.
  await db().$executeRaw`
    UPDATE "SandboxObject" SET "json" = jsonb_set("json", '{created}', to_jsonb(("json"->>'created')::bigint - 600))
     WHERE "kind" = 'transfer' AND "json"->>'destination' = ${account}`
  const { frozenAt } = await transferOf(order.id)
  const earlier = new Date(frozenAt!.getTime() - 10 * MINUTE_MS)
  await db().transfer.update({ where: { orderId: order.id }, data: { frozenAt: earlier } })

  await dueNow()
  await sendTransfers(withRefusedKey(), seller.id)
  await dueNow()
  await sendTransfers(ctx(), seller.id)
  expect(await balanceOf(account)).toBe(850)
  expect(await transferOf(order.id)).toMatchObject({ state: 'sent', sentCents: 850, frozenAt: earlier })
})
