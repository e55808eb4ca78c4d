import { mkdtemp, readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sharp from 'sharp'
import { createDrop } from '@/lib/drops/create-drop'
import { createDropSchema } from '@/lib/drops/schema'
import { findPublicDrop } from '@/lib/drops/queries'
import { closeDatabase, database, db } from '@/lib/infra/db'
import { env } from '@/lib/infra/env'
import { newUniqueId } from '@/lib/kernel/id'
import { actorOf, contextFor, makeDrop, makeSeller } from '@/tests/support/factories'
import { bombPng } from '@/tests/support/photos'

afterAll(closeDatabase)

const form = { title: 'Mug', description: 'A mug.', price: '24', duration: '24' }
let folder: string
let photo: { path: string; fileName: string; field: string }
let small: typeof photo

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'lastcall-photos-'))
  const file = path.join(folder, 'photo.jpg')
  const picture = sharp({ create: { width: 1200, height: 1500, channels: 3, background: '#c93a05' } })
  await picture
    .withExif({ IFD0: { Make: 'Secret camera' }, IFD3: { GPSLatitude: '51/1 30/1 0/1' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toFile(file)
  photo = { path: file, fileName: 'photo.jpg', field: 'image0' }
  small = { ...photo, path: path.join(folder, 'small.jpg') }
  await sharp({ create: { width: 120, height: 150, channels: 3, background: '#1b7f4b' } }).toFile(small.path)
})

const storedFiles = () => readdir(path.join(env().dataDir, 'uploads', 'drops')).catch((): string[] => [])

async function create(seller: Awaited<ReturnType<typeof makeSeller>>, fields: object = {}, images = [photo]) {
  return createDrop(contextFor(actorOf(seller)), {
    fields: createDropSchema(['image0']).parse({ ...form, ...fields }),
    images,
  })
}

it('stores the pictures in several widths, upright and without EXIF', async () => {
  const row = await create(await makeSeller(), { duration: '48', quantity: '7' })
  expect(row).toMatchObject({ priceCents: 2400, quantity: 7, duration: 48, isActive: true, run: 1 })
  expect(row.endTime.getTime() - row.startedAt.getTime()).toBe(48 * 3_600_000)
  const [image] = row.images
  // EXIF orientation 6 means a quarter turn, so 1200 × 1500 pixels are stored as 1500 × 1200.
  expect(image).toMatchObject({ width: 1500, height: 1200, widths: [480, 750, 1200, 1500] })
  for (const width of image?.widths ?? []) {
    const file = path.join(env().dataDir, 'uploads', `${image?.key}-${width}.webp`)
    const metadata = await sharp(file).metadata()
    expect(metadata).toMatchObject({ format: 'webp', width })
    expect(metadata.exif).toBeUndefined()
  }
  expect(image?.placeholder).toMatch(/^data:image\/webp;base64,/)
})

it('creates one drop for 50 simultaneous requests of a free seller', async () => {
  const seller = await makeSeller()
  const outcomes = await Promise.allSettled(Array.from({ length: 50 }, () => create(seller, {}, [small])))
  expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(1)
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'LIMIT_REACHED', status: 409 })
  }
  expect(await db().drop.count({ where: { userId: seller.id } })).toBe(1)
})

it('creates three drops for 50 simultaneous requests of a pro seller', async () => {
  const seller = await makeSeller({ plan: 'pro' })
  const outcomes = await Promise.allSettled(Array.from({ length: 50 }, () => create(seller, {}, [small])))
  expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(3)
})

it('gives a custom link to only one of 50 sellers who ask for it at the same time, regardless of case', async () => {
  const slug = `link-${newUniqueId()}`
  const sellers = await Promise.all(Array.from({ length: 50 }, () => makeSeller({ plan: 'pro' })))
  const before = (await storedFiles()).length
  const outcomes = await Promise.allSettled(
    sellers.map((seller, index) => create(seller, { customSlug: index % 2 ? slug : slug.toUpperCase() }, [small])),
  )
  expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(1)
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'SLUG_TAKEN', field: 'customSlug' })
  }
  // The pictures of the refused drops are removed. The created drop's small picture has one width and so one file.
  expect((await storedFiles()).length).toBe(before + 1)
})

test.each([
  ['digital', { productType: 'digital', digitalFileUrl: 'https://a.example/f.zip' }, 'PLAN_REQUIRED', 'productType'],
  ['service', { productType: 'service' }, 'PLAN_REQUIRED', 'productType'],
  ['a custom link', { customSlug: 'mine-only' }, 'SLUG_PRO_ONLY', 'customSlug'],
])('refuses the choice %j to a free seller before anything is stored', async (_name, fields, code, field) => {
  const seller = await makeSeller()
  const before = await storedFiles()
  await expect(create(seller, fields)).rejects.toMatchObject({ code, status: 403, field })
  expect(await storedFiles()).toEqual(before)
})

describe('refuses files that are not usable pictures', () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><rect width="10" height="10"/></svg>'
  test.each([
    ['text named .jpg', Buffer.from('not a picture at all')],
    ['SVG', Buffer.from(svg)],
    ['PDF', Buffer.from('%PDF-1.4\n1 0 obj\n<<>>\nendobj')],
    ['an empty file', Buffer.alloc(0)],
  ])('%s', async (_name, bytes) => {
    const file = path.join(folder, 'liar.jpg')
    await writeFile(file, bytes)
    await expectRefused(file)
  })

  it('a picture that is cut off in the middle', async () => {
    const whole = await sharp({ create: { width: 800, height: 800, channels: 3, background: '#123456' } })
      .jpeg()
      .toBuffer()
    const file = path.join(folder, 'cut.jpg')
    await writeFile(file, whole.subarray(0, Math.floor(whole.length / 2)))
    await expectRefused(file)
  })

  it('a small file of 16,000 × 16,000 pixels', async () => {
    const file = path.join(folder, 'bomb.png')
    await writeFile(file, bombPng())
    await expectRefused(file)
  })

  async function expectRefused(file: string) {
    const seller = await makeSeller()
    const before = await storedFiles()
    const attempt = create(seller, {}, [photo, { path: file, fileName: 'liar.jpg', field: 'image1' }])
    await expect(attempt).rejects.toMatchObject({ code: 'BAD_IMAGE', status: 415, field: 'image1' })
    expect(await storedFiles()).toEqual(before)
    expect(await db().drop.count({ where: { userId: seller.id } })).toBe(0)
    expect(await db().storedObject.count({ where: { ownerId: seller.id } })).toBe(0)
  }
})

describe('findPublicDrop', () => {
  it('finds a drop by its custom link, generated id or number, in upper or lower case', async () => {
    const drop = await makeDrop({ customSlug: `slug-${newUniqueId()}` })
    for (const identifier of [drop.customSlug ?? '', drop.uniqueId, String(drop.id)]) {
      expect((await findPublicDrop(database(), identifier))?.id).toBe(drop.id)
      expect((await findPublicDrop(database(), identifier.toUpperCase()))?.id).toBe(drop.id)
    }
  })

  test.each(['', '../../etc/passwd', 'a\u0000b', '99999999999', 'x'.repeat(10_000), '%', "' OR 1=1 --", '-1'])(
    'finds nothing for %j',
    async (identifier) => expect(await findPublicDrop(database(), identifier)).toBeNull(),
  )

  it('does not find a hidden drop', async () => {
    const drop = await makeDrop({ hiddenAt: new Date() })
    expect(await findPublicDrop(database(), drop.uniqueId)).toBeNull()
  })
})
