// Checks the limits of uploads (docs/product.md#limits-of-uploads). Most of these limits refuse a form before the first
// byte of a file is written.
import { readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { User } from '@prisma/client'
import sharp from 'sharp'
import { assertMayPublish, createDrop, refuseDigitalFile } from '@/lib/drops/create-drop'
import { createDropSchema, imageFields } from '@/lib/drops/schema'
import { storePhotos } from '@/lib/drops/files/store-photos'
import { withFiles } from '@/lib/http/with-files'
import { closeDatabase, db } from '@/lib/infra/db'
import { env } from '@/lib/infra/env'
import { platformError } from '@/lib/platform/messages'
import { actorOf, contextFor, makeDrop, makeSeller } from '@/tests/support/factories'
import { plainPhoto } from '@/tests/support/photos'

afterAll(closeDatabase)

const limits = {
  files: {
    ...Object.fromEntries(imageFields.map((field) => [field, { maxBytes: 5_000_000 }])),
    digitalFile: { maxBytes: 5_000_000, refuse: refuseDigitalFile },
  },
  unexpectedFile: () => platformError('INVALID_INPUT'),
  admit: assertMayPublish,
  maxBytes: 20_000_000,
}
const reader = withFiles(createDropSchema, limits)
const good = { title: 'Mug', description: 'A mug.', price: '24' }

const received = () => {
  try {
    return readdirSync(path.join(env().dataDir, 'tmp'))
  } catch {
    return []
  }
}

async function read(seller: User, fields: Record<string, string>, files: string[] = ['image0']) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  const bytes = new Uint8Array((await plainPhoto()).buffer)
  for (const name of files) form.set(name, new Blob([bytes]), 'a.jpg')
  const request = new Request('http://localhost/api/drops', { method: 'POST', body: form })
  return reader.read(request, contextFor(actorOf(seller)))
}

it('refuses a seller without a free slot, but accepts a repeated form that has already created its drop', async () => {
  const seller = await makeSeller()
  const ctx = contextFor(actorOf(seller))
  const fields = { ...good, idempotencyKey: 'a-key-of-this-form-0123456789' }
  const first = await read(seller, fields)
  const images = first.value.files
  const drop = await createDrop(ctx, { fields: first.value.fields, images })
  await first.dispose?.()
  await expect(read(seller, { ...good, idempotencyKey: 'another-form-0123456789abcd' })).rejects.toMatchObject({
    code: 'LIMIT_REACHED',
  })
  expect(received()).toEqual([])
  const again = await read(seller, fields)
  expect((await createDrop(ctx, { fields: again.value.fields, images: again.value.files })).id).toBe(drop.id)
  await again.dispose?.()
})

test.each([
  ['a digital file on the free plan', { productType: 'digital' }, ['digitalFile'], 'PLAN_REQUIRED'],
  [
    'a digital file for a product that is shipped',
    { productType: 'physical' },
    ['image0', 'digitalFile'],
    'FILE_NOT_DIGITAL',
  ],
  ['a service on the free plan', { productType: 'service' }, ['image0'], 'PLAN_REQUIRED'],
])('refuses %s before it is received', async (_what, fields, files, code) => {
  await expect(read(await makeSeller(), { ...good, ...fields }, files)).rejects.toMatchObject({ code })
  expect(received()).toEqual([])
})

it('accepts a digital file that is sent before the field with the type', async () => {
  const form = new FormData()
  form.set('digitalFile', new Blob(['a guide']), 'guide.pdf')
  for (const [name, value] of Object.entries({ ...good, productType: 'digital' })) form.set(name, value)
  const request = new Request('http://localhost/api/drops', { method: 'POST', body: form })
  const { value, dispose } = await reader.read(request, contextFor(actorOf(await makeSeller({ plan: 'pro' }))))
  expect(value).toMatchObject({ fields: { productType: 'digital' }, files: [{ field: 'digitalFile' }] })
  await dispose?.()
})

it('accepts at most two uploads from one user at the same time and 20 in an hour', async () => {
  const seller = await makeSeller({ plan: 'pro' })
  const [first, second] = [await read(seller, good), await read(seller, good)]
  await expect(read(seller, good)).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS', retryAfterSeconds: 10 })
  await first.dispose?.()
  await second.dispose?.()
  for (let count = 2; count < 20; count += 1) await (await read(seller, good)).dispose?.()
  const refusal = await read(seller, good).catch((error: { code: string; retryAfterSeconds: number }) => error)
  expect(refusal).toMatchObject({ code: 'TOO_MANY_REQUESTS' })
  expect(received()).toEqual([])
  // The limits of one user do not affect another.
  await (await read(await makeSeller(), good)).dispose?.()
})

it('reads a form without files even if the seller has no free slot', async () => {
  const seller = await makeSeller()
  await makeDrop({ userId: seller.id })
  const { value } = await read(seller, good, [])
  expect(value.files).toEqual([])
})

it('reads the headers of all pictures before it decodes one, so that a bad file is refused cheaply', async () => {
  const seller = await makeSeller({ plan: 'pro' })
  const large = path.join(env().dataDir, 'large.png')
  const bad = path.join(env().dataDir, 'bad.png')
  await sharp({ create: { width: 7_000, height: 7_000, channels: 3, background: '#1b7f4b' } })
    .png()
    .toFile(large)
  writeFileSync(bad, 'not a picture')
  const images = [large, large, large, large, bad].map((file, at) => ({
    field: `image${at}`,
    fileName: path.basename(file),
    path: file,
  }))
  const { user: before } = process.cpuUsage()
  await expect(storePhotos(contextFor(actorOf(seller)), images)).rejects.toMatchObject({ field: 'image4' })
  const seconds = (process.cpuUsage().user - before) / 1e6
  // Decoding the four large pictures takes longer than this.
  expect(seconds).toBeLessThan(2)
  expect(await db().storedObject.count({ where: { ownerId: seller.id } })).toBe(0)
})
