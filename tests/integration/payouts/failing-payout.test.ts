import { closeDatabase, database, db } from '@/lib/infra/db'
import { standIn } from '@/lib/infra/stripe'
import { refundOrder } from '@/lib/refunds/refund-order'
import { sweepPayouts } from '@/lib/payouts/sweep-payouts'
import { examineMoneyAfterEach } from '@/tests/support/examine-money-after-each'
import {
  balanceOf,
  ctx,
  paidCheckout,
  payOutToBank,
  readySeller,
  refund,
  sale,
  sweepAgain,
  transferOf,
} from './payout-support'

examineMoneyAfterEach()
afterAll(closeDatabase)
afterEach(() => standIn()!.setFaults({ api: null, deliveries: null }))

const failCalls = (remaining: number) =>
  standIn()!.setFaults({ api: { kind: 'error', path: '/v1/transfers', remaining, delayMs: 0 }, deliveries: null })

/** Makes paid orders whose payouts are due, each of a seller of its own. */
async function duePayouts(count: number): Promise<void> {
  await db().transfer.deleteMany({})
  for (let made = 0; made < count; made += 1) await paidCheckout((await readySeller()).seller)
}

const statesOf = async () => (await db().transfer.findMany()).map(({ state }) => state).toSorted()

it('a payout on which Stripe fails does not keep the payouts of other sellers from being sent', async () => {
  await duePayouts(3)
  await failCalls(1)
  await sweepPayouts(ctx()).catch(() => undefined)
  expect(await statesOf()).toEqual(['sent', 'sent', 'waiting'])
})

it('a payout on which Stripe failed is not sent while an administrator has stopped the payouts', async () => {
  await db().transfer.deleteMany({})
  const { seller, account } = await readySeller()
  await paidCheckout(seller)
  await failCalls(1)
  await sweepPayouts(ctx()).catch(() => undefined)
  const stopUntil = (payoutsStoppedUntil: Date | null) =>
    db().user.update({ where: { id: seller.id }, data: { payoutsStoppedUntil } })
  await stopUntil(new Date(Date.now() + 60_000))
  await sweepAgain()
  expect([await statesOf(), await balanceOf(account)]).toEqual([['waiting'], 0])
  await stopUntil(null)
  await sweepAgain()
  expect([await statesOf(), await balanceOf(account)]).toEqual([['sent'], 2180])
})

it('a payout on which Stripe fails does not keep other payouts from being settled', async () => {
  const { seller, sellerCtx } = await readySeller()
  const order = await sale(seller)
  await failCalls(1)
  await refundOrder(sellerCtx, refund(order.id, 737))
  await paidCheckout((await readySeller()).seller)
  await db().transfer.updateMany({ data: { nextAttemptAt: new Date(0) } })
  await failCalls(1)
  await sweepPayouts(ctx()).catch(() => undefined)
  expect(await transferOf(order.id)).toMatchObject({ reversedAtStripeCents: 700 })
})

it('an account that Stripe cannot read does not keep payouts from being sent', async () => {
  await duePayouts(1)
  const { seller: unready } = await readySeller()
  await db().user.update({ where: { id: unready.id }, data: { payoutsState: 'review' } })
  await paidCheckout(unready)
  await standIn()!.setFaults({
    api: { kind: 'error', path: '/v1/accounts', remaining: 1, delayMs: 0 },
    deliveries: null,
  })
  await sweepPayouts(ctx()).catch(() => undefined)
  expect(await statesOf()).toEqual(['sent', 'waiting'])
})

it('a seller whose debt cannot be recorded is not paid, and other sellers are', async () => {
  await db().transfer.deleteMany({})
  const { seller, sellerCtx, account } = await readySeller()
  const order = await sale(seller)
  await payOutToBank(account)
  await refundOrder(sellerCtx, refund(order.id, 2400))
  await sweepAgain()
  await db().payoutOffset.deleteMany({})
  await paidCheckout(seller)
  const other = await readySeller()
  await paidCheckout(other.seller)
  const { sql } = database()
  await sql('break-debts', `ALTER TABLE "PayoutOffset" ADD CONSTRAINT "broken" CHECK ("sellerId" <> ${seller.id})`)
  try {
    await sweepPayouts(ctx()).catch(() => undefined)
    expect(await balanceOf(other.account)).toBe(2180)
    expect((await db().transfer.findFirstOrThrow({ where: { sellerId: seller.id, sentCents: null } })).state).toBe(
      'waiting',
    )
  } finally {
    await sql('mend-debts', 'ALTER TABLE "PayoutOffset" DROP CONSTRAINT "broken"')
  }
})
