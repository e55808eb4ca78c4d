import { visitor } from '../../support/factories'
import { extendLiveDrops } from '@/lib/admin/extend-live-drops'
import { listDrops } from '@/lib/admin/queries'
import { removeDrop } from '@/lib/admin/remove-drop'
import { updateDrop } from '@/lib/admin/update-drop'
import { removeAccount } from '@/lib/closure/remove-account'
import { archiveDrops } from '@/lib/drops/archive-drops'
import { findPublicDrop } from '@/lib/drops/queries'
import { dropState } from '@/lib/drops/rules'
import { closeDatabase, database, db } from '@/lib/infra/db'
import { HOUR_MS, MINUTE_MS } from '@/lib/kernel/time'
import { actorOf, contextFor, makeDrop, makeSeller } from '@/tests/support/factories'
import { openCheckout, pay } from '@/tests/support/shop'

afterAll(closeDatabase)

const asAdmin = async () => contextFor(actorOf(await makeSeller({ isAdmin: true })))
const auditOf = (dropId: number) =>
  db().auditEntry.findMany({ where: { targetType: 'drop', targetId: String(dropId) }, orderBy: { id: 'asc' } })
const stateOf = async (uniqueId: string) => {
  const row = await findPublicDrop(database(), uniqueId)
  return row && dropState(row, row.now)
}

it('extends, ends and restores drops, each with a row in the audit log', async () => {
  const drop = await makeDrop()
  const ctx = await asAdmin()
  await updateDrop(ctx, drop.id, { action: 'extend', hours: 5 })
  const extended = await db().drop.findUniqueOrThrow({ where: { id: drop.id } })
  expect(extended.endTime.getTime() - drop.endTime.getTime()).toBe(5 * HOUR_MS)

  const { url } = await openCheckout(drop.id)
  await updateDrop(ctx, drop.id, { action: 'end' })
  expect(await stateOf(drop.uniqueId)).toBe('ended')
  // A buyer who is in checkout may finish (docs/product.md#ending-early).
  expect((await pay(url)).status).toBe(303)

  await expect(updateDrop(ctx, drop.id, { action: 'extend', hours: 1 })).rejects.toMatchObject({ code: 'DROP_OVER' })
  await expect(updateDrop(ctx, drop.id, { action: 'restore' })).rejects.toMatchObject({ code: 'HOURS_REQUIRED' })
  await updateDrop(ctx, drop.id, { action: 'restore', hours: 2 })
  expect(await stateOf(drop.uniqueId)).toBe('live')
  expect((await auditOf(drop.id)).map(({ action }) => action)).toEqual(['drop.extend', 'drop.end', 'drop.restore'])
})

it('ending a drop gives its seller a recap, and a restore takes the recap back', async () => {
  const ctx = await asAdmin()
  const [live, scheduled] = [
    await makeDrop(),
    await makeDrop({ startedAt: new Date(Date.now() + HOUR_MS), endTime: new Date(Date.now() + 25 * HOUR_MS) }),
  ]
  for (const { id: dropId, startedAt, endTime, quantity } of [live, scheduled])
    await db().dropRun.create({ data: { dropId, run: 1, quantity, startedAt, endTime } })
  const recapOf = async ({ id }: { id: number }) =>
    (await db().dropRun.findFirstOrThrow({ where: { dropId: id } })).recapDueAt
  for (const { id } of [live, scheduled]) await updateDrop(ctx, id, { action: 'end', isFeatured: true })
  expect(await recapOf(live)).not.toBeNull()
  // Nobody could buy the scheduled drop yet, so there is nothing to say.
  expect(await recapOf(scheduled)).toBeNull()
  expect((await db().drop.findUniqueOrThrow({ where: { id: live.id } })).isFeatured).toBe(true)
  await updateDrop(ctx, live.id, { action: 'restore', hours: 2 })
  expect(await recapOf(live)).toBeNull()
})

it('archives and pauses drops, ends their unpaid checkouts, and puts the drops back on sale', async () => {
  const ctx = await asAdmin()
  for (const patch of [{ action: 'archive' as const }, { isActive: false }]) {
    const drop = await makeDrop()
    const { url } = await openCheckout(drop.id)
    await updateDrop(ctx, drop.id, patch)
    expect((await pay(url)).status).not.toBe(303)
    expect(await stateOf(drop.uniqueId)).toBe(patch.action ? 'ended' : 'paused')
    await updateDrop(ctx, drop.id, patch.action ? { action: 'restore' } : { isActive: true })
    expect(await stateOf(drop.uniqueId)).toBe('live')
  }
})

