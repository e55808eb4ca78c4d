import { flushCollectors } from '@/lib/infra/collector'
import { closeDatabase, db } from '@/lib/infra/db'
import { stripe } from '@/lib/infra/stripe'
import { newSecret } from '@/lib/kernel/id'
import { startCheckout } from '@/lib/checkout/start-checkout'
import { yieldHolds } from '@/lib/checkout/hold/yield-holds'
import { sweepCheckouts } from '@/lib/checkout/sweep-checkouts'
import { examineMoneyAfterEach } from '@/tests/support/examine-money-after-each'
import { visitor, visitorFrom } from '@/tests/support/factories'
import { makeCodedDrop } from '@/tests/support/make-coded-drop'
import { ageHolds, openCheckout, payAndSettle, startBuying } from '@/tests/support/shop'
import { job } from './hold-support'

examineMoneyAfterEach()
afterAll(async () => {
  await flushCollectors()
  await closeDatabase()
})

const CODE = 'FRIENDS'
const buyer = (dropId: number, code = CODE) => ({ dropId, quantity: 1, code, buyerToken: newSecret() })
const usesOf = async (dropId: number) => {
  const { used, held } = await db().discountCode.findFirstOrThrow({ where: { dropId } })
  return { used, held }
}

/**
 * Takes ten uses of the code from one network, with a proof of work when it is required.
 * @returns how many uses needed work
 */
async function takeAll(dropId: number, ip: string) {
  let worked = 0
  for (let use = 0; use < 10; use += 1) {
    const wanted = buyer(dropId)
    await startCheckout(visitorFrom(ip), wanted).catch(async (error: { code?: string }) => {
      if (error.code !== 'WORK_NEEDED') return
      worked += 1
      await startBuying(visitorFrom(ip), wanted).catch(() => undefined)
    })
    // The next checkout begins after a rush is over.
    await ageHolds(dropId, 11)
  }
  return worked
}

jest.setTimeout(120_000)

it('one network cannot keep all uses of a code: it needs work for more than half of them, and gives half back after a minute', async () => {
  const { drop } = await makeCodedDrop({ maxUses: 10 }, { quantity: 1_000 })
  expect(await takeAll(drop.id, '203.0.113.9')).toBe(4)
  expect(await usesOf(drop.id)).toEqual({ used: 10, held: 10 })
  await ageHolds(drop.id, 55)
  await yieldHolds(job())
  expect(await usesOf(drop.id)).toEqual({ used: 5, held: 5 })
  const honest = await startCheckout(visitorFrom('198.51.100.77'), buyer(drop.id))
  expect(honest).toMatchObject({ url: expect.stringMatching(/^http/) })
  // Buyers without the code need no work, because the drop has many units.
  await expect(startCheckout(visitor(), buyer(drop.id, ''))).resolves.toMatchObject({ url: expect.any(String) })
})

it('a crowd that comes at the same moment needs no work for a code, and has a minute to pay', async () => {
  const { drop } = await makeCodedDrop({ maxUses: 4 })
  for (let use = 0; use < 4; use += 1) await startCheckout(visitor(), buyer(drop.id))
  expect(await yieldHolds(job())).toBe(0)
  const holds = await db().hold.findMany({ where: { dropId: drop.id }, orderBy: { createdAt: 'asc' } })
  expect(holds.map(({ isContested }) => isContested)).toEqual([false, false, true, true])
  await ageHolds(drop.id, 55)
  expect(await yieldHolds(job())).toBe(2)
  expect(await usesOf(drop.id)).toEqual({ used: 2, held: 2 })
})

it('a code that has no limit or has ended makes no checkout contested', async () => {
  for (const code of [{}, { maxUses: 4, endedAt: new Date() }]) {
    const { drop, code: row } = await makeCodedDrop({ ...code, endedAt: null })
    for (let use = 0; use < 4; use += 1) await startCheckout(visitor(), buyer(drop.id))
    await db().discountCode.update({ where: { id: row.id }, data: code })
    await ageHolds(drop.id, 55)
    expect(await yieldHolds(job())).toBe(0)
    expect(await usesOf(drop.id)).toEqual({ used: 4, held: 4 })
  }
})

it('a checkout that has given its use back is closed once all uses are paid, because paying would only be refunded', async () => {
  const { drop } = await makeCodedDrop({ maxUses: 4 }, { quantity: 1_000 })
  const first = await Promise.all(Array.from({ length: 4 }, () => openCheckout(drop.id, { code: CODE })))
  await ageHolds(drop.id, 55)
  expect(await yieldHolds(job())).toBe(2)
  const yielded = await db().hold.findMany({ where: { dropId: drop.id, reason: 'yielded' }, include: { order: true } })
  const later = await Promise.all([1, 2].map(() => openCheckout(drop.id, { code: CODE })))
  const gaveBack = yielded.map(({ order }) => order?.stripeSessionId)
  const paying = [...first.filter(({ sessionId }) => !gaveBack.includes(sessionId)), ...later]
  // While a use is only in checkout, it may come back.
  await sweepCheckouts(job(), { looksForLost: false })
  expect(await db().hold.count({ where: { dropId: drop.id, reason: 'yielded' } })).toBe(2)
  for (const { url, sessionId } of paying) await payAndSettle(url, sessionId)
  expect(await usesOf(drop.id)).toEqual({ used: 4, held: 0 })
  await sweepCheckouts(job(), { looksForLost: false })
  for (const sessionId of gaveBack) {
    expect((await stripe().checkout.sessions.retrieve(sessionId ?? '')).status).toBe('expired')
  }
})
