import { visitor } from '../../support/factories'
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { User } from '@prisma/client'
import { POST as reportArrival } from '@/app/api/uploadthing/route'
import { createDrop } from '@/lib/drops/create-drop'
import { deleteDrop } from '@/lib/drops/delete-drop'
import { createDropSchema, imageFields } from '@/lib/drops/schema'
import { sweepOrphans } from '@/lib/uploads/sweep-orphans'
import { sendFile } from '@/lib/http/send-file'
import { withFiles } from '@/lib/http/with-files'
import { closeDatabase, db } from '@/lib/infra/db'
import { env } from '@/lib/infra/env'
import { storage } from '@/lib/infra/storage'
import { localKey, remoteKey } from '@/lib/infra/storage/uploadthing-address'
import { HOUR_MS } from '@/lib/kernel/time'
import { platformError } from '@/lib/platform/messages'
import type { StartUploadsInput } from '@/lib/uploads/schema'
import { startUploads } from '@/lib/uploads/start-uploads'
import { documented } from '@/tests/support/api-answers'
import { actorOf, contextFor, makeSeller } from '@/tests/support/factories'
import { plainPhoto } from '@/tests/support/photos'
import { startUploadThing } from '@/tests/support/start-upload-thing.mjs'

let remote: Awaited<ReturnType<typeof startUploadThing>>
const folder = mkdtempSync(path.join(tmpdir(), 'lastcall-uploadthing-'))
const pdf = Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(2_000_000)])

beforeAll(async () => {
  remote = await startUploadThing()
  // The application reads its environment only once, when it is first used, so these variables have to be set before
  // that.
  Object.assign(process.env, remote.env)
})

beforeEach(() => {
  remote.objects.clear()
  remote.reports.length = 0
})

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await remote.stop()
  await closeDatabase()
})

const appId = () => env().uploadThing?.appId ?? ''
const remoteOf = (key: string) => remote.objects.get(remoteKey(appId(), key))
const keysThere = () => [...remote.objects.keys()].map((key) => localKey(appId(), key) ?? key)

async function readAll(key: string): Promise<Buffer | null> {
  const object = await storage().open(key)
  return object && Buffer.from(await new Response(object.body).arrayBuffer())
}

/** Sends a file to an upload URL as the browser does. */
function send(url: string, bytes: Buffer): Promise<Response> {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(bytes)]), 'file')
  return fetch(url, { method: 'PUT', body: form })
}

type File = StartUploadsInput['files'][number]
const pdfFile: File = { purpose: 'file', fileName: 'Field Notes.PDF', bytes: pdf.length }

async function upload(seller: User, file: File, bytes: Buffer): Promise<string> {
  const [started] = await startUploads(contextFor(actorOf(seller)), { files: [file] })
  expect((await send(started?.url ?? '', bytes)).status).toBe(200)
  return started?.key ?? ''
}

async function uploadPhoto(seller: User): Promise<string> {
  const { buffer } = await plainPhoto()
  return upload(seller, { purpose: 'picture', fileName: 'IMG_1.jpg', bytes: buffer.length }, buffer)
}

const limits = {
  files: Object.fromEntries([...imageFields, 'digitalFile'].map((field) => [field, { maxBytes: 50_000_000 }])),
  unexpectedFile: () => platformError('INVALID_INPUT'),
  maxBytes: 50_000_000,
}
const form = { title: 'Field notes', description: 'A booklet.', price: '9', productType: 'digital' }

/** Creates a drop from fields and finished uploads, as POST /api/drops does. */
async function publish(seller: User, uploads: Record<string, string>, fields: object = form) {
  const ctx = contextFor(actorOf(seller))
  const body = JSON.stringify({ ...fields, uploads })
  const headers = { 'content-type': 'application/json' }
  const request = new Request('http://localhost/api/drops', { method: 'POST', headers, body })
  const { value, dispose } = await withFiles(createDropSchema, limits).read(request, ctx)
  try {
    const images = value.files.filter(({ field }) => field !== 'digitalFile')
    const digitalFile = value.files.find(({ field }) => field === 'digitalFile')
    return await createDrop(ctx, { fields: value.fields, images, digitalFile })
  } finally {
    await dispose?.()
  }
}

