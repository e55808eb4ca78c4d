import { flushCollectors } from '@/lib/infra/collector'
import { closeDatabase, database, db } from '@/lib/infra/db'
import { newSecret } from '@/lib/kernel/id'
import { MINUTE_MS } from '@/lib/kernel/time'
import { forgetOrigins } from '@/lib/checkout/hold/forget-origins'
import { settleCheckout } from '@/lib/checkout/settlement/settle-checkout'
import { sweepCheckouts } from '@/lib/checkout/sweep-checkouts'
import { yieldHolds } from '@/lib/checkout/hold/yield-holds'
import { RUSH_SECONDS } from '@/lib/stock/rules'
import { makeDrop, visitor, visitorFrom } from '@/tests/support/factories'
import { examineMoneyAfterEach } from '@/tests/support/examine-money-after-each'
import { ageHolds, openCheckout, pay } from '@/tests/support/shop'
import { answerWork, answerWorkInSteps, readWork, workAskedBy } from '@/tests/support/work'
import { buy, buyWithWork, hold, job, newest, outcomesOf, sessionOf, stock } from './hold-support'

examineMoneyAfterEach()
afterAll(async () => {
  await flushCollectors()
  await closeDatabase()
})

describe('one network address without proof of work', () => {
  it('gets a tenth of the units, however many browsers ask at once', async () => {
    const drop = await makeDrop({ quantity: 100 })
    const attacker = visitorFrom('203.0.113.1')
    const calls = Array.from({ length: 60 }, () => buy(attacker, drop.id))
    expect(await outcomesOf(calls)).toEqual({ ok: 10, WORK_NEEDED: 50 })
    expect(await stock(drop.id)).toEqual({ sold: 0, held: 10 })
    await expect(buy(visitorFrom('203.0.113.2'), drop.id)).resolves.toMatch(/^http/)
  })

  it('gets as many units as one order may contain if a tenth would be less', async () => {
    const drop = await makeDrop({ quantity: 20 })
    const attacker = visitorFrom('203.0.113.3')
    await buy(attacker, drop.id, { quantity: 8 })
    await buy(attacker, drop.id, { quantity: 2 })
    await workAskedBy(buy(attacker, drop.id))
  })

  it('is counted together with all other addresses of the same IPv6 network (/64)', async () => {
    const drop = await makeDrop({ quantity: 100 })
    const calls = Array.from({ length: 40 }, (_, at) => buy(visitorFrom(`2001:db8:5:5:${at.toString(16)}::1`), drop.id))
    expect(await outcomesOf(calls)).toEqual({ ok: 10, WORK_NEEDED: 30 })
  })

  it('is stored as a hash, which is deleted two hours after the end of the hold', async () => {
    const drop = await makeDrop()
    await buy(visitorFrom('203.0.113.4'), drop.id)
    const { originKey } = await newest(drop.id)
    expect(originKey).toMatch(/^[0-9a-f]{32}$/)
    await db().hold.updateMany({ where: { dropId: drop.id }, data: { state: 'released', settledAt: new Date() } })
    await db().drop.update({ where: { id: drop.id }, data: { held: 0 } })
    await db().order.updateMany({ where: { dropId: drop.id }, data: { status: 'expired' } })
    await forgetOrigins(job())
    expect((await newest(drop.id)).originKey).toBe(originKey)
    await db().hold.updateMany({
      where: { dropId: drop.id },
      data: { settledAt: new Date(Date.now() - 121 * MINUTE_MS) },
    })
    await forgetOrigins(job())
    expect((await newest(drop.id)).originKey).toBeNull()
  })
})

it('buyers of a school behind one address have to do more work, but all of them get a hold', async () => {
  const drop = await makeDrop({ quantity: 80 })
  const school = visitorFrom('198.51.100.1')
  const works: number[] = []
  const buyers = Array.from({ length: 40 }, async () => {
    const buyerToken = newSecret()
    let work: string | undefined
    for (let attempt = 0; attempt < 5; attempt += 1) {
      try {
        return await buy(school, drop.id, { buyerToken, work })
      } catch (error) {
        const asked = (error as { work?: string }).work
        if (!asked) throw error
        works.push(readWork(asked).work)
        work = await answerWorkInSteps(asked)
      }
    }
    throw new Error('refused')
  })
  expect(await outcomesOf(buyers)).toEqual({ ok: 40 })
  expect(await stock(drop.id)).toEqual({ sold: 0, held: 40 })
  expect(Math.max(...works)).toBeLessThanOrEqual(400_000)
})

