import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createDrop } from '@/lib/drops/create-drop'
import { findPublicDrop, listLiveDrops } from '@/lib/drops/queries'
import { createDropSchema } from '@/lib/drops/schema'
import { toDropView, toSellerDropView } from '@/lib/drops/view'
import { closeDatabase, database, db } from '@/lib/infra/db'
import { env } from '@/lib/infra/env'
import { scanDrop } from '@/lib/moderation/scan-drop'
import { actorOf, contextFor, makeSeller, visitor } from '@/tests/support/factories'
import { plainPhoto } from '@/tests/support/photos'

afterAll(closeDatabase)

let photo: { path: string; fileName: string; field: string }
beforeAll(async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'lastcall-scan-'))
  photo = { path: path.join(folder, 'photo.jpg'), fileName: 'photo.jpg', field: 'image0' }
  await writeFile(photo.path, (await plainPhoto()).buffer)
})

async function create(fields: object, fileName = 'photo.jpg') {
  const seller = await makeSeller({ plan: 'pro' })
  const form = { title: 'Mug', description: 'A mug.', price: '24', ...fields }
  const images = [{ ...photo, fileName }]
  const row = await createDrop(contextFor(actorOf(seller)), {
    fields: createDropSchema(['image0']).parse(form),
    images,
  })
  return { seller, row }
}

test.each([
  [{ title: 'Pure c0caine' }, 'title', 'illegal drugs'],
  [{ description: 'A mug.\nComes with a fake ID.' }, 'description', 'fraud or false documents'],
  [{ shippingNote: 'Ships with live ammo' }, 'shippingNote', 'weapons or ammunition'],
  [{ customSlug: 'buy-heroin-here' }, 'customSlug', 'illegal drugs'],
])('refuses %j and names the category', async (fields, field, label) => {
  const before = await db().storedObject.count()
  await expect(create(fields)).rejects.toMatchObject({
    code: 'PROHIBITED',
    status: 403,
    field,
    message: `This looks like ${label}, which our Prohibited Content Policy doesn't allow.`,
  })
  expect(await db().storedObject.count()).toBe(before)
})

it('also scans file names', async () => {
  await expect(create({}, 'fake-passport.jpg')).rejects.toMatchObject({ code: 'PROHIBITED', field: 'image0' })
})

it('hides the content of a drop in review from the public, and shows it to the seller', async () => {
  const { row } = await create({ title: 'Hunting rifle, barely used' })
  expect(row.moderation).toBe('review')
  expect(toSellerDropView(row)).toMatchObject({ title: 'Hunting rifle, barely used', moderation: 'review' })
  const seen = await findPublicDrop(database(), row.uniqueId)
  expect(seen && toDropView(seen)).toMatchObject({
    title: 'Not available',
    description: '',
    images: [],
    imageUrl: null,
    state: 'paused',
  })
  expect((await listLiveDrops(database(), 500)).map(({ id }) => id)).not.toContain(row.id)
  expect(await db().moderationReview.findMany({ where: { dropId: row.id } })).toMatchObject([
    { state: 'open', source: 'create', category: 'weapons', details: 'weapons: "rifle" in title' },
  ])
})

it('finds nothing in a harmless drop', async () => {
  const { row } = await create({ title: 'Gun metal mug' })
  expect(row.moderation).toBe('allowed')
  expect(await db().moderationReview.count({ where: { dropId: row.id } })).toBe(0)
})

describe('with an external moderator', () => {
  let server: Server
  let answer: (asked: { input: string[] }) => { status: number; body: unknown }
  let keys: (string | undefined)[]

  beforeAll(async () => {
    server = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        keys.push(request.headers.authorization)
        const { status, body } = answer(JSON.parse(Buffer.concat(chunks).toString()) as { input: string[] })
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    Object.assign(env(), { moderationKey: 'key-1', moderationUrl: `http://127.0.0.1:${port}/` })
  })
  beforeEach(() => (keys = []))
  afterAll(() => {
    Object.assign(env(), { moderationKey: null })
    server.close()
  })

  const scan = () => scanDrop(visitor(), { title: 'Mug', description: 'A mug.' })

  it('allows a drop that the moderator does not flag, and sends the API key to the moderator', async () => {
    answer = ({ input }) => ({ status: 200, body: { results: input.map(() => ({ flagged: false, categories: {} })) } })
    expect(await scan()).toBeNull()
    expect(keys).toEqual(['Bearer key-1'])
  })

  it('sends a flagged drop to review under the matching category of our policy', async () => {
    const results = [{ flagged: true, categories: { hate: false, 'harassment/threatening': true } }]
    answer = () => ({ status: 200, body: { results } })
    expect(await scan()).toMatchObject({ category: 'hate', details: expect.stringContaining('harassment/threatening') })
  })

  test.each([
    ['fails', { status: 500, body: {} }],
    ['sends a response of an unknown form', { status: 200, body: { ok: true } }],
    ['responds with null', { status: 200, body: null }],
  ])('sends every drop to review while the moderator %s', async (_what, reply) => {
    answer = () => reply
    expect(await scan()).toMatchObject({ category: 'unchecked' })
  })

  it('sends every drop to review while the moderator cannot be reached', async () => {
    const { moderationUrl } = env()
    Object.assign(env(), { moderationUrl: 'http://127.0.0.1:9/' })
    expect(await scan()).toMatchObject({ category: 'unchecked' })
    Object.assign(env(), { moderationUrl })
  })
})