describe('an object', () => {
  it.each([
    ['drops/p1-480.webp', 'public-read', 'image/webp', 'inline'],
    ['files/f_1.pdf', 'private', 'application/pdf', 'attachment'],
  ])('with the key %s is stored as %s', async (key, acl, type, disposition) => {
    await storage().put(key, Buffer.from('0123456789'))
    expect(remoteOf(key)).toMatchObject({ acl, type, disposition })
    expect((await readAll(key))?.toString()).toBe('0123456789')
    const part = await storage().open(key, { start: 7, end: 100 })
    expect(part).toMatchObject({ bytes: 3, size: 10, contentType: type })
    expect(await new Response(part?.body).text()).toBe('789')
    expect(await storage().open(key, { start: 10, end: 20 })).toMatchObject({ bytes: 0, size: 10 })
    await storage().remove(key)
    await storage().remove(key)
    expect(await storage().open(key)).toBeNull()
  })

  it('that is adopted from a file on this machine is stored unchanged', async () => {
    const file = path.join(folder, 'film')
    writeFileSync(file, pdf)
    await storage().adopt('files/f_film.pdf', file)
    expect(existsSync(file)).toBe(false)
    expect(remoteOf('files/f_film.pdf')?.bytes.equals(pdf)).toBe(true)
  })

  it('that is private can be read only at a signed URL, which is valid for at most five minutes', async () => {
    await storage().put('files/f_2.pdf', Buffer.from('paid'))
    const response = await sendFile(new Request('http://localhost/'), 'files/f_2.pdf', 'Notes.pdf')
    const signedUrl = new URL(response?.headers.get('location') ?? '')
    expect(response?.status).toBe(302)
    expect(response?.headers.get('cache-control')).toBe('no-store')
    expect(await (await fetch(signedUrl)).text()).toBe('paid')
    expect(Number(signedUrl.searchParams.get('expires'))).toBeLessThanOrEqual(Date.now() + 300_000)
    signedUrl.searchParams.set('expires', String(Date.now() + HOUR_MS))
    expect((await fetch(signedUrl)).status).toBe(403)
    expect((await fetch(signedUrl.origin + signedUrl.pathname)).status).toBe(403)
  })

  it('counts as unavailable, not as missing, while UploadThing cannot be reached', async () => {
    remote.setAway(true)
    try {
      await expect(storage().open('drops/p1-480.webp')).rejects.toMatchObject({ isStorageUnavailable: true })
      await expect(storage().put('drops/p2-480.webp', Buffer.from('x'))).rejects.toMatchObject({
        isStorageUnavailable: true,
      })
    } finally {
      remote.setAway(false)
    }
  })
})

describe("UploadThing's own SDK", () => {
  it('works with the stand-in, and finds files that our own code stored', async () => {
    const { UTApi, UTFile } = await import('uploadthing/server')
    // The SDK prints warnings about deprecated fields of its own responses.
    jest.spyOn(console, 'warn').mockImplementation(() => undefined)
    const { url, env: keys } = remote
    const endpoints = { apiUrl: url, ingestUrl: url, ufsHost: new URL(url).host, ufsAppIdLocation: 'path' as const }
    const api = new UTApi({ token: keys.UPLOADTHING_TOKEN, logLevel: 'Fatal', ...endpoints })
    const { data } = await api.uploadFiles(new UTFile(['hello'], 'hello.txt'), { acl: 'private' })
    expect(remote.objects.get(data?.key ?? '')?.bytes.toString()).toBe('hello')
    expect(remoteKey(appId(), 'files/f_1.pdf').slice(0, 12)).toBe(data?.key.slice(0, 12))
    const { ufsUrl } = await api.generateSignedURL(data?.key ?? '')
    expect(await (await fetch(ufsUrl)).text()).toBe('hello')
    expect(await api.deleteFiles(data?.key ?? '')).toMatchObject({ deletedCount: 1 })
    // The SDK also finds a file that our own code stored.
    await storage().put('files/f_3.pdf', Buffer.from('ours'))
    const ours = await api.generateSignedURL(remoteKey(appId(), 'files/f_3.pdf'))
    expect(await (await fetch(ours.ufsUrl)).text()).toBe('ours')
  })
})