describe('when more than half of the units are unpaid', () => {
  async function makeContestedDrop(quantity = 10) {
    const drop = await makeDrop({ quantity })
    for (let taken = 0; taken * 2 <= quantity; taken += 1) await buy(visitor(), drop.id)
    await ageHolds(drop.id, RUSH_SECONDS + 1)
    return drop
  }

  it('a crowd that arrives at once gets all units without work', async () => {
    const drop = await makeDrop({ quantity: 10 })
    const calls = Array.from({ length: 40 }, () => buy(visitor(), drop.id))
    expect(await outcomesOf(calls)).toEqual({ ok: 10, ALL_IN_CHECKOUT: 30 })
    expect(await stock(drop.id)).toEqual({ sold: 0, held: 10 })
  })

  it('every buyer has to do work once this has lasted longer than a rush, even when many addresses ask at once', async () => {
    const drop = await makeContestedDrop()
    const calls = Array.from({ length: 40 }, () => buy(visitor(), drop.id))
    expect(await outcomesOf(calls)).toEqual({ WORK_NEEDED: 40 })
    expect(await stock(drop.id)).toEqual({ sold: 0, held: 6 })
  })

  it('one buyer gets a unit without work after the unpaid units of a crowd went back on sale, and the others need work', async () => {
    const drop = await makeDrop({ quantity: 10 })
    await Promise.all(Array.from({ length: 10 }, () => buy(visitor(), drop.id)))
    await ageHolds(drop.id, 51)
    await yieldHolds(job())
    expect(await stock(drop.id)).toEqual({ sold: 0, held: 5 })
    const calls = Array.from({ length: 20 }, () => buy(visitor(), drop.id))
    expect(await outcomesOf(calls)).toEqual({ ok: 1, WORK_NEEDED: 19 })
  })

  it('no buyer has to do work if all earlier buyers have paid', async () => {
    const drop = await makeDrop({ quantity: 4 })
    for (let taken = 0; taken < 2; taken += 1) {
      const { url, sessionId } = await openCheckout(drop.id)
      await pay(url)
      await settleCheckout(job(), sessionId)
    }
    await ageHolds(drop.id, 60)
    for (let taken = 0; taken < 2; taken += 1) await buy(visitor(), drop.id)
    expect(await stock(drop.id)).toEqual({ sold: 2, held: 2 })
  })

  it('a hold that needed work lasts ten minutes', async () => {
    const drop = await makeContestedDrop()
    await buyWithWork(visitor(), drop.id)
    const hold = await newest(drop.id)
    expect(hold).toMatchObject({ state: 'held', isContested: true })
    expect(hold.expiresAt.getTime() - hold.createdAt.getTime()).toBe(10 * MINUTE_MS)
  })

  it('a proof of work is valid for one hold, one number of units, one browser, one network and one drop', async () => {
    const drop = await makeContestedDrop()
    const other = await makeContestedDrop()
    const ctx = visitor()
    const buyerToken = newSecret()
    const work = answerWork(await workAskedBy(buy(ctx, drop.id, { buyerToken })))
    await workAskedBy(buy(ctx, drop.id, { work }))
    await workAskedBy(buy(visitor(), drop.id, { buyerToken, work }))
    await workAskedBy(buy(ctx, other.id, { buyerToken, work }))
    await workAskedBy(buy(ctx, drop.id, { buyerToken, work, quantity: 4 }))
    await workAskedBy(buy(ctx, drop.id, { buyerToken, work: `${work}1` }))
    const again = Array.from({ length: 10 }, () => buy(ctx, drop.id, { buyerToken, work }))
    expect(new Set(await Promise.all(again)).size).toBe(1)
    await db().hold.updateMany({ where: { dropId: drop.id, workId: { not: null } }, data: { buyerKey: 'gone' } })
    await workAskedBy(buy(ctx, drop.id, { buyerToken, work }))
  })

  it('a proof of work is no longer valid after five minutes', async () => {
    const drop = await makeContestedDrop()
    const ctx = visitor()
    const buyerToken = newSecret()
    const work = answerWork(await workAskedBy(buy(ctx, drop.id, { buyerToken })))
    const later = { ...ctx, clock: { now: () => new Date(Date.now() + 6 * MINUTE_MS) } }
    await workAskedBy(buy(later, drop.id, { buyerToken, work }))
  })

  it('a browser without JavaScript waits instead, and longer for each further ticket of its network', async () => {
    const drop = await makeContestedDrop()
    const now = new Date()
    const ctx = { ...visitorFrom('203.0.113.20'), clock: { now: () => now } }
    const buyerToken = newSecret()
    const ticket = await workAskedBy(buy(ctx, drop.id, { buyerToken, kind: 'wait' }))
    const waits = [readWork(ticket).from ?? 0]
    await expect(buy(ctx, drop.id, { buyerToken, kind: 'wait', work: ticket })).rejects.toMatchObject({
      code: 'WORK_NEEDED',
      work: ticket,
      retryAfterSeconds: expect.any(Number),
    })
    for (let at = 0; at < 3; at += 1) {
      waits.push(readWork(await workAskedBy(buy(ctx, drop.id, { kind: 'wait' }))).from ?? 0)
    }
    const seconds = waits.map((from) => Math.round((from - now.getTime()) / 1000))
    expect(seconds).toEqual([4, 8, 12, 16])
    const later = { ...ctx, clock: { now: () => new Date(now.getTime() + 5_000) } }
    await expect(buy(later, drop.id, { buyerToken, kind: 'wait', work: ticket })).resolves.toMatch(/^http/)
  })

  it('browsers without JavaScript wait longer when many networks ask for tickets at one drop', async () => {
    const drop = await makeContestedDrop()
    const waits: number[] = []
    for (let at = 0; at < 21; at += 1) {
      const ticket = await workAskedBy(buy(visitorFrom(`198.51.100.${at + 30}`), drop.id, { kind: 'wait' }))
      waits.push(Math.round(((readWork(ticket).from ?? 0) - Date.now()) / 1000))
    }
    expect([waits[0], waits[9], waits[10], waits[20]]).toEqual([4, 4, 8, 12])
  })

  it('requests that are refused for lack of work are counted for the seller', async () => {
    const drop = await makeContestedDrop()
    await workAskedBy(buy(visitor(), drop.id))
    await workAskedBy(buy(visitor(), drop.id))
    await flushCollectors()
    expect(await db().dropHour.findFirst({ where: { dropId: drop.id } })).toMatchObject({ refused: 2 })
  })
})

