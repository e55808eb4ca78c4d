// A browser may send the same form again, because of a second tap, a retry or a lost response.
import { mkdtemp, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sharp from 'sharp'
import { createDrop } from '@/lib/drops/create-drop'
import { deleteDrop } from '@/lib/drops/delete-drop'
import { createDropSchema } from '@/lib/drops/schema'
import { closeDatabase, db } from '@/lib/infra/db'
import { env } from '@/lib/infra/env'
import { newId } from '@/lib/kernel/id'
import { actorOf, contextFor, makeSeller } from '@/tests/support/factories'
import { openCheckout, pay } from '@/tests/support/shop'

afterAll(closeDatabase)

type Seller = Awaited<ReturnType<typeof makeSeller>>
let photo: { path: string; fileName: string; field: string }

beforeAll(async () => {
  const file = path.join(await mkdtemp(path.join(tmpdir(), 'lastcall-again-')), 'photo.jpg')
  await sharp({ create: { width: 120, height: 150, channels: 3, background: '#1b7f4b' } })
    .jpeg()
    .toFile(file)
  photo = { path: file, fileName: 'photo.jpg', field: 'image0' }
})

const form = { title: 'Mug', description: 'A mug.', price: '24', duration: '24' }
const schema = createDropSchema(['image0'])
const send = (seller: Seller, fields: object) =>
  createDrop(contextFor(actorOf(seller)), { fields: schema.parse({ ...form, ...fields }), images: [photo] })
const storedFiles = () => readdir(path.join(env().dataDir, 'uploads', 'drops')).catch((): string[] => [])
const countDrops = (seller: Seller) => db().drop.count({ where: { userId: seller.id } })

it('returns the drop of the first copy when a form is repeated, even when the plan allows no second drop', async () => {
  const seller = await makeSeller()
  const idempotencyKey = newId('form')
  const first = await send(seller, { idempotencyKey })
  const before = await storedFiles()
  expect((await send(seller, { idempotencyKey })).id).toBe(first.id)
  expect(await countDrops(seller)).toBe(1)
  expect(await storedFiles()).toEqual(before)
  await expect(send(seller, { idempotencyKey: newId('form') })).rejects.toMatchObject({ code: 'LIMIT_REACHED' })
  await expect(send(seller, {})).rejects.toMatchObject({ code: 'LIMIT_REACHED' })
})

it('refuses a repeated form whose list of keys was corrected, so that the old keys are not sold in silence', async () => {
  const seller = await makeSeller({ plan: 'pro' })
  const fields = { idempotencyKey: newId('form'), productType: 'digital', keys: 'KEY-1\nKEY-2' }
  const first = await send(seller, fields)
  expect((await send(seller, fields)).id).toBe(first.id)
  for (const keys of ['KEY-1\nKEY-3', 'KEY-1', 'KEY-1\nKEY-2\nKEY-3']) {
    await expect(send(seller, { ...fields, keys })).rejects.toMatchObject({ code: 'FORM_USED' })
  }
})

it.each([
  ['stock', { quantity: '50' }],
  ['start', { startsAt: '2030-01-04T20:00' }],
  ['duration', { duration: '48' }],
  ['limit per buyer', { maxPerBuyer: '2' }],
  ['numbering', { isNumbered: 'true' }],
  ['choices', { optionName: 'Size', options: 'S 5, M 5' }],
  ['shipping', { shipsFrom: 'US', shipsWithin: '3' }],
])(
  'refuses a repeated form with another %s, so that nobody believes that the change is live',
  async (_name, change) => {
    const seller = await makeSeller({ plan: 'pro' })
    const fields = { idempotencyKey: newId('form'), quantity: '5' }
    const first = await send(seller, fields)
    await expect(send(seller, { ...fields, ...change })).rejects.toMatchObject({ code: 'FORM_USED' })
    expect((await send(seller, fields)).id).toBe(first.id)
    expect(await countDrops(seller)).toBe(1)
  },
)

it('creates one drop for ten simultaneous copies of a form, and returns it to all ten', async () => {
  const seller = await makeSeller({ plan: 'pro' })
  const before = (await storedFiles()).length
  const fields = { idempotencyKey: newId('form'), customSlug: `again-${seller.id}` }
  const rows = await Promise.all(Array.from({ length: 10 }, () => send(seller, fields)))
  expect(new Set(rows.map(({ id }) => id)).size).toBe(1)
  expect(await countDrops(seller)).toBe(1)
  // The pictures of the other nine copies have been removed.
  expect((await storedFiles()).length).toBe(before + 1)
  expect(await db().storedObject.count({ where: { ownerId: seller.id, claimedAt: null } })).toBe(0)
})

it('treats equal keys of different sellers, and forms without a key, as different forms', async () => {
  const [one, other] = [await makeSeller({ plan: 'pro' }), await makeSeller({ plan: 'pro' })]
  const idempotencyKey = newId('form')
  const [mine, theirs] = [await send(one, { idempotencyKey }), await send(other, { idempotencyKey })]
  expect(theirs).toMatchObject({ userId: other.id })
  expect(theirs.id).not.toBe(mine.id)
  await send(one, {})
  await send(one, {})
  expect(await countDrops(one)).toBe(3)
})

it('accepts a form again after it was refused', async () => {
  const seller = await makeSeller()
  const idempotencyKey = newId('form')
  await expect(send(seller, { idempotencyKey, title: 'Pure cocaine' })).rejects.toMatchObject({ code: 'PROHIBITED' })
  expect(await send(seller, { idempotencyKey })).toMatchObject({ title: 'Mug' })
})

it('creates a new drop when the drop of the first copy was deleted, with buyers or without', async () => {
  const seller = await makeSeller()
  const idempotencyKey = newId('form')
  const first = await send(seller, { idempotencyKey })
  await deleteDrop(contextFor(actorOf(seller)), { dropId: first.id })
  const second = await send(seller, { idempotencyKey })
  expect(second.id).not.toBe(first.id)
  const { url } = await openCheckout(second.id)
  await pay(url)
  await db().drop.update({ where: { id: second.id }, data: { held: 0 } })
  await deleteDrop(contextFor(actorOf(seller)), { dropId: second.id })
  expect((await send(seller, { idempotencyKey })).id).not.toBe(second.id)
})

test.each(['', ' ', 'two words', 'ä', 'x'.repeat(101), 'a\nb'])('%j is not a valid key', (idempotencyKey) => {
  const issue = schema.safeParse({ ...form, idempotencyKey }).error?.issues[0]
  expect(issue).toMatchObject({ path: ['idempotencyKey'], message: expect.stringContaining('1 to 100') })
})
