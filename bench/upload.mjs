// node bench/upload.mjs [megabytes = 500] [MB per second = 0, no limit] sends one digital file through POST /api/drops.
// The content of the file is generated while it is sent. The bench prints how long the upload took, how much memory the
// server used, and whether the bytes on disk are the ones that were sent. `500 1` simulates a phone on a slow
// connection and takes more than eight minutes.
import { createHash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { hashFile } from '../lib/operations/hash-file.mjs'
import { startApp } from '../tests/support/start-app.mjs'
import { memoryOf } from './processes.mjs'

const MEGABYTE = 1024 * 1024
const BOUNDARY = 'lastcall-bench'
const megabytes = Number(process.argv[2] ?? 500)
const perSecond = Number(process.argv[3] ?? 0)

process.chdir(path.dirname(path.dirname(fileURLToPath(import.meta.url))))
const app = await startApp({ seed: null, env: { SEED_DEMO: '0', LOG_LEVEL: 'error' } })
const pool = new pg.Pool({ connectionString: app.databaseUrl, max: 1 })
try {
  const cookie = await signUpPro()
  const before = memoryOf(app.pid).now
  const startedAt = performance.now()
  const { status, body, sha256 } = await send(cookie)
  const seconds = (performance.now() - startedAt) / 1000
  const memory = memoryOf(app.pid)
  if (status !== 201) throw new Error(`the upload returned status ${status}: ${body}`)
  const { rows } = await pool.query('SELECT "storageKey" FROM "DigitalFile"')
  const isSame = (await hashFile(path.join(app.dataDir, 'uploads', rows[0].storageKey))) === sha256
  console.log(
    `${megabytes} MB in ${seconds.toFixed(1)} s (${(megabytes / seconds).toFixed(1)} MB/s): status ${status}, ` +
      `memory ${before.toFixed(0)} MB before, ${memory.peak.toFixed(0)} MB at most ` +
      `(+${(memory.peak - before).toFixed(0)} MB), hash ${isSame ? 'equal' : 'DIFFERENT'}`,
  )
  if (!isSame) process.exitCode = 1
} finally {
  await pool.end()
  await app.stop()
}

async function signUpPro() {
  const username = `bench_${randomBytes(4).toString('hex')}`
  const account = {
    username,
    email: `${username}@example.com`,
    password: `pass ${username}`,
    firstName: 'B',
    lastName: 'B',
  }
  const answer = await fetch(`${app.url}/api/auth/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(account),
  })
  if (!answer.ok) throw new Error(`sign-up returned status ${answer.status}`)
  await pool.query(`UPDATE "User" SET "plan" = 'pro'`)
  return answer.headers
    .getSetCookie()
    .map((text) => text.split(';')[0])
    .join('; ')
}

/**
 * @param {string} cookie
 * @returns {Promise<{ status: number, body: string, sha256: string }>}
 */
function send(cookie) {
  const head = (/** @type {string} */ text) =>
    Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; ${text}\r\n\r\n`)
  const fields = { title: 'Film', description: 'Long.', price: '5', productType: 'digital' }
  const parts = [
    ...Object.entries(fields).flatMap(([name, value]) => [head(`name="${name}"`), Buffer.from(`${value}\r\n`)]),
    head('name="image0"; filename="a.webp"'),
    readFileSync('prisma/seed/images/ceramic-mug-1.webp'),
    Buffer.from('\r\n'),
    head('name="digitalFile"; filename="film.pdf"'),
  ]
  const end = Buffer.from(`\r\n--${BOUNDARY}--\r\n`)
  const length = [...parts, end].reduce((sum, part) => sum + part.length, 0) + megabytes * MEGABYTE
  const hash = createHash('sha256')
  return new Promise((resolve, reject) => {
    const headers = { cookie, 'content-type': `multipart/form-data; boundary=${BOUNDARY}`, 'content-length': length }
    const request = httpRequest(`${app.url}/api/drops`, { method: 'POST', headers }, (response) => {
      let body = ''
      response.setEncoding('utf8').on('data', (text) => (body += text))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body, sha256: hash.digest('hex') }))
    })
    request.on('error', reject)
    const write = (/** @type {Buffer} */ bytes) => new Promise((done) => request.write(bytes, done))
    void (async () => {
      for (const part of parts) await write(part)
      const chunk = randomBytes(MEGABYTE)
      chunk.write('%PDF-1.7\n')
      const startedAt = performance.now()
      for (let sent = 0; sent < megabytes; sent += 1) {
        hash.update(chunk)
        await write(chunk)
        const aheadMs = perSecond > 0 ? ((sent + 1) / perSecond) * 1000 - (performance.now() - startedAt) : 0
        if (aheadMs > 0) await sleep(aheadMs)
      }
      request.end(end)
    })()
  })
}