it('browsers behind a private address are counted separately, because a private address belongs to a proxy', async () => {
  const drop = await makeDrop({ quantity: 100 })
  const calls = Array.from({ length: 30 }, () => buy(visitorFrom('10.0.0.7'), drop.id))
  expect(await outcomesOf(calls)).toEqual({ ok: 30 })
})

it('with a proof of work, a network gets holds only up to the number of units in checkout that the proof allows', async () => {
  const drop = await makeDrop({ quantity: 100 })
  const key = 'a network'
  const calls = Array.from({ length: 30 }, () => hold(drop.id, { key, work: { id: newSecret(), mostUnpaid: 14 } }))
  expect((await Promise.all(calls)).filter((taken) => taken !== null)).toHaveLength(14)
  expect(await stock(drop.id)).toEqual({ sold: 0, held: 14 })
})

it('a buyer who changes the quantity keeps the open checkout until the required work is done', async () => {
  const drop = await makeDrop({ quantity: 100 })
  const ctx = visitorFrom('203.0.113.78')
  const buyerToken = newSecret()
  const url = await buy(ctx, drop.id, { buyerToken })
  await ageHolds(drop.id, 8 * 60)
  const asked = await workAskedBy(buy(ctx, drop.id, { buyerToken, quantity: 2 }))
  expect(await buy(ctx, drop.id, { buyerToken })).toBe(url)
  expect(await stock(drop.id)).toEqual({ sold: 0, held: 1 })
  await buy(ctx, drop.id, { buyerToken, quantity: 2, work: answerWork(asked) })
  expect(await stock(drop.id)).toEqual({ sold: 0, held: 2 })
})

it('a buyer who asks for more units than are left keeps the open checkout', async () => {
  const drop = await makeDrop({ quantity: 3 })
  await buy(visitor(), drop.id)
  const ctx = visitor()
  const buyerToken = newSecret()
  const url = await buy(ctx, drop.id, { buyerToken })
  await expect(buy(ctx, drop.id, { buyerToken, quantity: 3 })).rejects.toMatchObject({ code: 'NOT_ENOUGH_LEFT' })
  expect(await buy(ctx, drop.id, { buyerToken })).toBe(url)
  await pay(url)
  expect(await settleCheckout(job(), sessionOf(url))).toBe('paid')
})

it('after a checkout has expired, the next hold of its network needs work for a while', async () => {
  const drop = await makeDrop({ quantity: 100 })
  const ctx = visitorFrom('203.0.113.21')
  await buy(ctx, drop.id)
  await ageHolds(drop.id, 31 * 60)
  await db().hold.updateMany({ where: { dropId: drop.id }, data: { expiresAt: new Date() } })
  await sweepCheckouts(job())
  await workAskedBy(buy(ctx, drop.id))
  await database().sql.unprepared(
    `UPDATE "Hold" SET "createdAt" = "createdAt" - interval '20 minutes', "settledAt" = "settledAt" - interval '20 minutes'
      WHERE "dropId" = :dropId`,
    { dropId: drop.id },
  )
  await expect(buy(ctx, drop.id)).resolves.toMatch(/^http/)
})
