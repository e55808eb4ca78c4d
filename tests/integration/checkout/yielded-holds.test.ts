import { flushCollectors } from '@/lib/infra/collector'
import { closeDatabase, db } from '@/lib/infra/db'
import { newSecret } from '@/lib/kernel/id'
import { stripe } from '@/lib/infra/stripe'
import { MINUTE_MS } from '@/lib/kernel/time'
import { releaseHold } from '@/lib/checkout/hold/release-hold'
import { settleCheckout } from '@/lib/checkout/settlement/settle-checkout'
import { sweepCheckouts } from '@/lib/checkout/sweep-checkouts'
import { yieldHolds } from '@/lib/checkout/hold/yield-holds'
import { deleteDrop } from '@/lib/drops/delete-drop'
import { actorOf, contextFor, makeDrop, visitor } from '@/tests/support/factories'
import { examineMoneyAfterEach } from '@/tests/support/examine-money-after-each'
import { ageHolds, openCheckout, pay } from '@/tests/support/shop'
import { buy, heldOf, hold, holdsOf, job, sessionOf, stock } from './hold-support'

examineMoneyAfterEach()
afterAll(async () => {
  await flushCollectors()
  await closeDatabase()
})

describe('units that stay unpaid', () => {
  async function allTaken(quantity: number) {
    const drop = await makeDrop({ quantity })
    const urls: string[] = []
    for (let taken = 0; taken < quantity; taken += 1) urls.push(await buy(visitor(), drop.id))
    return { drop, urls }
  }

  it('go back on sale until half are held, but only after they were unpaid for almost a minute', async () => {
    const { drop } = await allTaken(4)
    expect(await yieldHolds(job())).toBe(0)
    await ageHolds(drop.id, 51)
    await yieldHolds(job())
    expect(await stock(drop.id)).toEqual({ sold: 0, held: 2 })
    expect((await holdsOf(drop.id)).filter(({ reason }) => reason === 'yielded')).toHaveLength(2)
    expect(await yieldHolds(job())).toBe(0)
  })

  it('go back on sale until half are held, even if others take units while holds are yielded one by one', async () => {
    const { drop } = await allTaken(4)
    await ageHolds(drop.id, 51)
    const ctx = job()
    let taken = 0
    const sql: typeof ctx.sql = Object.assign(
      async (...[name, text, parameters]: Parameters<typeof ctx.sql>) => {
        const rows = await ctx.sql(name, text, parameters)
        if (name === 'release-hold' && taken++ === 0) await hold(drop.id)
        return rows as never[]
      },
      { unprepared: ctx.sql.unprepared },
    )
    await yieldHolds({ ...ctx, sql })
    expect(taken).toBeGreaterThan(2)
    expect(await stock(drop.id)).toEqual({ sold: 0, held: 2 })
  })

  it('can still be paid while units are left', async () => {
    const { drop, urls } = await allTaken(4)
    await ageHolds(drop.id, 51)
    await yieldHolds(job())
    const last = urls.at(-1)!
    await pay(last)
    expect(await settleCheckout(job(), sessionOf(last))).toBe('paid')
    expect(await stock(drop.id)).toEqual({ sold: 1, held: 2 })
  })

  it('lead to a full refund when they are paid after other buyers have bought the units that went back on sale', async () => {
    const { drop, urls } = await allTaken(4)
    await ageHolds(drop.id, 51)
    await yieldHolds(job())
    // Two other buyers take the units that went back on sale, and pay.
    for (let taken = 0; taken < 2; taken += 1) {
      const other = await openCheckout(drop.id)
      await pay(other.url)
      await settleCheckout(job(), other.sessionId)
    }
    await pay(urls.at(-1)!)
    expect(await settleCheckout(job(), sessionOf(urls.at(-1)!))).toBe('refunded')
    expect(await stock(drop.id)).toEqual({ sold: 2, held: 2 })
  })

  it('are closed at Stripe once other buyers have bought the units that went back on sale', async () => {
    const { drop, urls } = await allTaken(4)
    await ageHolds(drop.id, 51)
    await yieldHolds(job())
    const statuses = async () => {
      const sessions = await Promise.all(urls.map((url) => stripe().checkout.sessions.retrieve(sessionOf(url))))
      return sessions.map(({ status }) => status)
    }
    const sellTwo = async () => {
      for (let taken = 0; taken < 2; taken += 1) {
        const other = await openCheckout(drop.id)
        await pay(other.url)
        await settleCheckout(job(), other.sessionId)
      }
    }
    await sellTwo()
    await sweepCheckouts(job())
    expect(await statuses()).toEqual(['open', 'open', 'open', 'open'])
    for (const url of urls.slice(0, 2)) {
      await pay(url)
      await settleCheckout(job(), sessionOf(url))
    }
    expect(await stock(drop.id)).toMatchObject({ sold: 4 })
    await sweepCheckouts(job())
    expect((await statuses()).sort()).toEqual(['complete', 'complete', 'expired', 'expired'])
    expect(await holdsOf(drop.id)).not.toContainEqual(expect.objectContaining({ reason: 'yielded' }))
  })

  it('are closed at Stripe once the seller has deleted the drop', async () => {
    const { drop, urls } = await allTaken(4)
    await ageHolds(drop.id, 51)
    await yieldHolds(job())
    const yielded = await holdsOf(drop.id)
    // The other two buyers cancel, so that the drop can be deleted.
    for (const { id } of yielded.filter(({ state }) => state === 'held')) await releaseHold(job(), id, 'cancelled')
    const seller = await db().user.findUniqueOrThrow({ where: { id: drop.userId } })
    await deleteDrop(contextFor(actorOf(seller)), { dropId: drop.id })
    await sweepCheckouts(job())
    expect(await holdsOf(drop.id)).not.toContainEqual(expect.objectContaining({ reason: 'yielded' }))
    const sessions = await Promise.all(urls.map((url) => stripe().checkout.sessions.retrieve(sessionOf(url))))
    expect(sessions.filter(({ status }) => status === 'expired').length).toBeGreaterThanOrEqual(2)
  })

  it('go to the buyer who pays first, although other buyers have them in checkout', async () => {
    const { drop, urls } = await allTaken(4)
    await ageHolds(drop.id, 51)
    await yieldHolds(job())
    for (let taken = 0; taken < 2; taken += 1) await hold(drop.id)
    expect(await stock(drop.id)).toEqual({ sold: 0, held: 4 })
    const yielded = (await holdsOf(drop.id)).filter(({ reason }) => reason === 'yielded').length
    await pay(urls[3]!)
    expect(await settleCheckout(job(), sessionOf(urls[3]!))).toBe('paid')
    expect(await stock(drop.id)).toEqual({ sold: 1, held: 3 })
    expect((await holdsOf(drop.id)).filter(({ state }) => state === 'released')).toHaveLength(yielded)
  })

  it('go back on sale even when each hold is replaced before it is a minute old', async () => {
    const { drop } = await allTaken(4)
    expect(await yieldHolds(job())).toBe(0)
    for (let round = 0; round < 2; round += 1) {
      await ageHolds(drop.id, 30)
      for (const { id } of await heldOf(drop.id)) {
        await releaseHold(job(), id, 'cancelled')
        await hold(drop.id)
      }
      expect(await stock(drop.id)).toEqual({ sold: 0, held: 4 })
    }
    expect(await yieldHolds(job())).toBe(2)
    expect(await stock(drop.id)).toEqual({ sold: 0, held: 2 })
    // A buyer who takes these units now has the whole minute, although the two holds that are left are older.
    await db().hold.updateMany({
      where: { dropId: drop.id, state: 'held' },
      data: { createdAt: new Date(Date.now() - 2 * MINUTE_MS) },
    })
    for (let taken = 0; taken < 2; taken += 1) await hold(drop.id)
    expect(await yieldHolds(job())).toBe(0)
    await ageHolds(drop.id, 51)
    expect(await yieldHolds(job())).toBe(2)
  })

  it('go to every buyer who pays, even when several pay at once', async () => {
    const { drop, urls } = await allTaken(6)
    await ageHolds(drop.id, 51)
    await yieldHolds(job())
    for (let taken = 0; taken < 3; taken += 1) await hold(drop.id)
    const yielded = (await db().order.findMany({ where: { dropId: drop.id, hold: { reason: 'yielded' } } })).map(
      ({ stripeSessionId }) => stripeSessionId,
    )
    const late = urls.filter((url) => yielded.includes(sessionOf(url)))
    expect(late).toHaveLength(3)
    for (const url of late) await pay(url)
    const settled = await Promise.all(late.map((url) => settleCheckout(job(), sessionOf(url))))
    expect(settled).toEqual(['paid', 'paid', 'paid'])
    expect(await stock(drop.id)).toEqual({ sold: 3, held: 3 })
  })

  it('can be paid even when they go back on sale while Stripe opens the checkout', async () => {
    const drop = await makeDrop({ quantity: 4 })
    const ctx = visitor()
    const slow = {
      ...ctx,
      stripe: () => {
        const client = ctx.stripe()
        const sessions = Object.create(client.checkout.sessions) as typeof client.checkout.sessions
        sessions.create = async (...call: Parameters<typeof sessions.create>) => {
          for (const { id } of await heldOf(drop.id)) await releaseHold(job(), id, 'yielded')
          return client.checkout.sessions.create(...call)
        }
        return Object.assign(Object.create(client) as typeof client, { checkout: { ...client.checkout, sessions } })
      },
    }
    const url = await buy(slow, drop.id)
    await pay(url)
    expect(await settleCheckout(job(), sessionOf(url))).toBe('paid')
    expect(await stock(drop.id)).toEqual({ sold: 1, held: 0 })
  })

  it('can be paid after the end of the drop when they were held before the end', async () => {
    const { drop, urls } = await allTaken(4)
    await ageHolds(drop.id, 51)
    await yieldHolds(job())
    await db().drop.update({ where: { id: drop.id }, data: { endTime: new Date() } })
    expect(await yieldHolds(job())).toBe(0)
    await pay(urls.at(-1)!)
    expect(await settleCheckout(job(), sessionOf(urls.at(-1)!))).toBe('paid')
  })

  it('lead their buyer back to the same checkout, which closes when it expires', async () => {
    const drop = await makeDrop({ quantity: 4 })
    for (let taken = 0; taken < 3; taken += 1) await buy(visitor(), drop.id)
    const ctx = visitor()
    const buyerToken = newSecret()
    const url = await buy(ctx, drop.id, { buyerToken })
    await ageHolds(drop.id, 51)
    await yieldHolds(job())
    expect(await buy(ctx, drop.id, { buyerToken })).toBe(url)
    await db().hold.updateMany({ where: { dropId: drop.id }, data: { expiresAt: new Date() } })
    await sweepCheckouts(job())
    expect((await pay(url)).status).toBe(410)
    expect((await holdsOf(drop.id)).map(({ reason }) => reason)).toEqual(Array.from({ length: 4 }, () => 'expired'))
  })

  it('are counted once, however their checkouts end', async () => {
    const { drop, urls } = await allTaken(4)
    await ageHolds(drop.id, 51)
    await yieldHolds(job())
    expect(await stock(drop.id)).toEqual({ sold: 0, held: 2 })
    // Stripe expires one checkout whose unit is still held and one whose unit was released, before the sweep does.
    for (const state of ['held', 'released'] as const) {
      const { order } = await db().hold.findFirstOrThrow({
        where: { dropId: drop.id, state },
        include: { order: true },
      })
      await stripe().checkout.sessions.expire(order?.stripeSessionId ?? '')
    }
    await db().hold.updateMany({ where: { dropId: drop.id }, data: { expiresAt: new Date() } })
    expect(await sweepCheckouts(job())).toBe(2)
    expect(await settleCheckout(job(), sessionOf(urls[0]!))).toBe('over')
    expect(await stock(drop.id)).toEqual({ sold: 0, held: 0 })
  })

  it('go back only after ten minutes when they were taken before more than half of the units were unpaid', async () => {
    const drop = await makeDrop({ quantity: 10 })
    for (let taken = 0; taken < 5; taken += 1) await buy(visitor(), drop.id)
    await ageHolds(drop.id, 5 * 60)
    await db().drop.update({ where: { id: drop.id }, data: { quantity: 6 } })
    expect(await yieldHolds(job())).toBe(0)
    await ageHolds(drop.id, 5 * 60)
    await yieldHolds(job())
    expect(await stock(drop.id)).toEqual({ sold: 0, held: 3 })
  })

  it('stay with their buyer when the drop has a single unit', async () => {
    const drop = await makeDrop({ quantity: 1 })
    await buy(visitor(), drop.id)
    await ageHolds(drop.id, 20 * 60)
    expect(await yieldHolds(job())).toBe(0)
  })
})
