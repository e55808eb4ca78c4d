import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { ReadableStream } from 'node:stream/web'
import { z } from 'zod/mini'
import { createDrop } from '@/lib/drops/create-drop'
import { deleteDrop } from '@/lib/drops/delete-drop'
import { assertMaySendFile, editDrop } from '@/lib/drops/edit-drop'
import { createDropSchema, editDropSchema } from '@/lib/drops/schema'
import type { ReceivedFile } from '@/lib/drops/files/store-file'
import { sweepOrphans } from '@/lib/uploads/sweep-orphans'
import { toSellerDropView } from '@/lib/drops/view'
import { multipart } from '@/lib/http/multipart'
import { closeDatabase, db } from '@/lib/infra/db'
import { env } from '@/lib/infra/env'
import { storage } from '@/lib/infra/storage'
import { AppError } from '@/lib/kernel/app-error'
import { HOUR_MS, MINUTE_MS } from '@/lib/kernel/time'
import { platformError } from '@/lib/platform/messages'
import { actorOf, contextFor, makeSeller, visitor } from '@/tests/support/factories'
import { plainPhoto } from '@/tests/support/photos'
import { openCheckout, payAndSettle } from '@/tests/support/shop'
import { untilWaits } from '@/tests/support/until-waits'

afterAll(closeDatabase)

let folder: string
let photo: { path: string; fileName: string; field: string }
const form = { title: 'Field notes', description: 'A booklet.', price: '9', productType: 'digital' }
const pdf = Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(5_000)])

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'lastcall-files-'))
  photo = { path: path.join(folder, 'photo.jpg'), fileName: 'photo.jpg', field: 'image0' }
  await writeFile(photo.path, (await plainPhoto()).buffer)
})

async function received(fileName: string, bytes: Buffer): Promise<ReceivedFile> {
  const file = path.join(folder, randomBytes(8).toString('hex'))
  await writeFile(file, bytes)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  return { field: 'digitalFile', fileName, path: file, bytes: bytes.length, sha256 }
}

async function create(
  seller: Awaited<ReturnType<typeof makeSeller>>,
  digitalFile: ReceivedFile | undefined,
  fields: object = {},
) {
  const ctx = contextFor(actorOf(seller))
  return createDrop(ctx, {
    fields: createDropSchema(['image0']).parse({ ...form, ...fields }),
    images: [photo],
    digitalFile,
  })
}

const privateFiles = () => readdir(path.join(env().dataDir, 'uploads', 'files')).catch((): string[] => [])

it('stores the file unchanged, and does not reveal its storage key even to the seller', async () => {
  const row = await create(await makeSeller({ plan: 'pro' }), await received('../Ümläut/Field Notes.PDF', pdf))
  const stored = await db().digitalFile.findUniqueOrThrow({ where: { dropId: row.id } })
  expect(stored).toMatchObject({
    source: 'upload',
    url: null,
    fileName: 'Field Notes.pdf',
    contentType: 'application/pdf',
    bytes: BigInt(pdf.length),
    sha256: createHash('sha256').update(pdf).digest('hex'),
  })
  const object = await storage().open(stored.storageKey ?? '')
  expect(Buffer.from(await new Response(object?.body).arrayBuffer()).equals(pdf)).toBe(true)
  expect(await db().storedObject.findUnique({ where: { key: stored.storageKey ?? '' } })).toMatchObject({
    claimedAt: expect.any(Date),
    sha256: stored.sha256,
  })
  expect(JSON.stringify(toSellerDropView(row))).not.toContain(stored.storageKey)
})

const starts = {
  zip: Buffer.from('504b05060000000000000000000000000000000000000000', 'hex'),
  cfb: Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)]),
  mp3: Buffer.concat([Buffer.from('fffb9064', 'hex'), Buffer.alloc(600)]),
  mp4: Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypisom\0\0\0\0isommp42'), Buffer.alloc(100)]),
  exe: Buffer.concat([Buffer.from('MZ'), Buffer.alloc(600)]),
}

test.each([
  ['song.mp3', starts.mp3, 'audio/mpeg'],
  ['film.mp4', starts.mp4, 'video/mp4'],
  ['pack.zip', starts.zip, 'application/zip'],
  ['letter.doc', starts.cfb, 'application/msword'],
])('%s is accepted and gets its content type', async (fileName, bytes, contentType) => {
  const row = await create(await makeSeller({ plan: 'pro' }), await received(fileName, bytes))
  expect(await db().digitalFile.findUniqueOrThrow({ where: { dropId: row.id } })).toMatchObject({
    fileName,
    contentType,
  })
})

