import { queueRecaps } from '@/lib/payouts/queue-recaps'
import { visitor } from '../../support/factories'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sharp from 'sharp'
import { archiveDrops } from '@/lib/drops/archive-drops'
import { createDrop } from '@/lib/drops/create-drop'
import { deleteDrop } from '@/lib/drops/delete-drop'
import { editDrop } from '@/lib/drops/edit-drop'
import { endDrop } from '@/lib/drops/end-drop'
import { findPublicDrop } from '@/lib/drops/queries'
import { createDropSchema } from '@/lib/drops/schema'
import { closeDatabase, database, db } from '@/lib/infra/db'
import { photoFileKeys } from '@/lib/infra/images'
import { storage } from '@/lib/infra/storage'
import { HOUR_MS } from '@/lib/kernel/time'
import { actorOf, contextFor, makeDrop, makeSeller } from '@/tests/support/factories'
import { openCheckout, pay } from '@/tests/support/shop'

afterAll(closeDatabase)

type Seller = Awaited<ReturnType<typeof makeSeller>>

const as = (seller: Seller) => contextFor(actorOf(seller))
const readDrop = (id: number) => db().drop.findUnique({ where: { id } })
const mailsTo = (seller: Seller) => db().outboxMail.findMany({ where: { to: seller.email } })
let photo: { path: string; fileName: string; field: string }

beforeAll(async () => {
  const file = path.join(await mkdtemp(path.join(tmpdir(), 'lastcall-photos-')), 'photo.jpg')
  await sharp({ create: { width: 600, height: 750, channels: 3, background: '#1b7f4b' } })
    .jpeg()
    .toFile(file)
  photo = { path: file, fileName: 'photo.jpg', field: 'image0' }
})

function publish(seller: Seller) {
  const fields = createDropSchema(['image0']).parse({
    title: 'Mug',
    description: 'A mug.',
    price: '24',
    duration: '24',
  })
  return createDrop(as(seller), { fields, images: [photo] })
}

describe('ending early', () => {
  it('archives the drop right away, emails the sales to the seller, and sets the end of the drop to that moment', async () => {
    const seller = await makeSeller()
    const drop = await makeDrop({ userId: seller.id, views: 40, sold: 3, purchases: 3 })
    const { id: dropId, startedAt, endTime } = drop
    await db().dropRun.create({ data: { dropId, run: 1, quantity: 10, sold: 3, startedAt, endTime } })
    const row = await endDrop(as(seller), { dropId: drop.id })
    expect(row).toMatchObject({ isActive: false, endTime: row.archivedAt })
    expect(Math.abs(row.endTime.getTime() - row.now.getTime())).toBeLessThan(5_000)
    await queueRecaps(visitor())
    const [mail] = await mailsTo(seller)
    expect(mail?.text).toContain('Views: 40')
    expect(mail?.text).toContain('Sold: 3 of 10')
    await expect(endDrop(as(seller), { dropId: drop.id })).rejects.toMatchObject({ code: 'ENDED', status: 409 })
    await expect(endDrop(as(await makeSeller()), { dropId: drop.id })).rejects.toMatchObject({ status: 404 })
  })

  it('lets buyers in checkout finish paying', async () => {
    const seller = await makeSeller()
    const drop = await makeDrop({ userId: seller.id })
    const { url } = await openCheckout(drop.id)
    await endDrop(as(seller), { dropId: drop.id })
    expect((await pay(url)).status).toBe(303)
  })
})

describe('editing', () => {
  it('raises the quantity, changes the description and appends pictures', async () => {
    const seller = await makeSeller()
    const { id } = await publish(seller)
    const fields = { quantity: 25, description: 'A better mug.', maxPerBuyer: 2 }
    const row = await editDrop(as(seller), { dropId: id, fields, images: [photo, { ...photo, field: 'image1' }] })
    expect(row).toMatchObject({ quantity: 25, description: 'A better mug.', maxPerBuyer: 2, priceCents: 2400 })
    expect(row.images).toHaveLength(3)
    expect(await db().dropRun.findFirst({ where: { dropId: id } })).toMatchObject({ quantity: 25 })
  })

  it('never stores more than five pictures, even when several tabs add pictures at once', async () => {
    const seller = await makeSeller()
    const { id } = await publish(seller)
    const add = () => editDrop(as(seller), { dropId: id, fields: {}, images: [photo, { ...photo, field: 'image1' }] })
    const outcomes = await Promise.allSettled([add(), add(), add()])
    expect(outcomes.filter(({ status }) => status === 'rejected')).toMatchObject([
      { reason: { code: 'TOO_MANY_IMAGES' } },
    ])
    expect(await db().dropImage.count({ where: { dropId: id } })).toBe(5)
    expect(await db().storedObject.count({ where: { ownerId: seller.id, claimedAt: null } })).toBe(0)
  })

  it('refuses less stock, a prohibited description, the drop of another seller and an ended drop', async () => {
    const seller = await makeSeller()
    const drop = await makeDrop({ userId: seller.id, quantity: 10 })
    const edit = (fields: object, by = seller, dropId = drop.id) => editDrop(as(by), { dropId, fields, images: [] })
    await expect(edit({ quantity: 9 })).rejects.toMatchObject({
      code: 'QUANTITY_LOWER',
      status: 400,
      field: 'quantity',
    })
    await expect(edit({ quantity: 11 }, await makeSeller())).rejects.toMatchObject({ status: 404 })
    await expect(edit({ description: 'Pure cocaine, 5 g' })).rejects.toMatchObject({ code: 'PROHIBITED' })
    expect(await readDrop(drop.id)).toMatchObject({
      quantity: 10,
      description: drop.description,
      moderation: 'allowed',
    })
    const past = await makeDrop({ userId: seller.id, endTime: new Date(Date.now() - 1_000) })
    await expect(edit({ quantity: 11 }, seller, past.id)).rejects.toMatchObject({ code: 'ENDED', status: 409 })
  })
})