it('ends, archives and pauses a drop, and extends all drops, only after a recent second factor', async () => {
  const { actor } = await asAdmin()
  const stolen = contextFor({ ...actor, hasTwoFactor: true, steppedUpAt: null })
  const drop = await makeDrop()
  const refused = { code: 'STEP_UP_REQUIRED', status: 403 }
  for (const patch of [
    { action: 'end' as const },
    { action: 'archive' as const },
    { isActive: false },
    { isActive: false, isPinned: true },
  ]) {
    await expect(updateDrop(stolen, drop.id, patch)).rejects.toMatchObject(refused)
  }
  await expect(extendLiveDrops(stolen, { hours: 1 })).rejects.toMatchObject(refused)
  const unchanged = { isActive: true, isPinned: false, archivedAt: null, endTime: drop.endTime }
  expect(await db().drop.findUniqueOrThrow({ where: { id: drop.id } })).toMatchObject(unchanged)
  // Changes that stop no sale need none.
  for (const patch of [{ isPinned: true }, { action: 'extend' as const, hours: 1 }, { isActive: true }]) {
    await updateDrop(stolen, drop.id, patch)
  }
  await updateDrop(contextFor({ ...actor, hasTwoFactor: true }), drop.id, { action: 'end' })
  expect(await stateOf(drop.uniqueId)).toBe('ended')
  await updateDrop(stolen, drop.id, { action: 'restore', hours: 2 })
  expect(await stateOf(drop.uniqueId)).toBe('live')
})

it('hides a deleted drop exactly once, and can restore it', async () => {
  const drop = await makeDrop()
  const ctx = await asAdmin()
  const paid = await openCheckout(drop.id)
  await pay(paid.url)
  const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => removeDrop(ctx, drop.id)))
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(await stateOf(drop.uniqueId)).toBeNull()
  expect(await db().order.count({ where: { dropId: drop.id } })).toBe(1)
  await expect(updateDrop(ctx, drop.id, { isPinned: true })).rejects.toMatchObject({ status: 404 })
  expect(await listDrops(database(), { q: drop.uniqueId, limit: 5 })).toEqual([])
  await updateDrop(ctx, drop.id, { action: 'restore' })
  expect(await stateOf(drop.uniqueId)).toBe('live')
})

it('does not put a drop of a deleted account back on sale', async () => {
  const drop = await makeDrop()
  const ctx = await asAdmin()
  await removeAccount(ctx, drop.userId)
  const restored = updateDrop(ctx, drop.id, { action: 'restore', hours: 24 })
  await expect(restored).rejects.toMatchObject({ code: 'SELLER_GONE', status: 409 })
  expect(await stateOf(drop.uniqueId)).toBeNull()
})

it('adds up ten simultaneous extensions', async () => {
  const drop = await makeDrop()
  const ctx = await asAdmin()
  await Promise.all(Array.from({ length: 10 }, () => updateDrop(ctx, drop.id, { action: 'extend', hours: 1 })))
  const after = await db().drop.findUniqueOrThrow({ where: { id: drop.id } })
  expect(after.endTime.getTime() - drop.endTime.getTime()).toBe(10 * HOUR_MS)
})

it('extends every live drop after an outage, and no other drop', async () => {
  const [live, endedDrop] = [await makeDrop(), await makeDrop({ endTime: new Date(Date.now() - 1000) })]
  const { extended, returned } = await extendLiveDrops(await asAdmin(), { hours: 3 })
  expect(extended).toBeGreaterThan(0)
  expect(returned).toBe(0)
  const endOf = async (id: number) => (await db().drop.findUniqueOrThrow({ where: { id } })).endTime.getTime()
  expect((await endOf(live.id)) - live.endTime.getTime()).toBe(3 * HOUR_MS)
  expect(await endOf(endedDrop.id)).toBe(endedDrop.endTime.getTime())
})

