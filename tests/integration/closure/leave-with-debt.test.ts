import { deleteOwnAccount } from '@/lib/closure/delete-own-account'
import { removeAccount } from '@/lib/closure/remove-account'
import { closeDatabase, database, db } from '@/lib/infra/db'
import { hashPassword } from '@/lib/infra/password'
import { standIn } from '@/lib/infra/stripe'
import { formatUsd } from '@/lib/kernel/money'
import { refundOrder } from '@/lib/refunds/refund-order'
import { syncRefunds } from '@/lib/refunds/sync-refunds'
import { getPayoutSummary } from '@/lib/payouts/queries'
import { actorOf, contextFor, makeDrop, makeSeller } from '@/tests/support/factories'
import { ctx, payOutToBank, readySeller, refund, sale, sweepAgain } from '../payouts/payout-support'

afterAll(closeDatabase)

/** A card whose refunds are pending at first. */
const SLOW_REFUND = '4000000000007726'
/** A card whose payment is disputed right away. */
const DISPUTED = '4000000000000259'

/** Makes a seller with a password, whose drop costs `priceCents`. */
async function sellerOf(priceCents: number) {
  const { seller, sellerCtx, account } = await readySeller()
  await db().user.update({ where: { id: seller.id }, data: { passwordHash: await hashPassword('long enough') } })
  await makeDrop({ userId: seller.id, productType: 'digital', priceCents, quantity: 10 })
  const leave = () => deleteOwnAccount(sellerCtx, { username: seller.username ?? '', password: 'long enough' })
  const isGone = async () => (await db().user.findUniqueOrThrow({ where: { id: seller.id } })).deletedAt !== null
  return { seller, sellerCtx, account, leave, isGone }
}

it('does not let a seller leave a debt behind, and lets the seller go once later payouts have paid it', async () => {
  const { seller, sellerCtx, account, leave, isGone } = await sellerOf(30_000)
  const order = await sale(seller)
  await payOutToBank(account)
  await refundOrder(sellerCtx, refund(order.id, 30_000))
  await sweepAgain()
  const { debtCents } = await getPayoutSummary(database(), seller.id)
  expect(debtCents).toBeGreaterThan(25_000)
  const text = `You still owe ${formatUsd(debtCents)} for refunds and disputes`
  await expect(leave()).rejects.toMatchObject({
    ...{ code: 'MONEY_OWED', status: 409 },
    message: expect.stringContaining(text),
  })
  expect(await isGone()).toBe(false)
  // The next two payouts pay the debt.
  await sale(seller)
  await sale(seller)
  await sweepAgain()
  await leave()
  expect(await isGone()).toBe(true)
})

it('does not let a seller leave while a refund is pending that may become a debt', async () => {
  const { seller, sellerCtx, account, leave } = await sellerOf(30_000)
  const order = await sale(seller, SLOW_REFUND)
  await payOutToBank(account).catch(() => undefined)
  expect(await refundOrder(sellerCtx, refund(order.id, 30_000))).toBe('pending')
  await expect(leave()).rejects.toMatchObject({ code: 'MONEY_OWED' })
  await standIn()!.settleDue()
})

it('does not let a seller leave while a bank decides about a digital order', async () => {
  const { seller, leave, isGone } = await sellerOf(2_400)
  const order = await sale(seller, DISPUTED)
  expect(await syncRefunds(ctx(), order.id)).toBe('disputed')
  await expect(leave()).rejects.toMatchObject({ code: 'OPEN_DISPUTE', status: 409 })
  expect(await isGone()).toBe(false)
})

it('lets an administrator delete the account of a seller who owes money', async () => {
  const { seller, sellerCtx, account, isGone } = await sellerOf(30_000)
  const order = await sale(seller)
  await payOutToBank(account)
  await refundOrder(sellerCtx, refund(order.id, 30_000))
  await removeAccount(contextFor(actorOf(await makeSeller({ isAdmin: true }))), seller.id)
  expect(await isGone()).toBe(true)
})