describe('a drop whose files the browser sends directly to the storage', () => {
  it('has public pictures and a private file with exactly the bytes that were sent', async () => {
    const seller = await makeSeller({ plan: 'pro' })
    const [image0, digitalFile] = [await uploadPhoto(seller), await upload(seller, pdfFile, pdf)]
    expect(remoteOf(digitalFile)).toMatchObject({ acl: 'private', disposition: 'attachment', name: 'Field Notes.PDF' })
    const drop = await publish(seller, { image0, digitalFile })
    const stored = await db().digitalFile.findUniqueOrThrow({ where: { dropId: drop.id } })
    expect(stored).toMatchObject({
      source: 'upload',
      storageKey: digitalFile,
      fileName: 'Field Notes.pdf',
      contentType: 'application/pdf',
      bytes: BigInt(pdf.length),
    })
    const hash = (bytes: Buffer | null) =>
      createHash('sha256')
        .update(bytes ?? '')
        .digest('hex')
    expect(hash(await readAll(digitalFile))).toBe(hash(pdf))
    const [image] = drop.images
    expect(remoteOf(`${image?.key}-${image?.widths[0]}.webp`)).toMatchObject({ acl: 'public-read', type: 'image/webp' })
    // No temporary file is left on this machine.
    expect(readdirSync(path.join(env().dataDir, 'tmp'))).toEqual([])

    await deleteDrop(contextFor(actorOf(seller)), { dropId: drop.id })
    expect(keysThere().filter((key) => !key.startsWith('incoming/'))).toEqual([])
  })

  it('can be created from the same uploads when the first form was refused', async () => {
    const seller = await makeSeller({ plan: 'pro' })
    const taken = `taken-${Date.now()}`
    const uploads = { image0: await uploadPhoto(seller), digitalFile: await upload(seller, pdfFile, pdf) }
    await publish(seller, uploads, { ...form, customSlug: taken })
    const again = { image0: await uploadPhoto(seller), digitalFile: await upload(seller, pdfFile, pdf) }
    const refused = publish(seller, again, { ...form, customSlug: taken })
    await expect(refused).rejects.toMatchObject({ code: 'SLUG_TAKEN' })
    expect(await publish(seller, again, { ...form, customSlug: `${taken}-2` })).toMatchObject({ userId: seller.id })
    // The same uploads cannot be used for a second drop.
    await expect(publish(seller, again)).rejects.toMatchObject({ code: 'UPLOAD_GONE' })
  })

  it('is refused when the content of a file does not match the type in its name', async () => {
    const seller = await makeSeller({ plan: 'pro' })
    const wrong = Buffer.concat([Buffer.from('MZ'), Buffer.alloc(600)])
    const digitalFile = await upload(seller, { ...pdfFile, bytes: wrong.length }, wrong)
    const refused = publish(seller, { image0: await uploadPhoto(seller), digitalFile })
    await expect(refused).rejects.toMatchObject({ code: 'BAD_FILE' })
  })

  it.each([
    ['an upload of another seller', async () => upload(await makeSeller({ plan: 'pro' }), pdfFile, pdf)],
    [
      'an upload that has not arrived',
      async (seller: User) => (await startUploads(contextFor(actorOf(seller)), { files: [pdfFile] }))[0]?.key,
    ],
    ['an unknown upload', async () => 'files/f_unknown.pdf'],
  ])('is refused when it names %s', async (_name, make) => {
    const seller = await makeSeller({ plan: 'pro' })
    const image0 = await uploadPhoto(seller)
    const digitalFile = (await make(seller)) ?? ''
    await expect(publish(seller, { image0, digitalFile })).rejects.toMatchObject({
      code: 'UPLOAD_GONE',
      status: 400,
      field: 'digitalFile',
    })
  })

  it.each([
    [{ ...pdfFile, bytes: 501 * 1024 * 1024 }, 'FILE_TOO_LARGE', 413],
    [{ ...pdfFile, fileName: 'game.exe' }, 'BAD_KIND', 415],
    [{ purpose: 'picture', fileName: 'a.jpg', bytes: 26 * 1024 * 1024 }, 'IMAGE_TOO_LARGE', 413],
  ] as const)('is refused before a byte is sent: %o', async (file, code, status) => {
    const seller = contextFor(actorOf(await makeSeller({ plan: 'pro' })))
    await expect(startUploads(seller, { files: [file] })).rejects.toMatchObject({ code, status })
  })

  it('is refused when its seller is on the free plan, because digital files need Pro', async () => {
    const seller = contextFor(actorOf(await makeSeller()))
    await expect(startUploads(seller, { files: [pdfFile] })).rejects.toMatchObject({ code: 'PLAN_REQUIRED' })
  })

  it('gets upload URLs that accept only a file of the announced size, and only with unchanged parameters', async () => {
    const ctx = contextFor(actorOf(await makeSeller({ plan: 'pro' })))
    const [started] = await startUploads(ctx, { files: [pdfFile] })
    expect((await send(started?.url ?? '', Buffer.concat([pdf, pdf]))).status).toBe(400)
    const other = new URL(started?.url ?? '')
    other.searchParams.set('x-ut-acl', 'public-read')
    expect((await send(other.href, pdf)).status).toBe(403)
    expect(keysThere()).toEqual([])
  })
})

