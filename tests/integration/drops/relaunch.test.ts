import { systemContext } from '@/lib/infra/context'
import { visitor } from '../../support/factories'
import type { Prisma } from '@prisma/client'
import { archiveDrops } from '@/lib/drops/archive-drops'
import { relaunchDrop } from '@/lib/drops/relaunch-drop'
import { renewDrops } from '@/lib/drops/renew-drops'
import { closeDatabase, db } from '@/lib/infra/db'
import { HOUR_MS } from '@/lib/kernel/time'
import { actorOf, contextFor, makeDrop, makeSeller } from '@/tests/support/factories'

afterAll(closeDatabase)

type Seller = Awaited<ReturnType<typeof makeSeller>>

/** Makes an archived drop that ended the given time ago, with a row for its first run. */
async function makePastDrop(
  seller: Seller,
  overrides: Partial<Prisma.DropUncheckedCreateInput> = {},
  overForMs = 25 * HOUR_MS,
) {
  const endTime = new Date(Date.now() - overForMs)
  const startedAt = new Date(endTime.getTime() - 24 * HOUR_MS)
  const timing = { startedAt, endTime }
  const drop = await makeDrop({ userId: seller.id, ...timing, archivedAt: endTime, isActive: false, ...overrides })
  await db().dropRun.create({ data: { dropId: drop.id, run: 1, quantity: drop.quantity, sold: drop.sold, ...timing } })
  return drop
}

const relaunch = (seller: Seller, dropId: number, input: object = {}) =>
  relaunchDrop(contextFor(actorOf(seller)), { dropId, duration: 48, ...input })

const won = (outcomes: PromiseSettledResult<unknown>[]) =>
  outcomes.filter(({ status }) => status === 'fulfilled').length

it('starts a new run on the same link with a new end and the unsold units', async () => {
  const seller = await makeSeller()
  const drop = await makePastDrop(seller, { quantity: 10, sold: 4, purchases: 4, views: 90 })
  const row = await relaunch(seller, drop.id)
  expect(row).toMatchObject({ uniqueId: drop.uniqueId, run: 2, quantity: 6, sold: 0, purchases: 4, duration: 48 })
  expect(row).toMatchObject({ isActive: true, archivedAt: null })
  expect(row.endTime.getTime() - row.startedAt.getTime()).toBe(48 * HOUR_MS)
  expect(await db().dropRun.findMany({ where: { dropId: drop.id }, orderBy: { run: 'asc' } })).toMatchObject([
    { run: 1, quantity: 10, renewDueAt: null },
    { run: 2, quantity: 6, viewsBefore: 90, isAutoRenew: false },
  ])
})

it('keeps units of the previous run that are in checkout, and uses the quantity that the seller states', async () => {
  const seller = await makeSeller({ plan: 'pro' })
  const drop = await makePastDrop(seller, { quantity: 5, sold: 2, held: 1 })
  expect(await relaunch(seller, drop.id)).toMatchObject({ quantity: 3, held: 1 })
  const other = await makePastDrop(seller, { quantity: 5, sold: 5 })
  await expect(relaunch(seller, other.id)).rejects.toMatchObject({ code: 'NOTHING_LEFT', field: 'quantity' })
  expect(await relaunch(seller, other.id, { quantity: 40 })).toMatchObject({ quantity: 40, sold: 0 })
  const digital = await makePastDrop(seller, { productType: 'digital', quantity: 9, sold: 9 })
  expect(await relaunch(seller, digital.id)).toMatchObject({ quantity: 9 })
})

it('refuses a drop of another seller, a live or removed drop, an early relaunch, and a relaunch beyond the plan’s limit', async () => {
  const seller = await makeSeller()
  const foreign = await makePastDrop(await makeSeller())
  const live = await makeDrop({ userId: seller.id })
  const attempt = async (drop: { id: number }, code: string, status: number, by = seller) => {
    const before = await db().drop.findUnique({ where: { id: drop.id } })
    await expect(relaunch(by, drop.id)).rejects.toMatchObject({ code, status })
    expect(await db().drop.findUnique({ where: { id: drop.id } })).toEqual(before)
  }
  await attempt(foreign, 'NOT_FOUND', 404)
  await attempt({ id: 999_999_999 }, 'NOT_FOUND', 404)
  await attempt(live, 'STILL_LIVE', 403)
  await attempt(await makePastDrop(seller, {}, 23 * HOUR_MS), 'TOO_EARLY', 403)
  await attempt(await makePastDrop(seller, { hiddenAt: new Date() }), 'NOT_FOUND', 404)
  await attempt(await makePastDrop(seller, { moderation: 'refused' }), 'TAKEN_DOWN', 403)
  await attempt(await makePastDrop(seller, { productType: 'digital' }), 'PLAN_REQUIRED', 403)
  await attempt(await makePastDrop(seller), 'LIMIT_REACHED', 409)
  const banned = await makeSeller({ isSuspended: true })
  await attempt(await makePastDrop(banned), 'SUSPENDED', 403, banned)
})

