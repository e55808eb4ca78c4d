import { STOPPED_UNTIL_RELEASED } from '@/lib/accounts/rules'
import { updateAccount } from '@/lib/accounts/update-account'
import { listUsers } from '@/lib/admin/queries'
import { toAdminUserView } from '@/lib/admin/view'
import { removeAccount } from '@/lib/closure/remove-account'
import { closeDatabase, database, db } from '@/lib/infra/db'
import { actorOf, contextFor, makeSeller } from '@/tests/support/factories'
import { examineMoneyAfterEach } from '@/tests/support/examine-money-after-each'
import { readySeller, sale, sweepAgain, transferOf } from '../payouts/payout-support'

examineMoneyAfterEach()
afterAll(closeDatabase)

/** Makes a digital order whose payout is on hold, and deletes the account of its seller. */
async function removedWithHold() {
  const by = contextFor(actorOf(await makeSeller({ isAdmin: true })))
  const { seller } = await readySeller()
  await updateAccount(by, seller.id, { payoutHoldDays: 30 })
  const order = await sale(seller)
  await removeAccount(by, seller.id)
  return { by, seller, order }
}

const userNow = (id: number) => db().user.findUniqueOrThrow({ where: { id } })

it('keeps the payouts of a removed account on hold until an administrator releases them', async () => {
  const { by, seller, order } = await removedWithHold()
  expect((await userNow(seller.id)).payoutsStoppedUntil).toEqual(STOPPED_UNTIL_RELEASED)
  // The administrator finds the account among the deleted ones.
  const listed = await listUsers(database(), { show: 'deleted', limit: 200 })
  const user = listed.find(({ id }) => id === seller.id)!
  expect(toAdminUserView(user, new Date())).toMatchObject({
    isDeleted: true,
    payoutsStoppedUntil: STOPPED_UNTIL_RELEASED.toISOString(),
  })
  expect((await listUsers(database(), { limit: 200 })).map(({ id }) => id)).not.toContain(seller.id)
  await sweepAgain()
  expect((await transferOf(order.id)).state).toBe('waiting')
  await updateAccount(by, seller.id, { payoutHoldDays: 0 })
  await sweepAgain()
  expect((await transferOf(order.id)).state).toBe('sent')
})

it('lets an administrator hold the payouts of an account that was removed without a hold, and change nothing else', async () => {
  const by = contextFor(actorOf(await makeSeller({ isAdmin: true })))
  const seller = await makeSeller()
  await removeAccount(by, seller.id)
  expect((await userNow(seller.id)).payoutsStoppedUntil).toBeNull()
  const held = await updateAccount(by, seller.id, { payoutHoldDays: 365 })
  expect(held.payoutsStoppedUntil!.getTime()).toBeGreaterThan(Date.now() + 364 * 24 * 60 * 60 * 1000)
  const notFound = { code: 'ACCOUNT_NOT_FOUND', status: 404 }
  for (const input of [{ plan: 'pro' }, { isVerified: true }, { payoutHoldDays: 7, isSuspended: true }] as const)
    await expect(updateAccount(by, seller.id, input)).rejects.toMatchObject(notFound)
  expect(await userNow(seller.id)).toMatchObject({ plan: 'free', isVerified: false, isSuspended: false })
})