it('restores drops whose time ran out during the outage, but none that a person ended or took down, or that exceeds its seller’s plan', async () => {
  const ctx = await asAdmin()
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * MINUTE_MS)
  const ended = (minutes: number, overrides = {}) => makeDrop({ endTime: minutesAgo(minutes), ...overrides })
  const inOutage = await ended(30)
  const archived = await ended(30)
  await db().dropRun.create({
    data: { dropId: archived.id, run: 1, quantity: 10, startedAt: archived.startedAt, endTime: archived.endTime },
  })
  await archiveDrops(visitor())
  expect((await db().dropRun.findFirstOrThrow({ where: { dropId: archived.id } })).renewDueAt).not.toBeNull()
  const before = await ended(90)
  const tooLongAgo = await ended(59 * 3)
  const bySeller = await ended(30, { archivedAt: minutesAgo(30), isActive: false })
  Object.assign(
    bySeller,
    await db().drop.update({ where: { id: bySeller.id }, data: { archivedAt: bySeller.endTime } }),
  )
  const deleted = await ended(30, { hiddenAt: minutesAgo(5), isActive: false })
  const refused = await ended(30, { moderation: 'refused' })
  const paused = await makeDrop()
  await updateDrop(ctx, paused.id, { isActive: false })
  await db().drop.update({ where: { id: paused.id }, data: { endTime: minutesAgo(30) } })
  await archiveDrops(visitor())
  const live = await makeDrop()
  // The seller of this drop has started another drop since, and the free plan allows one drop at a time.
  const replaced = await ended(30)
  await makeDrop({ userId: replaced.userId })

  // Its recap is due, but the job has not queued it yet.
  await db().dropRun.updateMany({ where: { dropId: archived.id }, data: { recapDueAt: new Date() } })
  const outcome = await extendLiveDrops(ctx, { hours: 2, endedSince: minutesAgo(60).toISOString() })
  // Earlier tests in this file left more drops of this kind.
  expect(outcome.returned).toBeGreaterThanOrEqual(2)
  for (const drop of [inOutage, archived]) {
    const after = await db().drop.findUniqueOrThrow({ where: { id: drop.id } })
    expect(after).toMatchObject({ isActive: true, archivedAt: null })
    expect(after.endTime.getTime() - drop.endTime.getTime()).toBe(2 * HOUR_MS)
    expect(await stateOf(drop.uniqueId)).toBe('live')
  }
  // Auto-renew must ignore a run that is on sale again, and so must its recap.
  expect(await db().dropRun.findFirst({ where: { dropId: archived.id } })).toMatchObject({
    renewDueAt: null,
    recapDueAt: null,
  })
  for (const { id } of [before, tooLongAgo, bySeller, deleted, refused, paused, replaced]) {
    const after = await db().drop.findUniqueOrThrow({ where: { id } })
    expect(after.endTime.getTime()).toBeLessThan(Date.now())
  }
  const after = await db().drop.findUniqueOrThrow({ where: { id: live.id } })
  expect(after.endTime.getTime() - live.endTime.getTime()).toBe(2 * HOUR_MS)
  const [entry] = await db().auditEntry.findMany({ where: { action: 'platform.extend', actorId: ctx.actor.userId } })
  expect(entry?.after).toMatchObject({ hours: 2, drops: outcome.extended, returned: outcome.returned })
})

it('finds drops by their title and by the email address and current username of their seller', async () => {
  const stem = `wq${Date.now().toString(36)}`
  const owner = await makeSeller({ username: `${stem}_owner`, email: `${stem}@mail.example` })
  const byOwner = await makeDrop({ userId: owner.id, title: 'A plain bowl' })
  const byTitle = await makeDrop({ title: `The ${stem.toUpperCase()} vase`, productType: 'service' })
  const find = async (q: string, more = {}) =>
    (await listDrops(database(), { q, limit: 50, ...more })).map(({ id }) => id)
  expect(await find(stem)).toEqual([byTitle.id, byOwner.id])
  expect(await find(`${stem}@mail`)).toEqual([byOwner.id])
  expect(await find(`${stem}_owner`, { type: 'service' })).toEqual([])
  await db().user.update({ where: { id: owner.id }, data: { username: `x${stem}`.slice(0, 20) } })
  expect(await find(`x${stem}`)).toEqual([byOwner.id])
  expect(await find(`${stem}_owner`)).toEqual([])
})

it('lists a drop as active only while it runs, like the count of active drops', async () => {
  const now = new Date()
  const running = await makeDrop()
  const paused = await makeDrop({ isActive: false })
  const endedDrop = await makeDrop({ endTime: new Date(now.getTime() - 1_000) })
  // The application never leaves a drop archived and active, but the list must not rely on that.
  const archived = await makeDrop({ archivedAt: now })
  const made = [running, paused, endedDrop, archived].map(({ id }) => id)
  const find = async (show: 'active' | 'inactive') =>
    (await listDrops(database(), { limit: 100, show })).map(({ id }) => id).filter((id) => made.includes(id))
  expect(await find('active')).toEqual([running.id])
  expect(await find('inactive')).toEqual([archived.id, endedDrop.id, paused.id])
})