describe('an unused upload', () => {
  const age = (key: string) =>
    db().storedObject.update({
      where: { key },
      data: { createdAt: new Date(Date.now() - HOUR_MS), keepUntil: new Date(Date.now() - 1) },
    })

  it('is removed by the sweep, but not while it may still arrive', async () => {
    const seller = await makeSeller({ plan: 'pro' })
    const [stale, fresh] = [await upload(seller, pdfFile, pdf), await upload(seller, pdfFile, pdf)]
    // The sweep removes unclaimed objects after eight minutes. Although this upload is older, it is kept until
    // `keepUntil`, because an upload may arrive until then.
    await db().storedObject.update({ where: { key: fresh }, data: { createdAt: new Date(Date.now() - HOUR_MS) } })
    await age(stale)
    await sweepOrphans(visitor())
    expect(keysThere()).toEqual([fresh])
  })

  it('is removed by the next sweep when UploadThing could not be reached during the first', async () => {
    const key = await upload(await makeSeller({ plan: 'pro' }), pdfFile, pdf)
    await age(key)
    remote.setAway(true)
    await sweepOrphans(visitor()).finally(() => remote.setAway(false))
    expect(keysThere()).toEqual([key])
    await sweepOrphans(visitor())
    expect(keysThere()).toEqual([])
  })

  it('is removed when it arrives after the sweep has deleted its row', async () => {
    remote.setReporting(false)
    const key = await upload(await makeSeller({ plan: 'pro' }), pdfFile, pdf)
    remote.setReporting(true)
    await db().storedObject.delete({ where: { key } })
    expect(await report(key)).toBe(200)
    expect(keysThere()).toEqual([])
  })

  it('is kept longer once it has arrived', async () => {
    remote.setReporting(false)
    const key = await upload(await makeSeller({ plan: 'pro' }), pdfFile, pdf)
    remote.setReporting(true)
    await age(key)
    expect(await report(key)).toBe(200)
    await sweepOrphans(visitor())
    expect(keysThere()).toEqual([key])
  })

  it('is not changed by a report with a wrong signature or about a file of another app', async () => {
    const key = await upload(await makeSeller({ plan: 'pro' }), pdfFile, pdf)
    for (const signature of ['', 'hmac-sha256=', remote.sign('{}'), `${remote.sign(arrival(key))}0`]) {
      expect(await report(key, signature)).toBe(400)
    }
    // A signed report about a file of another app changes nothing.
    const foreign = foreignReport()
    expect(await report(key, remote.sign(foreign), foreign)).toBe(200)
    expect(await report(key, remote.sign('{}'), '{}')).toBe(400)
    expect(keysThere()).toEqual([key])
  })

  it('cannot be started through the SDK’s route helper, and a report for another file route is refused', async () => {
    const ask = (query: string, headers: Record<string, string>) =>
      reportArrival(new Request(`http://localhost/api/uploadthing${query}`, { method: 'POST', headers, body: '{}' }))
    const signed = { 'uploadthing-hook': 'callback', 'x-uploadthing-signature': remote.sign('{}') }
    expect((await ask('?actionType=upload&slug=upload', {})).status).toBe(404)
    expect((await ask('?actionType=upload&slug=upload', signed)).status).toBe(404)
    expect((await ask('?slug=other', signed)).status).toBe(400)
  })

  it('is confirmed to UploadThing only after its arrival is stored, so that a failed report is repeated', async () => {
    remote.setReporting(false)
    const key = await upload(await makeSeller({ plan: 'pro' }), pdfFile, pdf)
    remote.setReporting(true)
    remote.confirmed.length = 0
    await db().$executeRaw`ALTER TABLE "StoredObject" RENAME TO "Away"`
    expect(await report(key)).toBe(500)
    await db().$executeRaw`ALTER TABLE "Away" RENAME TO "StoredObject"`
    expect(remote.confirmed).toEqual([])
    expect(await report(key)).toBe(200)
    expect(remote.confirmed).toEqual([remoteKey(appId(), key)])
  })

  const file = (key: string) => {
    const url = `${remote.url}/a/${appId()}/${key}`
    const seen = { name: 'a.pdf', size: pdf.length, type: 'application/pdf', customId: null, fileHash: 'x' }
    return { ...seen, key, url, appUrl: url, ufsUrl: url }
  }
  const reportOf = (key: string) =>
    JSON.stringify({ status: 'uploaded', metadata: {}, origin: remote.url, file: file(key) })
  const arrival = (key: string) => reportOf(remoteKey(appId(), key))
  const foreignReport = () => reportOf('xxxxxxxxxxxxabc')

  async function report(key: string, signature = remote.sign(arrival(key)), body = arrival(key)): Promise<number> {
    const headers = { 'uploadthing-hook': 'callback', 'x-uploadthing-signature': signature }
    const url = 'http://localhost/api/uploadthing?slug=upload'
    const answer = await reportArrival(new Request(url, { method: 'POST', headers, body }))
    return (await documented('POST', '/api/uploadthing', answer)).status
  }
})
