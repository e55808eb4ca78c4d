// Checks photos that a seller's browser sends before the form (docs/product.md#photos-before-the-form).
import type { User } from '@prisma/client'
import { claimObjects } from '@/lib/uploads/claim-objects'
import { createDrop } from '@/lib/drops/create-drop'
import { assertMayKeepPhoto, keepPhoto } from '@/lib/drops/files/keep-photo'
import { createDropSchema, imageFields } from '@/lib/drops/schema'
import { sweepOrphans } from '@/lib/uploads/sweep-orphans'
import { multipart } from '@/lib/http/multipart'
import { withFiles } from '@/lib/http/with-files'
import { closeDatabase, db } from '@/lib/infra/db'
import { storage } from '@/lib/infra/storage'
import { MINUTE_MS } from '@/lib/kernel/time'
import { platformError } from '@/lib/platform/messages'
import { KEEP_PHOTO_MS, MAX_KEPT_PHOTOS, PHOTO_LIMIT } from '@/lib/uploads/rules'
import { actorOf, contextFor, makeSeller, visitor } from '@/tests/support/factories'
import { plainPhoto } from '@/tests/support/photos'
import { z } from 'zod/mini'

afterAll(closeDatabase)

const unexpectedFile = () => platformError('INVALID_INPUT')
const photoReader = multipart(z.strictObject({}), {
  files: { photo: { maxBytes: 5_000_000 } },
  unexpectedFile,
  admit: assertMayKeepPhoto,
  perHour: PHOTO_LIMIT,
  maxBytes: 6_000_000,
})
const formReader = withFiles(
  createDropSchema,
  {
    files: Object.fromEntries(imageFields.map((field) => [field, { maxBytes: 5_000_000 }])),
    unexpectedFile,
    maxBytes: 20_000_000,
  },
  { isJsonEnough: true },
)

/** Sends a photo as POST /api/uploads/photo does, and returns its key. */
async function keep(seller: User, bytes: Buffer, name = 'a.jpg'): Promise<string> {
  const body = new FormData()
  body.set('photo', new Blob([new Uint8Array(bytes)]), name)
  const ctx = contextFor(actorOf(seller))
  const { value, dispose } = await photoReader.read(new Request('http://localhost/', { method: 'POST', body }), ctx)
  try {
    return (await keepPhoto(ctx, value.files[0])).key
  } finally {
    await dispose?.()
  }
}

/** Sends the create form with the keys of kept photos. */
async function publish(seller: User, uploads: Record<string, string>, fields: Record<string, string> = {}) {
  const ctx = contextFor(actorOf(seller))
  const body = JSON.stringify({ title: 'Mug', description: 'A mug.', price: '24', ...fields, uploads })
  const headers = { 'content-type': 'application/json' }
  const { value, dispose } = await formReader.read(
    new Request('http://localhost/api/drops', { method: 'POST', headers, body }),
    ctx,
  )
  try {
    return await createDrop(ctx, { fields: value.fields, images: value.files })
  } finally {
    await dispose?.()
  }
}

const backdate = (keys: string[], byMs: number) =>
  db().storedObject.updateMany({
    where: { key: { in: keys } },
    data: { createdAt: new Date(Date.now() - byMs), keepUntil: new Date(Date.now() + KEEP_PHOTO_MS - byMs) },
  })

it('publishes a drop from photos that were sent before the form', async () => {
  const seller = await makeSeller()
  const { buffer } = await plainPhoto()
  const [first, second] = [await keep(seller, buffer), await keep(seller, buffer, 'b.jpg')]
  const drop = await publish(seller, { image0: second, image1: first })
  expect(await db().dropImage.count({ where: { dropId: drop.id } })).toBe(2)
})

it('keeps a photo for an hour, and then sweeps it, so that the form has to send it again', async () => {
  const seller = await makeSeller()
  const key = await keep(seller, (await plainPhoto()).buffer)
  const { keepUntil } = await db().storedObject.findUniqueOrThrow({ where: { key } })
  expect(Math.abs(Number(keepUntil) - Date.now() - KEEP_PHOTO_MS)).toBeLessThan(MINUTE_MS)
  await backdate([key], KEEP_PHOTO_MS - MINUTE_MS)
  await sweepOrphans(visitor())
  expect(await storage().open(key)).not.toBeNull()
  await backdate([key], KEEP_PHOTO_MS + MINUTE_MS)
  await sweepOrphans(visitor())
  expect(await storage().open(key)).toBeNull()
  await expect(publish(seller, { image0: key })).rejects.toMatchObject({ code: 'UPLOAD_GONE', field: 'image0' })
})