it('a relaunch succeeds once in 50 simultaneous requests', async () => {
  const seller = await makeSeller({ plan: 'pro' })
  const drop = await makePastDrop(seller)
  const outcomes = await Promise.allSettled(Array.from({ length: 50 }, () => relaunch(seller, drop.id)))
  expect(won(outcomes)).toBe(1)
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'STILL_LIVE' })
  }
  expect(await db().dropRun.count({ where: { dropId: drop.id } })).toBe(2)
})

it('one of five drops is relaunched when two drops are live, because the Pro plan allows three live drops', async () => {
  const seller = await makeSeller({ plan: 'pro' })
  await makeDrop({ userId: seller.id })
  await makeDrop({ userId: seller.id })
  const drops = await Promise.all(Array.from({ length: 5 }, () => makePastDrop(seller)))
  const outcomes = await Promise.allSettled(drops.flatMap(({ id }) => [relaunch(seller, id), relaunch(seller, id)]))
  expect(won(outcomes)).toBe(1)
  expect(await db().drop.count({ where: { userId: seller.id, isActive: true } })).toBe(3)
})

describe('auto-renew', () => {
  const ctx = systemContext('test')
  const runsOf = (dropId: number) => db().dropRun.findMany({ where: { dropId }, orderBy: { run: 'asc' } })

  /** Sells units of the current run, and archives the drop as if it had ended 25 hours ago. */
  async function passRun(dropId: number, sold: number) {
    const endTime = new Date(Date.now() - 25 * HOUR_MS)
    const timing = { startedAt: new Date(endTime.getTime() - 24 * HOUR_MS), endTime }
    const { run } = await db().drop.update({ where: { id: dropId }, data: { ...timing, sold } })
    await db().dropRun.update({ where: { dropId_run: { dropId, run } }, data: { ...timing, sold } })
    await archiveDrops(visitor())
  }

  async function makeRunning(seller: Seller, overrides: Partial<Prisma.DropUncheckedCreateInput> = {}) {
    const drop = await makeDrop({ userId: seller.id, ...overrides })
    const { startedAt, endTime, quantity } = drop
    await db().dropRun.create({ data: { dropId: drop.id, run: 1, quantity, startedAt, endTime } })
    return drop
  }

  it('stops after three runs in a row, even with several processes at the same time', async () => {
    const drop = await makeRunning(await makeSeller({ autoRenewDrops: true }))
    for (let run = 1; run <= 3; run += 1) {
      await passRun(drop.id, 1)
      await Promise.all([renewDrops(ctx), renewDrops(ctx), renewDrops(ctx)])
    }
    expect(await runsOf(drop.id)).toMatchObject([
      { run: 1, isAutoRenew: false, quantity: 10 },
      { run: 2, isAutoRenew: true, quantity: 9 },
      { run: 3, isAutoRenew: true, quantity: 8 },
    ])
    expect(await renewDrops(ctx)).toBe(0)
  })

  it('starts no run after a run without a sale, without the setting, at the plan’s limit, or during a suspension', async () => {
    const asked = { autoRenewDrops: true }
    const unsold = await makeRunning(await makeSeller(asked))
    await passRun(unsold.id, 0)
    const unasked = await makeRunning(await makeSeller())
    await passRun(unasked.id, 3)
    const busy = await makeSeller(asked)
    const blocked = await makeRunning(busy)
    await passRun(blocked.id, 3)
    await makeDrop({ userId: busy.id })
    const suspended = await makeRunning(await makeSeller({ ...asked, isSuspended: true }))
    await passRun(suspended.id, 3)
    await renewDrops(ctx)
    for (const { id } of [unsold, unasked, blocked, suspended]) {
      expect(await runsOf(id)).toMatchObject([{ run: 1, renewDueAt: null }])
    }
  })

  it('starts no run within 24 hours after the end', async () => {
    const seller = await makeSeller({ autoRenewDrops: true })
    const drop = await makeRunning(seller)
    const endTime = new Date(Date.now() - 23 * HOUR_MS)
    await db().drop.update({ where: { id: drop.id }, data: { endTime, startedAt: new Date(0), sold: 1 } })
    await archiveDrops(visitor())
    await renewDrops(ctx)
    expect(await runsOf(drop.id)).toMatchObject([{ run: 1, renewDueAt: expect.any(Date) }])
  })
})
