import { closeDatabase, db } from '@/lib/infra/db'
import { hashPassword } from '@/lib/infra/password'
import { systemContext } from '@/lib/infra/context'
import { closeAccount } from '@/lib/closure/close-account'
import { deleteOwnAccount } from '@/lib/closure/delete-own-account'
import { settleCheckout } from '@/lib/checkout/settlement/settle-checkout'
import { syncRefunds } from '@/lib/refunds/sync-refunds'
import { actorOf, contextFor, makeDrop, makeSeller } from '@/tests/support/factories'
import { openCheckout, pay } from '@/tests/support/shop'

afterAll(closeDatabase)

async function shopWithCheckout() {
  const seller = await makeSeller({ passwordHash: await hashPassword('long enough') })
  const drop = await makeDrop({ userId: seller.id })
  const checkout = await openCheckout(drop.id)
  const leave = () =>
    deleteOwnAccount(contextFor(actorOf(seller)), { username: seller.username ?? '', password: 'long enough' })
  const orderNow = () => db().order.findUniqueOrThrow({ where: { stripeSessionId: checkout.sessionId } })
  const isGone = async () => (await db().user.findUniqueOrThrow({ where: { id: seller.id } })).deletedAt !== null
  return { seller, drop, ...checkout, leave, orderNow, isGone }
}

it('ends a checkout that is not paid and deletes the account', async () => {
  const { leave, orderNow, isGone, url } = await shopWithCheckout()
  await leave()
  expect([await isGone(), (await orderNow()).status]).toEqual([true, 'expired'])
  expect((await pay(url)).status).toBeGreaterThanOrEqual(400)
})

it('keeps the account when its open checkout turns out to be paid', async () => {
  const { leave, orderNow, isGone, url } = await shopWithCheckout()
  await pay(url)
  await expect(leave()).rejects.toMatchObject({ code: 'OPEN_ORDERS' })
  expect([await isGone(), (await orderNow()).status]).toEqual([false, 'paid'])
})

it('refuses the deletion while a buyer is waiting for a service', async () => {
  const { seller, leave, isGone } = await shopWithCheckout()
  const { id } = await makeDrop({ userId: seller.id, productType: 'service' })
  const { url, sessionId } = await openCheckout(id)
  await pay(url)
  await settleCheckout(systemContext('test'), sessionId)
  await expect(leave()).rejects.toMatchObject({ code: 'OPEN_ORDERS', status: 409 })
  expect(await isGone()).toBe(false)
})

it('refuses the deletion while the bank decides about a service that was not done', async () => {
  const { seller, leave, isGone } = await shopWithCheckout()
  const { id } = await makeDrop({ userId: seller.id, productType: 'service' })
  const { url, sessionId } = await openCheckout(id)
  await pay(url, '4000000000000259')
  await settleCheckout(systemContext('test'), sessionId)
  const { id: orderId } = await db().order.findUniqueOrThrow({ where: { stripeSessionId: sessionId } })
  expect(await syncRefunds(systemContext('test'), orderId)).toBe('disputed')
  await expect(leave()).rejects.toMatchObject({ code: 'OPEN_ORDERS', status: 409 })
  expect(await isGone()).toBe(false)
})

it('never loses the order of a buyer who pays while the account is being deleted', async () => {
  for (let round = 0; round < 6; round += 1) {
    const { leave, orderNow, isGone, url, sessionId } = await shopWithCheckout()
    const paying = pay(url).then(() => settleCheckout(systemContext('test'), sessionId))
    await Promise.allSettled([leave(), paying])
    await settleCheckout(systemContext('test'), sessionId)
    const { status } = await orderNow()
    expect(['paid false', 'expired true', 'refunded true']).toContain(`${status} ${await isGone()}`)
  }
})

it('refunds a buyer whose payment is recorded after the seller was deleted', async () => {
  const { seller, orderNow, url, sessionId } = await shopWithCheckout()
  await pay(url)
  await db().user.update({ where: { id: seller.id }, data: { deletedAt: new Date() } })
  await settleCheckout(systemContext('test'), sessionId)
  expect(await orderNow()).toMatchObject({ status: 'refunded' })
})

it('leaves the drops on sale when the check refuses the deletion', async () => {
  const { seller, drop } = await shopWithCheckout()
  const refusal = closeAccount(systemContext('test'), seller.id, {
    check: () => {
      throw new Error('no')
    },
  })
  await expect(refusal).rejects.toThrow('no')
  expect(await db().drop.findUniqueOrThrow({ where: { id: drop.id } })).toMatchObject({
    isActive: true,
    archivedAt: null,
  })
})
