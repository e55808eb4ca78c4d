// Tests that nobody can keep the last unit of a drop in unpaid checkouts again and again without a proof of work.
import { flushCollectors } from '@/lib/infra/collector'
import { closeDatabase, db } from '@/lib/infra/db'
import { newSecret } from '@/lib/kernel/id'
import { MINUTE_MS } from '@/lib/kernel/time'
import { sweepCheckouts } from '@/lib/checkout/sweep-checkouts'
import { RUSH_SECONDS } from '@/lib/stock/rules'
import { makeDrop, visitor } from '@/tests/support/factories'
import { examineMoneyAfterEach } from '@/tests/support/examine-money-after-each'
import { ageHolds } from '@/tests/support/shop'
import { answerWork, workAskedBy } from '@/tests/support/work'
import { buy, buyWithWork, job, newest, stock } from './hold-support'

examineMoneyAfterEach()
afterAll(async () => {
  await flushCollectors()
  await closeDatabase()
})

/** Lets all holds of the drop end unpaid after the given time. */
async function letHoldsExpire(dropId: number, seconds: number) {
  await ageHolds(dropId, seconds)
  await db().hold.updateMany({ where: { dropId, state: 'held' }, data: { expiresAt: new Date() } })
  await sweepCheckouts(job(), { looksForLost: false })
}

describe.each([1, 2])('the last unit of a drop with %i', (quantity) => {
  it('needs no work at first, but needs work and is held for ten minutes after an unpaid checkout', async () => {
    const drop = await makeDrop({ quantity })
    for (let taken = 0; taken < quantity; taken += 1) await buy(visitor(), drop.id)
    expect((await newest(drop.id)).isContested).toBe(quantity > 1)
    await letHoldsExpire(drop.id, 31 * 60)
    expect(await stock(drop.id)).toEqual({ sold: 0, held: 0 })
    for (let taken = 1; taken < quantity; taken += 1) await buy(visitor(), drop.id)
    await buyWithWork(visitor(), drop.id)
    const hold = await newest(drop.id)
    expect(hold).toMatchObject({ state: 'held', isContested: true })
    expect(hold.expiresAt.getTime() - hold.createdAt.getTime()).toBe(10 * MINUTE_MS)
  })

  it('needs no work when an earlier buyer has left within a minute', async () => {
    const drop = await makeDrop({ quantity })
    for (let taken = 0; taken < quantity; taken += 1) await buy(visitor(), drop.id)
    await letHoldsExpire(drop.id, 50)
    for (let taken = 0; taken < quantity; taken += 1) await buy(visitor(), drop.id)
    expect(await stock(drop.id)).toEqual({ sold: 0, held: quantity })
  })
})

it('a proof of work for one unit is not valid for more units', async () => {
  const drop = await makeDrop({ quantity: 10 })
  for (let taken = 0; taken < 6; taken += 1) await buy(visitor(), drop.id)
  await ageHolds(drop.id, RUSH_SECONDS + 1)
  const ctx = visitor()
  const buyerToken = newSecret()
  const work = answerWork(await workAskedBy(buy(ctx, drop.id, { buyerToken })))
  await workAskedBy(buy(ctx, drop.id, { buyerToken, quantity: 2, work }))
  await expect(buy(ctx, drop.id, { buyerToken, work })).resolves.toMatch(/^http/)
})