it('does not let a seller publish the photo of another seller', async () => {
  const key = await keep(await makeSeller(), (await plainPhoto()).buffer)
  await expect(publish(await makeSeller(), { image0: key })).rejects.toMatchObject({ code: 'UPLOAD_GONE' })
})

it('refuses a file that is not a picture, and a form without a file, and stores nothing', async () => {
  const seller = await makeSeller()
  const attempt = keep(seller, Buffer.from('not a picture'), 'fake\u0000.jpg')
  await expect(attempt).rejects.toMatchObject({ code: 'BAD_IMAGE', status: 415 })
  const empty = keepPhoto(contextFor(actorOf(seller)), undefined)
  await expect(empty).rejects.toMatchObject({ code: 'NO_IMAGES' })
  expect(await db().storedObject.count({ where: { ownerId: seller.id } })).toBe(0)
})

it('limits the number of unused photos of one seller', async () => {
  const seller = await makeSeller()
  await db().storedObject.createMany({
    data: Array.from({ length: MAX_KEPT_PHOTOS }, (_, at) => ({
      key: `incoming/i_${seller.id}_${at}`,
      bytes: 1,
      fileName: 'a.jpg',
      ownerId: seller.id,
    })),
  })
  // The oldest one has usually been replaced by a crop or another photo, so it is removed to make room.
  const oldest = `incoming/i_${seller.id}_7`
  await backdate([oldest], MINUTE_MS)
  const newest = await keep(seller, (await plainPhoto()).buffer)
  const kept = await db().storedObject.findMany({ where: { ownerId: seller.id } })
  expect(kept).toHaveLength(MAX_KEPT_PHOTOS)
  expect(kept.map(({ key }) => key)).toEqual(expect.arrayContaining([newest]))
  expect(kept.map(({ key }) => key)).not.toContain(oldest)
})

it('keeps no photo while the unused photos of all sellers fill their part of the disk', async () => {
  const huge = { key: 'incoming/i_huge', bytes: 5 * 1024 ** 3, fileName: 'a.jpg' }
  await db().storedObject.create({ data: huge })
  const { buffer } = await plainPhoto()
  await expect(keep(await makeSeller(), buffer)).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS', status: 429 })
  await db().storedObject.delete({ where: { key: huge.key } })
})

it('keeps a photo for its whole hour, even after a form that named it was refused', async () => {
  const seller = await makeSeller()
  const key = await keep(seller, (await plainPhoto()).buffer)
  const before = await db().storedObject.findUniqueOrThrow({ where: { key } })
  await expect(publish(seller, { image0: key, image1: 'incoming/i_none' })).rejects.toMatchObject({
    code: 'UPLOAD_GONE',
  })
  expect(await db().storedObject.findUniqueOrThrow({ where: { key } })).toEqual(before)
  await backdate([key], KEEP_PHOTO_MS - MINUTE_MS)
  await publish(seller, { image0: key })
  const after = await db().storedObject.findUniqueOrThrow({ where: { key } })
  expect(Number(after.keepUntil)).toBeGreaterThan(Date.now() + MINUTE_MS)
})

it('a form whose idempotency key has already created a drop with other content is refused, and the error names that drop', async () => {
  const seller = await makeSeller({ plan: 'pro' })
  const { buffer } = await plainPhoto()
  const send = async (title: string, idempotencyKey: string) =>
    publish(seller, { image0: await keep(seller, buffer) }, { title, idempotencyKey })
  const first = await send('Blue mug', 'form_1')
  expect(await send('Blue mug', 'form_1')).toMatchObject({ id: first.id })
  await expect(send('Red mug', 'form_1')).rejects.toMatchObject({
    ...{ code: 'FORM_USED', status: 409, message: expect.stringContaining('“Blue mug”') as string },
  })
  expect((await send('Red mug', 'form_2')).id).not.toBe(first.id)
})

it('an object that another drop uses is not claimed again', async () => {
  const seller = await makeSeller()
  const ctx = contextFor(actorOf(seller))
  const key = await keep(seller, (await plainPhoto()).buffer)
  await claimObjects(ctx, [key], new Date())
  await expect(claimObjects(ctx, [key], new Date())).rejects.toMatchObject({ code: 'UPLOAD_GONE', status: 400 })
})
