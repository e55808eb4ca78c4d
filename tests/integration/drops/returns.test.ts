import { visitor } from '../../support/factories'
import { archiveDrops } from '@/lib/drops/archive-drops'
import { findShownDrop } from '@/lib/drops/history/history-queries'
import { findPublicDrop } from '@/lib/drops/queries'
import { renewDrops } from '@/lib/drops/renew-drops'
import { systemContext } from '@/lib/infra/context'
import { closeDatabase, db } from '@/lib/infra/db'
import { HOUR_MS } from '@/lib/kernel/time'
import { dropJsonLd } from '@/lib/previews/drop-json-ld'
import { dropMetadata, previewStatus, previewVersion, toPreviewedDrop } from '@/lib/previews/drop-metadata'
import { makeDrop, makeSeller } from '@/tests/support/factories'

afterAll(closeDatabase)

const ctx = systemContext('archive')

/** Makes an archived drop that ended an hour ago. Its seller uses auto-renew, unless `seller` says otherwise. */
async function makeEnded(
  seller: { autoRenewDrops?: boolean; isSuspended?: boolean; suspendedUntil?: Date } = {},
  sold = 1,
) {
  const { id: userId } = await makeSeller({ autoRenewDrops: true, ...seller })
  const endTime = new Date(Date.now() - HOUR_MS)
  const timing = { startedAt: new Date(endTime.getTime() - 24 * HOUR_MS), endTime }
  const drop = await makeDrop({ userId, quantity: 5, sold, ...timing })
  await db().dropRun.create({ data: { dropId: drop.id, run: 1, quantity: 5, ...timing } })
  await archiveDrops(visitor())
  return drop
}

const look = async (drop: { uniqueId: string }) => toPreviewedDrop((await findPublicDrop(ctx, drop.uniqueId))!)

it('announces when auto-renew will relaunch an ended drop, in the view of the drop and in its previews', async () => {
  const drop = await makeEnded()
  const view = await look(drop)
  const returnsAt = new Date(drop.endTime.getTime() + 24 * HOUR_MS)
  expect(view).toMatchObject({ state: 'ended', isActive: false, returnsAt: returnsAt.toISOString() })
  expect(previewStatus(view)).toMatch(/^Back \w{3}, \w{3} \d{1,2}, \d{1,2}:\d\d [AP]M UTC$/)
  expect(dropMetadata(view).description).toContain('Back ')
  expect(JSON.parse(dropJsonLd(view)).offers).toMatchObject({
    availability: 'https://schema.org/OutOfStock',
    availabilityStarts: returnsAt.toISOString(),
  })
})

it('names the planned return of a live drop in the data for search engines and in the version of its pictures', async () => {
  const { id: userId } = await makeSeller({ autoRenewDrops: true, plan: 'pro' })
  const drop = await makeDrop({ userId, productType: 'digital' })
  const view = async () => toPreviewedDrop((await findShownDrop(ctx, drop.uniqueId))!)
  const before = await view()
  const value = new Date(drop.endTime.getTime() + 24 * HOUR_MS).toISOString()
  expect(JSON.parse(dropJsonLd(before)).additionalProperty).toMatchObject({ name: 'May return', value })
  await db().drop.update({ where: { id: drop.id }, data: { sold: 1 } })
  const after = await view()
  expect(JSON.parse(dropJsonLd(after)).additionalProperty).toMatchObject({ name: 'Returns', value })
  expect(previewVersion(after)).not.toBe(previewVersion({ ...after, history: before.history! }))
})

it('does not announce a return of a live drop that is in review or refused', async () => {
  const { id: userId } = await makeSeller({ autoRenewDrops: true })
  const drop = await makeDrop({ userId, quantity: 5 })
  const returnsAt = async () => (await findShownDrop(ctx, drop.uniqueId))?.history?.returnsAt
  expect(await returnsAt()).not.toBeNull()
  for (const moderation of ['review', 'refused'] as const) {
    await db().drop.update({ where: { id: drop.id }, data: { moderation } })
    expect(await returnsAt()).toBeNull()
  }
})

it('announces no time once the relaunch is due, and auto-renew relaunches the drop', async () => {
  const drop = await makeEnded()
  await db().dropRun.updateMany({ where: { dropId: drop.id }, data: { renewDueAt: new Date(Date.now() - 1_000) } })
  expect(await look(drop)).toMatchObject({ state: 'ended', returnsAt: null })
  await renewDrops(ctx)
  expect(await look(drop)).toMatchObject({ state: 'live', run: 2, returnsAt: null })
})

it('announces and performs the relaunch when the suspension of the seller has expired', async () => {
  const suspendedUntil = new Date(Date.now() - 1_000)
  const drop = await makeEnded({ isSuspended: true, suspendedUntil })
  const returnsAt = new Date(drop.endTime.getTime() + 24 * HOUR_MS)
  expect(await look(drop)).toMatchObject({ state: 'ended', returnsAt: returnsAt.toISOString() })
  await db().dropRun.updateMany({ where: { dropId: drop.id }, data: { renewDueAt: new Date(Date.now() - 1_000) } })
  await renewDrops(ctx)
  expect(await look(drop)).toMatchObject({ state: 'live', run: 2 })
})

it('announces nothing while another drop takes the only place of the plan, or when the plan does not sell the type', async () => {
  const drop = await makeEnded()
  const due = drop.endTime.getTime() + 24 * HOUR_MS
  const other = await makeDrop({ userId: drop.userId, endTime: new Date(due - 1_000) })
  expect(await look(drop)).toMatchObject({ returnsAt: expect.any(String) })
  await db().drop.update({ where: { id: other.id }, data: { endTime: new Date(due + 1_000) } })
  expect(await look(drop)).toMatchObject({ returnsAt: null })
  await db().user.update({ where: { id: drop.userId }, data: { plan: 'pro' } })
  expect(await look(drop)).toMatchObject({ returnsAt: expect.any(String) })
  await db().drop.update({ where: { id: drop.id }, data: { productType: 'service' } })
  expect(await look(drop)).toMatchObject({ returnsAt: expect.any(String) })
  await db().drop.update({ where: { id: other.id }, data: { archivedAt: new Date() } })
  await db().user.update({ where: { id: drop.userId }, data: { plan: 'free' } })
  expect(await look(drop)).toMatchObject({ returnsAt: null })
})

it('announces nothing for a drop that auto-renew will not relaunch', async () => {
  for (const drop of [
    await makeEnded({ autoRenewDrops: false }),
    await makeEnded({ isSuspended: true }),
    await makeEnded({}, 0),
    await makeEnded({}, 5),
  ]) {
    const view = await look(drop)
    expect(view).toMatchObject({ state: 'ended', returnsAt: null })
    expect(previewStatus(view)).toBe('Ended')
  }
  // Auto-renew does not start a fourth run in a row.
  const often = await makeEnded()
  await db().drop.update({ where: { id: often.id }, data: { run: 3 } })
  await db().dropRun.updateMany({ where: { dropId: often.id }, data: { run: 3, isAutoRenew: true } })
  const timing = { startedAt: often.startedAt, endTime: often.endTime }
  await db().dropRun.create({ data: { dropId: often.id, run: 2, quantity: 5, isAutoRenew: true, ...timing } })
  expect(await look(often)).toMatchObject({ returnsAt: null })
  expect(await look(await makeDrop())).toMatchObject({ state: 'live', returnsAt: null })
})