test.each([
  ['setup.pdf', starts.exe],
  ['table.xls', starts.cfb],
  ['notes.pdf', Buffer.from('just text')],
  ['page.jpg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
])('%s with other content is refused and leaves no file behind', async (fileName, bytes) => {
  const seller = await makeSeller({ plan: 'pro' })
  const before = await privateFiles()
  const refusal = { code: 'BAD_FILE', status: 415, field: 'digitalFile' }
  await expect(create(seller, await received(fileName, bytes))).rejects.toMatchObject(refusal)
  expect(await privateFiles()).toEqual(before)
  expect(await db().storedObject.count({ where: { ownerId: seller.id } })).toBe(0)
  expect(await db().drop.count({ where: { userId: seller.id } })).toBe(0)
})

it('requires either a link or a file, and refuses a file for a drop that is not digital', async () => {
  const seller = await makeSeller({ plan: 'pro' })
  const link = { digitalFileUrl: 'https://files.example/a.pdf' }
  const file = await received('a.pdf', pdf)
  await expect(create(seller, file, link)).rejects.toMatchObject({ code: 'LINK_OR_FILE', status: 400 })
  await expect(create(seller, file, { productType: 'service' })).rejects.toMatchObject({ code: 'FILE_NOT_DIGITAL' })
  await expect(create(seller, undefined)).rejects.toMatchObject({ code: 'MISSING_FIELDS', field: 'digitalFile' })
})

it('a drop with keys needs no file, and has a unit for each key', async () => {
  const seller = await makeSeller({ plan: 'pro' })
  const row = await create(seller, undefined, { keys: 'KEY-1\n\n KEY-2 \nKEY-3', quantity: '50' })
  expect(row).toMatchObject({ quantity: 3, hasKeys: true, keys: { left: 3, given: 0, spent: 0 } })
  expect(await db().digitalFile.count({ where: { dropId: row.id } })).toBe(0)
  const keys = await db().dropKey.findMany({ where: { dropId: row.id }, orderBy: { id: 'asc' } })
  expect(keys.map(({ key }) => key)).toEqual(['KEY-1', 'KEY-2', 'KEY-3'])
  expect(JSON.stringify(toSellerDropView(row))).not.toContain('KEY-')
  const both = await create(seller, await received('a.pdf', pdf), { keys: 'KEY-1' })
  expect(await db().digitalFile.count({ where: { dropId: both.id } })).toBe(1)
  // A drop without orders is deleted with its keys.
  await deleteDrop(contextFor(actorOf(seller)), { dropId: row.id })
  expect(await db().dropKey.count({ where: { dropId: row.id } })).toBe(0)
})

it('a link is replaced at any time, and from the start on the audit log keeps both links', async () => {
  const seller = await makeSeller({ plan: 'pro' })
  const links = ['https://files.example/a.pdf', 'https://files.example/b.pdf', 'https://files.example/c.pdf']
  const { id: dropId } = await create(seller, undefined, { digitalFileUrl: links[0] })
  const edit = (fields: object) =>
    editDrop(contextFor(actorOf(seller)), { dropId, fields: editDropSchema.parse(fields), images: [] })
  expect(toSellerDropView(await edit({ digitalFileUrl: links[1] }))).toMatchObject({ digitalFileUrl: links[1] })
  await db().drop.update({
    where: { id: dropId },
    data: { endTime: new Date(Date.now() - HOUR_MS), startedAt: new Date(0) },
  })
  expect(await edit({ digitalFileUrl: links[2] })).toMatchObject({ digitalFileUrl: links[2] })
  const over = { code: 'ENDED', status: 409 }
  await expect(edit({ digitalFileUrl: links[0], description: 'Other words.' })).rejects.toMatchObject(over)
  await expect(edit({ description: 'Other words.' })).rejects.toMatchObject(over)
  const audit = await db().auditEntry.findMany({ where: { action: 'drop.link' }, orderBy: { id: 'asc' } })
  expect(audit.map(({ before, after }) => [before, after])).toEqual([
    [{ link: links[0] }, { link: links[1] }],
    [{ link: links[1] }, { link: links[2] }],
  ])
})

it('the seller of a drop with buyers gets one email a day about its new links', async () => {
  const seller = await makeSeller({ plan: 'pro' })
  const { id: dropId } = await create(seller, undefined, { digitalFileUrl: 'https://files.example/a.pdf' })
  const edit = (digitalFileUrl: string) =>
    editDrop(contextFor(actorOf(seller)), { dropId, fields: editDropSchema.parse({ digitalFileUrl }), images: [] })
  const mails = () => db().outboxMail.findMany({ where: { to: seller.email }, orderBy: { id: 'asc' } })
  await edit('https://files.example/b.pdf')
  expect(await mails()).toEqual([])
  const { url, sessionId } = await openCheckout(dropId)
  await payAndSettle(url, sessionId)
  const before = await mails()
  for (const name of ['c', 'd']) await edit(`https://files.example/${name}.pdf`)
  const sent = (await mails()).slice(before.length)
  expect(sent.map(({ subject }) => subject)).toEqual([expect.stringContaining('New link for your buyers')])
  expect(sent[0]?.text).toContain('https://files.example/c.pdf')
  expect(sent[0]?.content).toMatchObject({ button: { url: expect.stringMatching(/\/account$/) as string } })
})

describe('an uploaded file', () => {
  const other = Buffer.from('%PDF-1.7\nCorrected\n%%EOF\n')

  async function change(seller: { id: number }, dropId: number, fields: object, digitalFile?: ReceivedFile) {
    const actor = actorOf(await db().user.findUniqueOrThrow({ where: { id: seller.id } }))
    return editDrop(contextFor(actor), { dropId, fields: editDropSchema.parse(fields), images: [], digitalFile })
  }
  const fileOf = (dropId: number) => db().digitalFile.findUniqueOrThrow({ where: { dropId } })

  it('is replaced by another file or a link until the first sale, and its bytes are deleted', async () => {
    const seller = await makeSeller({ plan: 'pro' })
    const { id: dropId } = await create(seller, await received('a.pdf', pdf))
    const first = await fileOf(dropId)
    const view = toSellerDropView(await change(seller, dropId, {}, await received('b.pdf', other)))
    expect(view).toMatchObject({ digitalFileUrl: null, digitalFileName: 'b.pdf' })
    const second = await fileOf(dropId)
    expect(second).toMatchObject({ source: 'upload', fileName: 'b.pdf', bytes: BigInt(other.length) })
    const left = await privateFiles()
    expect(left).not.toContain(path.basename(first.storageKey ?? ''))
    expect(left).toContain(path.basename(second.storageKey ?? ''))
    await change(seller, dropId, { digitalFileUrl: 'https://files.example/a.pdf' })
    expect(await fileOf(dropId)).toMatchObject({ source: 'link' })
    const audit = await db().auditEntry.findMany({ where: { targetId: String(dropId) }, orderBy: { id: 'asc' } })
    expect(audit.map(({ before, after }) => [before, after])).toEqual([
      [{ link: 'a.pdf' }, { link: 'b.pdf' }],
      [{ link: 'b.pdf' }, { link: 'https://files.example/a.pdf' }],
    ])
  })

  it('cannot be replaced once a buyer has paid, and nothing of the attempt stays', async () => {
    const seller = await makeSeller({ plan: 'pro' })
    const { id: dropId } = await create(seller, await received('a.pdf', pdf))
    const { url, sessionId } = await openCheckout(dropId)
    await payAndSettle(url, sessionId)
    const before = (await privateFiles()).length
    const refused = { code: 'STARTED', status: 400 }
    await expect(change(seller, dropId, {}, await received('b.pdf', other))).rejects.toMatchObject({
      ...refused,
      field: 'digitalFile',
    })
    await expect(change(seller, dropId, { digitalFileUrl: 'https://files.example/a.pdf' })).rejects.toMatchObject({
      ...refused,
      field: 'digitalFileUrl',
    })
    expect(await fileOf(dropId)).toMatchObject({ source: 'upload', fileName: 'a.pdf' })
    expect(await privateFiles()).toHaveLength(before)
  })

  it('can be uploaded when a scheduled drop becomes digital, but not together with a link', async () => {
    const seller = await makeSeller({ plan: 'pro' })
    const startsAt = new Date(Date.now() + 24 * HOUR_MS).toISOString()
    const { id: dropId } = await create(seller, undefined, { productType: 'physical', startsAt })
    const link = { productType: 'digital', digitalFileUrl: 'https://files.example/a.pdf' }
    await expect(change(seller, dropId, link, await received('b.pdf', other))).rejects.toMatchObject({
      code: 'LINK_OR_FILE',
    })
    await expect(change(seller, dropId, {}, await received('b.pdf', other))).rejects.toMatchObject({
      code: 'FILE_NOT_DIGITAL',
    })
    expect(await change(seller, dropId, { productType: 'digital' }, await received('b.pdf', other))).toMatchObject({
      productType: 'digital',
      digitalFileName: 'b.pdf',
    })
  })

  it('is not replaced by a file of an unknown type, after the end, or without Pro', async () => {
    const seller = await makeSeller({ plan: 'pro' })
    const { id: dropId } = await create(seller, await received('a.pdf', pdf))
    const text = await received('b.pdf', Buffer.from('only text'))
    await expect(change(seller, dropId, {}, text)).rejects.toMatchObject({ code: 'BAD_FILE' })
    await db().user.update({ where: { id: seller.id }, data: { plan: 'free' } })
    await expect(change(seller, dropId, {}, await received('b.pdf', other))).rejects.toMatchObject({
      code: 'PLAN_REQUIRED',
      field: 'digitalFile',
    })
    await db().user.update({ where: { id: seller.id }, data: { plan: 'pro' } })
    await db().drop.update({ where: { id: dropId }, data: { startedAt: new Date(0), endTime: new Date(1) } })
    await expect(change(seller, dropId, {}, await received('b.pdf', other))).rejects.toMatchObject({ code: 'ENDED' })
    expect(await fileOf(dropId)).toMatchObject({ fileName: 'a.pdf' })
  })
})

it('the link of a drop that is not digital is refused, even while it runs', async () => {
  const seller = await makeSeller({ plan: 'pro' })
  const { id: dropId } = await create(seller, undefined, { productType: 'service' })
  const fields = editDropSchema.parse({ digitalFileUrl: 'https://files.example/a.pdf' })
  await expect(editDrop(contextFor(actorOf(seller)), { dropId, fields, images: [] })).rejects.toMatchObject({
    code: 'FILE_NOT_DIGITAL',
    field: 'digitalFileUrl',
  })
})

it('a scheduled drop with keys stays digital and needs no link', async () => {
  const seller = await makeSeller({ plan: 'pro' })
  const startsAt = new Date(Date.now() + 24 * HOUR_MS).toISOString()
  const { id: dropId } = await create(seller, undefined, { keys: 'KEY-1', startsAt })
  const edit = (fields: object) =>
    editDrop(contextFor(actorOf(seller)), { dropId, fields: editDropSchema.parse(fields), images: [] })
  expect(await edit({ title: 'New name' })).toMatchObject({ title: 'New name' })
  await expect(edit({ productType: 'physical' })).rejects.toMatchObject({ code: 'KEYS_STAY_DIGITAL' })
  expect(await edit({ keys: 'KEY-2' })).toMatchObject({ quantity: 2 })
})

it('reads a long list of keys, and refuses other fields of that length', async () => {
  const boundary = 'b'
  const read = async (parts: Record<string, string>) => {
    const reader = multipart(z.record(z.string(), z.string()), {
      files: {},
      unexpectedFile: () => platformError('INVALID_INPUT'),
      longFields: { keys: 100_000 },
      maxBytes: 1_000_000,
    })
    const body = Object.entries(parts)
      .map(([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
      .join('')
    const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` }
    const request = new Request('http://x', { method: 'POST', headers, body: `${body}--${boundary}--\r\n` })
    const { value, dispose } = await reader.read(request, contextFor(actorOf(await makeSeller())))
    await dispose?.()
    return value.fields
  }
  const long = 'K'.repeat(90_000)
  expect(await read({ keys: long })).toEqual({ keys: long })
  await expect(read({ title: long })).rejects.toMatchObject({ code: 'BODY_TOO_LARGE', field: 'title' })
  await expect(read({ keys: 'K'.repeat(100_001) })).rejects.toMatchObject({ code: 'BODY_TOO_LARGE', field: 'keys' })
})

it('checks the seller again when the upload is complete', async () => {
  const seller = await makeSeller({ plan: 'pro' })
  const file = await received('a.pdf', pdf)
  // The seller's plan changes while the request is running.
  await db().user.update({ where: { id: seller.id }, data: { plan: 'free' } })
  await expect(create(seller, file)).rejects.toMatchObject({ code: 'PLAN_REQUIRED' })
  await db().user.update({ where: { id: seller.id }, data: { plan: 'pro', isSuspended: true } })
  await expect(create(seller, file)).rejects.toMatchObject({ code: 'SUSPENDED', status: 403 })
})

it('lets an administrator create five drops, with types and custom links that the free plan does not allow', async () => {
  const admin = await makeSeller({ isAdmin: true })
  for (const at of [0, 1, 2, 3]) {
    const row = await create(admin, await received('a.pdf', pdf), { customSlug: `admin-${admin.id}-${at}` })
    expect(row.customSlug).toBe(`admin-${admin.id}-${at}`)
  }
  await expect(create(admin, undefined, { productType: 'service' })).resolves.toMatchObject({ isActive: true })
})

describe('a streamed body', () => {
  const limits = {
    files: {
      digitalFile: {
        maxBytes: 200 * 1024 * 1024,
        tooLarge: () => new AppError('TOO_LARGE', { status: 413, text: 'x' }),
      },
    },
    unexpectedFile: () => new AppError('UNEXPECTED', { status: 400, text: 'x' }),
    maxBytes: 300 * 1024 * 1024,
  }
  const head = '--b\r\nContent-Disposition: form-data; name="digitalFile"; filename="a.pdf"\r\n\r\n'

  function upload(megabytes: number, chunk: Buffer) {
    const hash = createHash('sha256')
    async function* body() {
      yield Buffer.from(head)
      for (let sent = 0; sent < megabytes; sent += 1) {
        hash.update(chunk)
        yield chunk
      }
      yield Buffer.from('\r\n--b--\r\n')
    }
    const request = new Request('http://localhost/api/drops', {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
      body: ReadableStream.from(body()) as BodyInit,
      duplex: 'half',
    } as RequestInit)
    return { request, digest: () => hash.digest('hex') }
  }
  it('of 120 MB arrives completely without being held in memory', async () => {
    const { request, digest } = upload(120, randomBytes(1024 * 1024))
    const before = process.memoryUsage().rss
    let peak = before
    const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 20)
    const { value, dispose } = await multipart(z.record(z.string(), z.string()), limits).read(request, visitor())
    clearInterval(watch)
    const [file] = value.files
    expect(file).toMatchObject({ field: 'digitalFile', bytes: 120 * 1024 * 1024, sha256: digest() })
    expect((await stat(file?.path ?? '')).size).toBe(120 * 1024 * 1024)
    expect((peak - before) / 1024 / 1024).toBeLessThan(100)
    await dispose?.()
    expect(existsSync(file?.path ?? '')).toBe(false)
  })

  it('that exceeds the limit is refused with the error of its field', async () => {
    const { request } = upload(201, Buffer.alloc(1024 * 1024, 7))
    const reading = multipart(z.record(z.string(), z.string()), limits).read(request, visitor())
    await expect(reading).rejects.toMatchObject({ code: 'TOO_LARGE', status: 413 })
  })

  it('is refused before it is written when the plan of its seller has no files', async () => {
    const { request } = upload(1, Buffer.alloc(1024 * 1024, 7))
    const files = { digitalFile: { ...limits.files.digitalFile, admit: assertMaySendFile } }
    const ctx = contextFor(actorOf(await makeSeller({ plan: 'free' })))
    const reading = multipart(z.record(z.string(), z.string()), { ...limits, files }).read(request, ctx)
    await expect(reading).rejects.toMatchObject({ code: 'PLAN_REQUIRED', field: 'digitalFile' })
  })
})

it('removes an abandoned upload in the sweep, but not one that is still running', async () => {
  const tmp = path.join(env().dataDir, 'tmp')
  const [left, underWay] = [path.join(tmp, 'upload_left'), path.join(tmp, 'upload_under_way')]
  for (const upload of [left, underWay]) {
    await mkdir(upload, { recursive: true })
    await writeFile(path.join(upload, 'digitalFile'), 'half of it')
  }
  const silentSince = new Date(Date.now() - 9 * MINUTE_MS)
  for (const file of [path.join(left, 'digitalFile'), left, underWay]) await utimes(file, silentSince, silentSince)
  await sweepOrphans(visitor())
  expect(existsSync(left)).toBe(false)
  expect(existsSync(underWay)).toBe(true)
})

it('does not remove a file in the sweep while a drop is claiming it', async () => {
  const key = `files/race-${randomBytes(6).toString('hex')}.pdf`
  await storage().put(key, pdf)
  await db().storedObject.create({ data: { key, bytes: pdf.length, createdAt: new Date(Date.now() - HOUR_MS) } })
  let sweep: Promise<number> | undefined
  await db().$transaction(async (tx) => {
    await tx.storedObject.updateMany({ where: { key }, data: { claimedAt: new Date() } })
    sweep = sweepOrphans(visitor())
    // The row is locked here, so the sweep waits for it unless it skips the row.
    await untilWaits('DELETE FROM "StoredObject"', sweep)
  })
  await sweep
  expect(await storage().open(key)).not.toBeNull()
})
