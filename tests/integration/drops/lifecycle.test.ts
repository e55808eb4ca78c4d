import { archiveDrops } from '@/lib/drops/archive-drops'
import { countView } from '@/lib/drops/analytics/count-view'
import { findPublicDrop, listLiveDrops } from '@/lib/drops/queries'
import { sweepOrphans } from '@/lib/uploads/sweep-orphans'
import { toDropView } from '@/lib/drops/view'
import { flushCollectors } from '@/lib/infra/collector'
import { closeDatabase, database, db } from '@/lib/infra/db'
import { storage } from '@/lib/infra/storage'
import { newId } from '@/lib/kernel/id'
import { HOUR_MS } from '@/lib/kernel/time'
import { actorOf, contextFor, makeDrop, makeSeller, visitor, visitorFrom } from '@/tests/support/factories'

afterAll(closeDatabase)

const overSince = (ms: number) => ({
  startedAt: new Date(Date.now() - 48 * HOUR_MS),
  endTime: new Date(Date.now() - ms),
})

it('a drop counts as ended from its end on, even before the archive job has run', async () => {
  const drop = await makeDrop(overSince(1))
  const row = await findPublicDrop(database(), drop.uniqueId)
  expect(row && toDropView(row)).toMatchObject({
    state: 'ended',
    isActive: false,
    archivedAt: null,
    canRelaunch: false,
  })
})

it('a drop can be relaunched from 24 hours after its end', async () => {
  const drop = await makeDrop(overSince(24 * HOUR_MS))
  const row = await findPublicDrop(database(), drop.uniqueId)
  expect(row && toDropView(row).canRelaunch).toBe(true)
})

it('archives every ended drop once, even when the job runs three times at the same time', async () => {
  const over = await Promise.all(Array.from({ length: 5 }, () => makeDrop(overSince(1_000))))
  const live = await makeDrop()
  const counts = await Promise.all([archiveDrops(visitor()), archiveDrops(visitor()), archiveDrops(visitor())])
  expect(counts.reduce((sum, count) => sum + count)).toBeGreaterThanOrEqual(5)
  expect(await archiveDrops(visitor())).toBe(0)
  for (const { id } of over) {
    expect(await db().drop.findUniqueOrThrow({ where: { id } })).toMatchObject({ isActive: false })
  }
  expect(await db().drop.findUniqueOrThrow({ where: { id: live.id } })).toMatchObject({
    isActive: true,
    archivedAt: null,
  })
})

it('never shows the link of the digital file or the seller’s email address to the public', async () => {
  const seller = await makeSeller()
  const drop = await makeDrop({ userId: seller.id, productType: 'digital' })
  await db().digitalFile.create({
    data: { dropId: drop.id, source: 'link', url: 'https://secret.example/file.zip', fileName: 'file.zip' },
  })
  const row = await findPublicDrop(database(), drop.uniqueId)
  const text = JSON.stringify(toDropView(row!))
  expect(text).toContain(drop.uniqueId)
  expect(text).not.toContain('secret.example')
  expect(text).not.toContain(seller.email)
})

it('lists pinned live drops before featured ones, and no drop that is sold out, paused, in review, ended or of a suspended seller', async () => {
  const end = (hours: number) => ({ endTime: new Date(Date.now() + hours * HOUR_MS) })
  const featured = await makeDrop({ isFeatured: true, ...end(2) })
  const pinned = await makeDrop({ isPinned: true, ...end(3) })
  const hidden = await Promise.all([
    makeDrop({ quantity: 1, sold: 1 }),
    makeDrop({ isActive: false }),
    makeDrop({ moderation: 'review' }),
    makeDrop({ userId: (await makeSeller({ isSuspended: true })).id }),
    makeDrop(overSince(1)),
  ])
  const ids = (await listLiveDrops(database(), 500)).map((row) => row.id)
  expect(ids.indexOf(pinned.id)).toBeLessThan(ids.indexOf(featured.id))
  for (const { id } of hidden) expect(ids).not.toContain(id)
})

describe('views', () => {
  const phone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15'
  const anyVisitor = visitor()
  const look = (dropId: number, ownerId: number, userAgent = phone, ctx = anyVisitor) =>
    countView(ctx, { dropId, ownerId, userAgent, source: 'direct' })
  const viewsOf = async (id: number) => (await db().drop.findUniqueOrThrow({ where: { id } })).views

  it('count a visitor once a day', async () => {
    const drop = await makeDrop()
    for (let time = 0; time < 3; time += 1) {
      look(drop.id, drop.userId)
      await flushCollectors()
    }
    look(drop.id, drop.userId, phone, visitorFrom('10.1.1.1'))
    await flushCollectors()
    expect(await viewsOf(drop.id)).toBe(2)
  })

  it('do not count the owner, administrators and bots', async () => {
    const seller = await makeSeller()
    const admin = await makeSeller({ isAdmin: true })
    const drop = await makeDrop({ userId: seller.id })
    look(drop.id, seller.id, phone, contextFor(actorOf(seller)))
    look(drop.id, seller.id, phone, contextFor(actorOf(admin)))
    look(drop.id, seller.id, 'TelegramBot (like TwitterBot)')
    look(drop.id, seller.id, '')
    await flushCollectors()
    expect(await viewsOf(drop.id)).toBe(0)
  })

  it('count at most 20 visitors a day from one network address', async () => {
    const drop = await makeDrop()
    for (let browser = 0; browser < 60; browser += 1) {
      look(drop.id, drop.userId, `Invented/${browser}.0 (${phone})`)
      if (browser === 30) await flushCollectors()
    }
    await flushCollectors()
    expect(await viewsOf(drop.id)).toBeLessThanOrEqual(20)
  })

  it('are ignored for drops that no longer exist', async () => {
    look(2_000_000_000, 1)
    await expect(flushCollectors()).resolves.toBeUndefined()
  })
})

it('removes stored objects that no row has claimed', async () => {
  const [orphan, claimed] = [`drops/${newId('x')}`, `drops/${newId('x')}`]
  const long = new Date(Date.now() - HOUR_MS)
  for (const key of [orphan, claimed]) {
    await storage().put(key, Buffer.from('bytes'))
    const claimedAt = key === claimed ? long : null
    await db().storedObject.create({ data: { key, bytes: 5, createdAt: long, claimedAt } })
  }
  expect(await sweepOrphans(visitor())).toBeGreaterThanOrEqual(1)
  expect(await storage().open(orphan)).toBeNull()
  expect(await storage().open(claimed)).not.toBeNull()
})
