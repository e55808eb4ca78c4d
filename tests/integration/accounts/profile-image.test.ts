import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sharp from 'sharp'
import { removeProfileImage, setProfileImage } from '@/lib/accounts/set-profile-image'
import { closeDatabase, db } from '@/lib/infra/db'
import { storage } from '@/lib/infra/storage'
import { actorOf, contextFor, makeSeller } from '@/tests/support/factories'
import { bombPng, svgPicture } from '@/tests/support/photos'

afterAll(closeDatabase)

async function uploaded(bytes: Buffer | string, declaredType = 'image/png') {
  const file = path.join(await mkdtemp(path.join(tmpdir(), 'avatar-')), 'upload')
  await writeFile(file, bytes)
  return [{ path: file, declaredType }]
}

const photo = (background: string) =>
  sharp({ create: { width: 900, height: 500, channels: 3, background } })
    .withExif({ IFD0: { Model: 'Camera of the seller' }, IFD3: { GPSLatitudeRef: 'N' } })
    .jpeg()
    .toBuffer()

it('a profile picture becomes a small square without camera metadata and replaces the old picture', async () => {
  const user = await makeSeller()
  const ctx = contextFor(actorOf(user))
  const original = await photo('#c93a05')
  expect((await sharp(original).metadata()).exif).toBeDefined()
  const first = await setProfileImage(ctx, await uploaded(original, 'image/jpeg'))
  const key = first.profileImageUrl?.replace('/media/', '') ?? ''
  const stored = await storage().open(key)
  const metadata = await sharp(Buffer.from(await new Response(stored?.body).arrayBuffer())).metadata()
  expect(metadata).toMatchObject({ format: 'webp', width: 320, height: 320 })
  expect(metadata.exif).toBeUndefined()
  const second = await setProfileImage(ctx, await uploaded(await photo('#17703f')))
  expect(second.profileImageUrl).not.toBe(first.profileImageUrl)
  // The sweep will remove the first picture.
  expect(await db().storedObject.findUnique({ where: { key } })).toMatchObject({ claimedAt: null })
  expect(await removeProfileImage(ctx)).toMatchObject({ profileImageUrl: null })
})

test.each([
  ['a text file', 'hello'],
  ['an SVG', svgPicture],
  ['half a picture', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')],
])('%s is refused and leaves no stored object behind', async (_what, bytes) => {
  const user = await makeSeller()
  const ctx = contextFor(actorOf(user))
  await expect(setProfileImage(ctx, await uploaded(bytes))).rejects.toMatchObject({
    status: 415,
    message: 'Please select an image file',
    field: 'profileImage',
  })
  expect(await db().storedObject.count({ where: { ownerId: user.id } })).toBe(0)
})

it('a profile picture must have an image type and must not have too many pixels', async () => {
  const ctx = contextFor(actorOf(await makeSeller()))
  const asText = setProfileImage(ctx, await uploaded(await photo('#17703f'), 'text/plain'))
  await expect(asText).rejects.toMatchObject({ code: 'NOT_AN_IMAGE' })
  await expect(setProfileImage(ctx, await uploaded(bombPng()))).rejects.toMatchObject({
    code: 'TOO_MANY_PIXELS',
  })
})

test.each([
  ['a line', { width: 3000, height: 1 }, 1],
  ['a line that its camera held upright', { width: 3000, height: 1 }, 6],
  ['a column', { width: 2, height: 2500 }, 1],
])('%s becomes a picture at once, because only its middle is enlarged', async (_what, size, orientation) => {
  const ctx = contextFor(actorOf(await makeSeller()))
  const line = await sharp({ create: { ...size, channels: 3, background: '#c93a05' } })
    .withMetadata({ orientation })
    .png()
    .toBuffer()
  expect(line.length).toBeLessThan(1_000)
  const started = performance.now()
  const { profileImageUrl } = await setProfileImage(ctx, await uploaded(line))
  expect(performance.now() - started).toBeLessThan(3_000)
  const stored = await storage().open(profileImageUrl?.replace('/media/', '') ?? '')
  const picture = sharp(Buffer.from(await new Response(stored?.body).arrayBuffer()))
  expect(await picture.metadata()).toMatchObject({ width: 320, height: 320 })
})

it('a form without a file is refused', async () => {
  const ctx = contextFor(actorOf(await makeSeller()))
  await expect(setProfileImage(ctx, [])).rejects.toMatchObject({ status: 400, field: 'profileImage' })
})
