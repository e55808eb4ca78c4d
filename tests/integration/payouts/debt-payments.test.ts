import { deleteOwnAccount } from '@/lib/closure/delete-own-account'
import { getUserDetail } from '@/lib/admin/get-user-detail'
import { closeDatabase, database, db } from '@/lib/infra/db'
import { hashPassword } from '@/lib/infra/password'
import { refundOrder } from '@/lib/refunds/refund-order'
import { getPayoutSummary } from '@/lib/payouts/queries'
import { recordDebtPayment } from '@/lib/payouts/record-debt-payment'
import { actorOf, contextFor, makeSeller } from '@/tests/support/factories'
import { examineMoneyAfterEach } from '@/tests/support/examine-money-after-each'
import { rejectRefund } from '@/tests/support/reject-refund'
import { balanceOf, payOutToBank, readySeller, refund, sale, sweepAgain, transferOf } from './payout-support'

// A seller pays by bank transfer what refunds have cost (docs/product.md#what-a-seller-owes).

examineMoneyAfterEach()
afterAll(closeDatabase)

const asAdmin = async (steppedUpAt: Date | null = new Date()) =>
  contextFor({ ...actorOf(await makeSeller({ isAdmin: true })), hasTwoFactor: true, steppedUpAt })

const debtOf = async (sellerId: number) => (await getPayoutSummary(database(), sellerId)).debtCents

/** Makes a seller who refunded two orders after the bank had paid out the money, and owes $22.80 for each. */
async function sellerInDebt() {
  const { seller, sellerCtx, account } = await readySeller()
  const orders = [await sale(seller), await sale(seller)]
  await payOutToBank(account)
  for (const { id } of orders) await refundOrder(sellerCtx, refund(id, 2400))
  await sweepAgain()
  expect(await debtOf(seller.id)).toBe(2 * 2280)
  return { seller, sellerCtx, account, orders }
}

it('pays the oldest debt first, and the rest of the next payout is sent', async () => {
  const { seller, account, orders } = await sellerInDebt()
  const admin = await asAdmin()
  const payment = { amountCents: 3000, reference: 'SEPA 7' }
  expect(await recordDebtPayment(admin, seller.id, payment)).toEqual({ debtCents: 1560, recordedBefore: null })
  expect(await transferOf(orders[0]!.id)).toMatchObject({ recoveredCents: 2280 })
  expect(await transferOf(orders[1]!.id)).toMatchObject({ recoveredCents: 720 })
  expect((await getUserDetail(admin, seller.id)).debtCents).toBe(1560)
  await sale(seller)
  await sweepAgain()
  expect(await debtOf(seller.id)).toBe(0)
  expect(await balanceOf(account)).toBe(2180 - 1560)
})

it('records a repeated payment once, and refuses another amount with the same reference', async () => {
  const { seller } = await sellerInDebt()
  const admin = await asAdmin()
  const payment = { amountCents: 3000, reference: 'SEPA 7' }
  await recordDebtPayment(admin, seller.id, payment)
  const both = await Promise.all([1, 2].map(() => recordDebtPayment(admin, seller.id, payment)))
  for (const answer of both) expect(answer).toEqual({ debtCents: 1560, recordedBefore: expect.any(String) })
  await expect(recordDebtPayment(admin, seller.id, { ...payment, amountCents: 1000 })).rejects.toMatchObject({
    code: 'REFERENCE_USED',
  })
  expect(await debtOf(seller.id)).toBe(1560)
  expect(await db().auditEntry.count({ where: { action: 'payout.repaid', targetId: String(seller.id) } })).toBe(1)
})

it('counts two payments that are recorded at the same moment only up to the debt', async () => {
  const { seller } = await sellerInDebt()
  const admin = await asAdmin()
  const outcomes = await Promise.allSettled(
    ['A', 'B'].map((reference) => recordDebtPayment(admin, seller.id, { amountCents: 4000, reference })),
  )
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(await debtOf(seller.id)).toBe(560)
})

it('sends the money to the seller if the refund fails after the seller has paid for it', async () => {
  const { seller, sellerCtx, account } = await readySeller()
  const order = await sale(seller)
  await payOutToBank(account)
  await refundOrder(sellerCtx, refund(order.id, 2400))
  await sweepAgain()
  await recordDebtPayment(await asAdmin(), seller.id, { amountCents: 2280, reference: 'SEPA 8' })
  await db().refund.updateMany({ where: { orderId: order.id }, data: { state: 'failed' } })
  const { stripeRefundId } = await db().refund.findFirstOrThrow({ where: { orderId: order.id } })
  await rejectRefund(stripeRefundId ?? '', order.id)
  await sweepAgain()
  expect(await balanceOf(account)).toBe(2280)
})

it('refuses what is not owed, a missing user and an administrator without a recent second factor', async () => {
  const { seller } = await sellerInDebt()
  const admin = await asAdmin()
  const payment = { amountCents: 4561, reference: 'SEPA 9' }
  await expect(recordDebtPayment(admin, seller.id, payment)).rejects.toMatchObject({ code: 'MORE_THAN_OWED' })
  const other = await makeSeller()
  await expect(recordDebtPayment(admin, other.id, payment)).rejects.toMatchObject({ code: 'NOTHING_OWED' })
  await expect(recordDebtPayment(admin, 2_147_483_647, payment)).rejects.toMatchObject({ code: 'ACCOUNT_NOT_FOUND' })
  await expect(recordDebtPayment(await asAdmin(null), seller.id, payment)).rejects.toMatchObject({
    code: 'STEP_UP_REQUIRED',
  })
  expect(await debtOf(seller.id)).toBe(2 * 2280)
})

it('lets a seller leave who has paid, or who owes at most $5', async () => {
  const { seller, sellerCtx } = await sellerInDebt()
  await db().user.update({ where: { id: seller.id }, data: { passwordHash: await hashPassword('long enough') } })
  const leave = () => deleteOwnAccount(sellerCtx, { username: seller.username ?? '', password: 'long enough' })
  await expect(leave()).rejects.toMatchObject({ code: 'MONEY_OWED' })
  const admin = await asAdmin()
  await recordDebtPayment(admin, seller.id, { amountCents: 4059, reference: 'SEPA 10' })
  await expect(leave()).rejects.toMatchObject({ code: 'MONEY_OWED' })
  await recordDebtPayment(admin, seller.id, { amountCents: 1, reference: 'SEPA 11' })
  await leave()
  expect(await db().user.findUniqueOrThrow({ where: { id: seller.id } })).toMatchObject({
    deletedAt: expect.any(Date),
  })
})