describe('deleting', () => {
  it('removes a drop that was never bought, together with its files', async () => {
    const seller = await makeSeller()
    const { id, images } = await publish(seller)
    const keys = images.flatMap(photoFileKeys)
    expect(keys).toContain(`${images[0]?.key}-phone.avif`)
    for (const key of keys) expect(await storage().open(key)).not.toBeNull()
    await deleteDrop(as(seller), { dropId: id })
    expect(await readDrop(id)).toBeNull()
    for (const key of keys) expect(await storage().open(key)).toBeNull()
    expect(await db().storedObject.count({ where: { ownerId: seller.id } })).toBe(0)
  })

  it('hides a drop with orders, is refused while a buyer is paying, and returns 404 for the drop of another seller', async () => {
    const seller = await makeSeller()
    const drop = await makeDrop({ userId: seller.id })
    const { url } = await openCheckout(drop.id)
    await expect(deleteDrop(as(seller), { dropId: drop.id })).rejects.toMatchObject({
      code: 'IN_CHECKOUT',
      status: 409,
    })
    await pay(url)
    await db().drop.update({ where: { id: drop.id }, data: { held: 0 } })
    await expect(deleteDrop(as(await makeSeller()), { dropId: drop.id })).rejects.toMatchObject({ status: 404 })
    await deleteDrop(as(seller), { dropId: drop.id })
    expect(await readDrop(drop.id)).toMatchObject({ hiddenAt: expect.any(Date), isActive: false })
    expect(await findPublicDrop(database(), drop.uniqueId)).toBeNull()
    await expect(deleteDrop(as(seller), { dropId: drop.id })).rejects.toMatchObject({ status: 404 })
  })
})

describe('the archive', () => {
  it('archives every ended drop once, in batches, even when the job runs twice at once', async () => {
    const seller = await makeSeller({ emailNotifications: false })
    const endTime = new Date(Date.now() - 3 * 24 * HOUR_MS)
    // These drops fill more than two batches. All of them end at the same moment, and some are paused.
    const common = { title: 'Many', description: 'x', productType: 'physical', priceCents: 500, quantity: 1 } as const
    await db().drop.createMany({
      data: Array.from({ length: 620 }, (_, at) => ({
        ...common, userId: seller.id, uniqueId: `many${seller.id}x${at}`, duration: 24, isActive: at % 10 > 0,
        startedAt: new Date(endTime.getTime() - HOUR_MS), endTime,
      })),
    }) // prettier-ignore
    const counts = await Promise.all([archiveDrops(visitor()), archiveDrops(visitor())])
    // Each call skips the rows that the other has locked. A third call archives the remaining drops, if any.
    const rest = await archiveDrops(visitor())
    expect(counts[0] + counts[1] + rest).toBeGreaterThanOrEqual(620)
    expect(await db().drop.count({ where: { userId: seller.id, archivedAt: null } })).toBe(0)
    expect(await archiveDrops(visitor())).toBe(0)
  })

  it('sends one recap of the run to sellers who want emails', async () => {
    const [wants, wantsNot] = [await makeSeller(), await makeSeller({ emailNotifications: false })]
    const ended = { endTime: new Date(Date.now() - 1_000), views: 50, sold: 2, purchases: 7 }
    for (const { id: userId } of [wants, wantsNot]) {
      const { id: dropId, startedAt, endTime } = await makeDrop({ userId, ...ended, run: 2 })
      await db().dropRun.create({
        data: { dropId, run: 2, quantity: 10, sold: 2, viewsBefore: 30, startedAt, endTime },
      })
    }
    await archiveDrops(visitor())
    expect(await mailsTo(wants)).toEqual([])
    await Promise.all([queueRecaps(visitor()), queueRecaps(visitor())])
    await archiveDrops(visitor())
    await queueRecaps(visitor())
    const mails = await mailsTo(wants)
    expect(mails).toHaveLength(1)
    expect(mails[0]).toMatchObject({ isBulk: true, subject: 'Your drop has ended: Test mug' })
    for (const fact of ['Views: 20', 'Sold: 2 of 10', 'Conversion: 10.0%']) {
      expect(mails[0]?.text).toContain(fact)
    }
    expect(await mailsTo(wantsNot)).toEqual([])
  })
})
