// Tests large uploads over HTTP, and a server that is killed during an upload. The test starts its own server.
import { expect, test } from '@playwright/test'
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, utimesSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import path from 'node:path'
import { startApp } from '../support/start-app.mjs'
import { forget, goodFields, type Seller, type Shop, shopAt, signUp } from '../support/e2e'
import { drawing } from '../support/photos'

test.describe.configure({ mode: 'default', timeout: 180_000 })

const MEGABYTE = 1024 * 1024
const BOUNDARY = 'lastcall-upload'

type Sent = { status: number; body: string; sha256: string }

/**
 * Sends a digital drop whose file is generated during the upload. After `stop.after` megabytes of the file, the
 * function calls `stop.then` and sends nothing more.
 */
function upload(
  shop: Shop,
  seller: Seller,
  megabytes: number,
  stop?: { after: number; then: () => void },
): Promise<Sent> {
  const part = (head: string) => Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; ${head}\r\n\r\n`)
  const photo = drawing()
  const parts = [
    ...Object.entries(goodFields({ productType: 'digital' })).flatMap(([name, value]) => [
      part(`name="${name}"`),
      Buffer.from(`${value}\r\n`),
    ]),
    part(`name="image0"; filename="${photo.name}"`),
    photo.buffer,
    Buffer.from('\r\n'),
    part('name="digitalFile"; filename="film.pdf"'),
  ]
  const end = Buffer.from(`\r\n--${BOUNDARY}--\r\n`)
  const length = [...parts, end].reduce((sum, piece) => sum + piece.length, 0) + megabytes * MEGABYTE
  const chunk = randomBytes(MEGABYTE)
  const hash = createHash('sha256')

  return new Promise((resolve, reject) => {
    const headers = {
      cookie: seller.cookie,
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
      'content-length': length,
    }
    const request = httpRequest(`${shop.url}/api/drops`, { method: 'POST', headers }, (response) => {
      let body = ''
      response.setEncoding('utf8').on('data', (text: string) => (body += text))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body, sha256: hash.digest('hex') }))
    })
    request.on('error', reject)
    const write = (bytes: Buffer) => new Promise<void>((done) => request.write(bytes, () => done()))
    void (async () => {
      for (const piece of parts) await write(piece)
      for (let sent = 0; sent < megabytes; sent += 1) {
        if (stop && sent === stop.after) return stop.then()
        const bytes = sent === 0 ? Buffer.concat([Buffer.from('%PDF-1.7\n'), chunk.subarray(9)]) : chunk
        hash.update(bytes)
        await write(bytes)
      }
      request.end(end)
    })()
  })
}

const under = (folder: string) => (existsSync(folder) ? readdirSync(folder, { recursive: true }).map(String) : [])

function residentMegabytes(pid: number): number {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1024
}

test('an upload of 480 MB takes less than 150 MB of memory, a file above 500 MB is refused, and a sweep removes what kill -9 leaves behind', async () => {
  let app = await startApp({ env: { SEED_DEMO: '0', LOG_LEVEL: 'error' } })
  const { dataDir } = app
  let shop = shopAt(app.url, app.databaseUrl)
  try {
    const seller = await signUp(shop, { plan: 'pro' })
    const before = residentMegabytes(app.pid)
    let peak = before
    const watch = setInterval(() => (peak = Math.max(peak, residentMegabytes(app.pid))), 50)
    const { status, body, sha256 } = await upload(shop, seller, 480)
    clearInterval(watch)
    expect(status, body).toBe(201)
    const [file] = await shop.query<{ storageKey: string; sha256: string }>(
      'SELECT "storageKey", "sha256" FROM "DigitalFile"',
    )
    const onDisk = readFileSync(path.join(dataDir, 'uploads', file?.storageKey ?? ''))
    expect(createHash('sha256').update(onDisk).digest('hex')).toBe(sha256)
    expect(file?.sha256).toBe(sha256)
    expect(peak - before).toBeLessThan(150)
    console.log(`480 MB: memory grew by ${(peak - before).toFixed(0)} MB`)

    const tooLarge = await upload(shop, seller, 501)
    expect(tooLarge.status).toBe(413)
    expect(tooLarge.body).toContain('This file is larger than 500MB.')
    expect(under(path.join(dataDir, 'tmp'))).toEqual([])

    let killed: Promise<unknown> | undefined
    const halfSent = upload(shop, seller, 40, { after: 20, then: () => (killed = app.kill()) })
    await expect(halfSent).rejects.toThrow()
    await killed
    await forget(app.databaseUrl)
    const left = under(path.join(dataDir, 'tmp'))
    expect(left).not.toEqual([])

    app = await startApp({ dataDir, env: { SEED_DEMO: '0', LOG_LEVEL: 'error' } })
    shop = shopAt(app.url, app.databaseUrl)
    expect(await shop.query('SELECT "id" FROM "Drop"')).toHaveLength(1)
    // The sweep runs every 15 seconds and removes files that were not written for eight minutes, so these files are
    // made to look nine minutes old.
    const longAgo = new Date(Date.now() - 9 * 60_000)
    for (const name of left.reverse()) utimesSync(path.join(dataDir, 'tmp', name), longAgo, longAgo)
    await expect.poll(() => under(path.join(dataDir, 'tmp')), { timeout: 40_000 }).toEqual([])
    const objects = await shop.query<{ key: string }>('SELECT "key" FROM "StoredObject" WHERE "claimedAt" IS NOT NULL')
    const files = under(path.join(dataDir, 'uploads')).filter((name) => /\.\w+$/.test(name) && !name.startsWith('.'))
    expect(files.sort()).toEqual(objects.map(({ key }) => key).sort())
  } finally {
    await forget(app.databaseUrl)
    await app.kill()
  }
})
