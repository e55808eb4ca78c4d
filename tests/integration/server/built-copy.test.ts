import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { closeDatabase, db } from '@/lib/infra/db'
import { DAY_MS } from '@/lib/kernel/time'
import { findFreePort } from '@/scripts/ports.mjs'
import { type CopyServer, inkOf, makeCleanClone, packed, signUp, startCopy, statusOf } from '@/tests/support/built-copy'
import { expectDemoClosed } from '@/tests/support/expect-demo-closed'
import { makeDrop } from '@/tests/support/factories'
import { plainPhoto } from '@/tests/support/photos'
import { expectSmallStart, reportStart } from '@/tests/support/report-start'
import { runNode } from '@/tests/support/run-node'

// These tests build a clean clone once and buy a drop under three servers that can run the build. The servers are
// `next start`, the traced output with Next's server, and the traced output with our server. Only `next start` runs in
// the clone. The clone is removed before the other two start, so that they cannot depend on files of the clone.

const BUILD_MS = 15 * 60_000
const NOBODY = 65_534
const isRoot = process.getuid?.() === 0

const folder = mkdtempSync(path.join(tmpdir(), 'lastcall-copy-'))
const clone = path.join(folder, 'clone')
const traced = path.join(folder, 'traced')
const dataDir = path.join(folder, 'data')
const servers: CopyServer[] = []

const TITLES = {
  latin: 'Hand-thrown mug, 12 oz — “Ember”',
  emoji: 'Mug 💥🎉👩🏽‍🎨 ❤',
  japanese: '手作りのマグカップ',
  chinese: '限量版陶瓷杯子',
  korean: '한정판 머그컵',
  arabic: 'كوب خزفي',
  hebrew: 'ספל קרמיקה',
  thai: 'แก้วเซรามิก',
  cyrillic: 'Кружка ручной работы',
} as const

/** The preview pictures and stories by their paths, as base64. */
type Pictures = Record<string, string>
const addresses: string[] = []
let reference: Pictures = {}
/** A story contains a QR code with the URL of its drop, so servers whose stories are compared use the same port. */
let port = 0
const isStory = (name: string) => name.endsWith('/story-image')

beforeAll(async () => {
  chmodSync(folder, 0o755)
  mkdirSync(dataDir)
  if (isRoot) chownSync(dataDir, NOBODY, NOBODY)
  mkdirSync(clone)
  makeCleanClone(clone)
  expect(existsSync(path.join(clone, '.next'))).toBe(false)
  // The data of someone who has tried the application in the clone must not be part of the copy.
  mkdirSync(path.join(clone, '.data', 'uploads', 'files'), { recursive: true })
  writeFileSync(path.join(clone, '.data', 'uploads', 'files', 'paid.pdf'), 'paid for')
  execFileSync('npm', ['run', 'build', '--', '--standalone'], {
    cwd: clone,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, NODE_ENV: 'production' },
    stdio: 'pipe',
  })
  // Symbolic links are copied as links, as `cp -a` and a container image do.
  cpSync(path.join(clone, '.next', 'standalone'), traced, { recursive: true, verbatimSymlinks: true })
  // The bar in the picture of a drop that lasts a week stays full during the test, so that the picture does not change.
  const week = { startedAt: new Date(), endTime: new Date(Date.now() + 7 * DAY_MS) }
  for (const title of Object.values(TITLES)) addresses.push(`/drop/${(await makeDrop({ title, ...week })).uniqueId}`)
}, BUILD_MS)

afterAll(async () => {
  for (const server of servers) await server.stop()
  await closeDatabase()
  execFileSync('chmod', ['-R', 'u+w', folder])
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
}, 60_000)

const shared = () => ({
  DATABASE_URL: process.env.DIRECT_DATABASE_URL ?? process.env.DATABASE_URL ?? '',
  AUTH_SECRET: process.env.AUTH_SECRET ?? '',
  CRON_SECRET: process.env.CRON_SECRET ?? '',
  DATA_DIR: dataDir,
  LOG_LEVEL: 'warn',
})

type Start = { folder: string; words: string[]; env?: Record<string, string>; uid?: number; port?: number }

async function start({ env = {}, port: wanted, ...rest }: Start): Promise<CopyServer> {
  const port = wanted ?? (await findFreePort())
  const place: Record<string, string> = env.VERCEL ? {} : { APP_URL: `http://localhost:${port}` }
  const server = await startCopy({ ...rest, port, env: { ...shared(), ...place, ...env } })
  servers.push(server)
  return server
}

/** Returns the previews of the landing page, of all drops and of a profile, and the story of each drop. */
async function picturesOf(server: CopyServer): Promise<Pictures> {
  const page = await (await fetch(server.url)).text()
  const [, landing = ''] = /<meta property="og:image" content="([^"]+)"/.exec(page) ?? []
  const drops = addresses.filter((address) => address.startsWith('/drop/'))
  const names = [
    new URL(landing).pathname,
    ...addresses.map((address) => `${address}/opengraph-image`),
    ...drops.map((address) => `${address}/story-image`),
  ]
  const pictures: Pictures = {}
  for (const name of names) {
    const answer = await fetch(server.url + name)
    if (answer.status !== 200) process.stderr.write(server.output())
    expect([name, answer.status]).toEqual([name, 200])
    pictures[name] = Buffer.from(await answer.arrayBuffer()).toString('base64')
  }
  return pictures
}

/** Returns the names of the pictures that differ from those of the clone. */
function differentFrom(pictures: Pictures): string[] {
  expect(Object.keys(pictures)).toEqual(Object.keys(reference))
  return Object.keys(pictures).filter((name) => pictures[name] !== reference[name])
}

/** Removes the pictures that one server has stored, so that the next server draws its own. */
async function forgetPictures(): Promise<void> {
  await db().storedObject.deleteMany({ where: { key: { startsWith: 'previews/' } } })
  rmSync(path.join(dataDir, 'uploads', 'previews'), { recursive: true, force: true })
}

/** Buys a new drop as a browser does, with the origin of our own pages. @returns the buyer's email address. */
async function buy(server: CopyServer, origin = server.url, headers: Record<string, string> = {}): Promise<string> {
  const drop = await makeDrop()
  const buyer = `bea-${drop.uniqueId.toLowerCase()}@example.com`
  const local = (address: string | null) => (address ?? '').replace(origin, server.url)
  const page = await fetch(`${server.url}/drop/${drop.uniqueId}`)
  expect(page.status).toBe(200)
  expect(await page.text()).toContain('Test mug')
  const opened = await fetch(`${server.url}/api/checkout/create-session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin, ...headers },
    body: JSON.stringify({ dropId: drop.id }),
  })
  expect([opened.status, await opened.clone().text()]).toEqual([200, expect.stringContaining('"url"')])
  const { url } = (await opened.json()) as { url: string }
  expect(url.startsWith(`${origin}/`)).toBe(true)
  const paid = await fetch(`${local(url)}/pay`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: buyer, cardNumber: '4242424242424242', name: 'Bea Buyer' }),
  })
  expect(paid.status).toBe(303)
  const success = await fetch(local(paid.headers.get('location')))
  expect(await success.text()).toContain('is yours')
  expect(await db().drop.findUnique({ where: { id: drop.id }, select: { sold: true } })).toEqual({ sold: 1 })
  return buyer
}

/** Waits until the receipt was sent by a scheduler or by the work after a response. Throws after 20 seconds. */
async function expectReceipt(buyer: string): Promise<void> {
  const deadline = performance.now() + 20_000
  const isSent = async () => (await db().outboxMail.count({ where: { to: buyer, sentAt: { not: null } } })) > 0
  while (!(await isSent())) if (performance.now() > deadline) throw new Error('the receipt was not sent')
}

/** Returns whether 33 calls count as calls of one client, although the headers of each name another address. */
async function areCountedTogether(
  server: CopyServer,
  headers: (call: number) => Record<string, string>,
): Promise<boolean> {
  const call = (at: number) => fetch(`${server.url}/api/auth/check-username/somebody${at}`, { headers: headers(at) })
  const answers = await Promise.all(Array.from({ length: 33 }, (_, at) => call(at)))
  return answers.some(({ status }) => status === 429)
}

/** Checks what both Next's servers and ours must do (docs/contract.md). */
async function expectContract(server: CopyServer): Promise<void> {
  const drop = await makeDrop()
  expect(await statusOf(server, '/', { method: 'TRACE' })).toBe(405)
  expect(await statusOf(server, '/%E0%A4%A', { method: 'GET' })).toBe(404)
  for (const address of [`/drop/${drop.uniqueId}`, `/api/drop/${drop.uniqueId}`]) {
    const answer = await fetch(server.url + address)
    expect([address, answer.status, answer.headers.get('cache-control')]).toEqual([
      address,
      200,
      'public, max-age=0, s-maxage=1, stale-while-revalidate=2',
    ])
  }
  const missing = await fetch(`${server.url}/drop/nothere123`)
  expect([missing.status, missing.headers.get('cache-control')]).toEqual([404, expect.stringContaining('private')])
  const long = JSON.stringify({ dropId: drop.id, padding: 'x'.repeat(70_000) })
  const json = { 'content-type': 'application/json' }
  const refused = await fetch(`${server.url}/api/checkout/create-session`, {
    method: 'POST',
    headers: json,
    body: long,
  })
  expect(refused.status).toBe(413)
}

/** Checks that one of Next's servers opens no stream, so that browsers poll. Only our server has streams. */
async function expectPolling(server: CopyServer): Promise<void> {
  const drop = await makeDrop()
  const stream = await fetch(`${server.url}/api/drop/${drop.uniqueId}/events`, {
    headers: { accept: 'text/event-stream' },
  })
  expect(stream.status).toBe(204)
}

describe('`next start` in the clone', () => {
  let server: CopyServer

  it('closes a demo unless it listens on loopback, refuses TRACE, and ignores a forged client address', async () => {
    const words = ['node_modules/next/dist/bin/next', 'start']
    port = await findFreePort()
    server = await expectDemoClosed(words, (more) => start({ folder: clone, port, ...more }))
    reportStart(server, 'next start')
    await expectContract(server)
    await expectPolling(server)
    expect(await areCountedTogether(server, (call) => ({ 'x-forwarded-for': `198.51.100.${call}` }))).toBe(true)
  }, 120_000)

  it('sells a drop and sends the receipt', async () => expectReceipt(await buy(server)), 60_000)

  it('draws every preview picture, one of them with a photo', async () => {
    const cookie = await signUp(server)
    const form = new FormData()
    const fields = {
      title: 'With a photo',
      description: 'A mug.',
      price: '24',
      idempotencyKey: 'with-a-photo',
      duration: '72',
    }
    for (const [name, value] of Object.entries(fields)) form.set(name, value)
    const { buffer, mimeType } = await plainPhoto()
    form.set('image0', new Blob([new Uint8Array(buffer)], { type: mimeType }), 'mug.jpg')
    const made = await fetch(`${server.url}/api/drops`, {
      method: 'POST',
      headers: { cookie, origin: server.url },
      body: form,
    })
    expect(made.status).toBe(201)
    const { identifier } = (await made.json()) as { identifier: string }
    addresses.push(`/drop/${identifier}`, '/profile/copy_seller')
    reference = await picturesOf(server)
    // All pictures differ from each other.
    expect(new Set(Object.values(reference)).size).toBe(Object.keys(TITLES).length * 2 + 4)
  }, 120_000)

  afterAll(async () => {
    await server?.stop()
    await forgetPictures()
    // The last server runs as another user and must be able to read what this server wrote.
    if (isRoot)
      for (const name of ['', ...readdirSync(dataDir, { recursive: true, encoding: 'utf8' })])
        chownSync(path.join(dataDir, name), NOBODY, NOBODY)
    rmSync(clone, { recursive: true, force: true, maxRetries: 10 })
  }, 60_000)
})

describe("the traced output with Next's server, as a preview on Vercel", () => {
  const branch = 'https://lastcall-git-mugs-ada.vercel.app'
  const deployment = 'https://lastcall-4fj2k1-ada.vercel.app'
  const env = {
    VERCEL: '1',
    VERCEL_ENV: 'preview',
    VERCEL_URL: new URL(deployment).host,
    VERCEL_BRANCH_URL: new URL(branch).host,
    VERCEL_PROJECT_PRODUCTION_URL: 'lastcall.vercel.app',
    ALLOW_SANDBOX_PAYMENTS: '1',
    HOSTNAME: 'localhost',
    DATA_DIR: dataDir,
  }
  const packages = path.join(traced, 'node_modules')
  const fonts = ['@fontsource-variable', '@fontsource', '@twemoji']
  let server: CopyServer

  it('still draws brand, title and price when the fonts are missing', async () => {
    for (const name of fonts) renameSync(path.join(packages, name), path.join(packages, `${name}-away`))
    server = await start({ folder: traced, words: ['server.js'], env })
    reportStart(server, 'traced output, server.js')
    const [plain, arabic] = [addresses[0], addresses[5]]
    for (const address of [plain, arabic]) {
      const answer = await fetch(`${server.url}${address}/opengraph-image`)
      expect([address, answer.status]).toEqual([address, 200])
      const picture = Buffer.from(await answer.arrayBuffer())
      expect(await inkOf(picture)).toEqual({ brand: true, title: true, price: true })
      expect(picture.toString('base64') === reference[`${address}/opengraph-image`]).toBe(false)
    }
    for (const name of fonts) renameSync(path.join(packages, `${name}-away`), path.join(packages, name))
  }, 120_000)

  it('draws the same previews as the clone once the fonts are back', async () => {
    // The stories are left out, because they contain the URL of this server.
    expect(differentFrom(await picturesOf(server)).filter((name) => !isStory(name))).toEqual([])
  }, 120_000)

  it('keeps the contract, and takes the address of a client only from the header of the hosting platform', async () => {
    await expectContract(server)
    await expectPolling(server)
    const forged = (call: number) => ({
      'x-forwarded-for': `198.51.100.${call}`,
      'x-vercel-forwarded-for': '203.0.113.7',
    })
    expect(await areCountedTogether(server, forged)).toBe(true)
    expect(await areCountedTogether(server, (call) => ({ 'x-vercel-forwarded-for': `192.0.2.${call}` }))).toBe(false)
  }, 60_000)

  it('lets users log in only from its own two URLs', async () => {
    const logIn = async (origin: string) => {
      const answer = await fetch(`${server.url}/api/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin, 'sec-fetch-site': 'same-origin' },
        body: JSON.stringify({ email: 'copy_seller', password: 'pass copy seller' }),
      })
      return answer.status
    }
    for (const origin of [branch, deployment]) expect([origin, await logIn(origin)]).toEqual([origin, 200])
    const others = [
      'https://lastcall.vercel.app',
      'https://lastcall-git-other-ada.vercel.app',
      `${branch}.evil.example`,
      branch.replace('https', 'http'),
      'https://evil.example',
    ]
    for (const origin of others) expect([origin, await logIn(origin)]).toEqual([origin, 403])
  }, 60_000)

  it(
    'sells a drop, and sends the receipt without a scheduler',
    async () => expectReceipt(await buy(server, branch)),
    60_000,
  )

  it('archives an ended drop when the scheduled call comes', async () => {
    const overdue = await makeDrop({ endTime: new Date(Date.now() - 1_000), startedAt: new Date(Date.now() - DAY_MS) })
    const call = (secret: string) =>
      fetch(`${server.url}/api/cron/archive`, { headers: { authorization: `Bearer ${secret}` } })
    expect((await call('wrong')).status).toBe(401)
    expect(await (await call(shared().CRON_SECRET)).json()).toMatchObject({ archived: expect.any(Number) })
    expect((await db().drop.findUnique({ where: { id: overdue.id } }))?.archivedAt).not.toBeNull()
  }, 60_000)

  it('accepts a server action from a proxy that does not pass on the host name', async () => {
    const manifest = JSON.parse(
      readFileSync(path.join(traced, '.next/server/server-reference-manifest.json'), 'utf8'),
    ) as {
      node: Record<string, { exportedName: string }>
    }
    const [id = ''] =
      Object.entries(manifest.node).find(([, { exportedName }]) => exportedName === 'submitAppealAction') ?? []
    const ask = (origin: string) =>
      statusOf(server, '/appeal', {
        method: 'POST',
        headers: { host: 'lastcall_backend', origin, 'next-action': id, 'content-type': 'text/plain;charset=UTF-8' },
        body: '[{}]',
      })
    expect(await ask(branch)).toBe(200)
    expect(await ask('https://evil.example')).toBe(403)
  }, 60_000)

  it('also draws the same stories as the clone when it runs at the URL at which the clone ran', async () => {
    await server.stop()
    await forgetPictures()
    server = await start({ folder: traced, words: ['server.js'], env: { HOSTNAME: 'localhost' }, port })
    expect(differentFrom(await picturesOf(server))).toEqual([])
  }, 120_000)

  afterAll(async () => {
    await server?.stop()
    await forgetPictures()
  }, 60_000)
})

describe('the traced output with our server, as a container runs it', () => {
  let server: CopyServer
  let before: string[]

  /** Returns the arguments of `node` in one of the commands of the image. */
  const wordsOf = (instruction: 'CMD' | 'HEALTHCHECK') => {
    const text = readFileSync('Dockerfile', 'utf8').replace(/\\\n\s*/g, ' ')
    const [, list = ''] = new RegExp(`^${instruction}[^\\[\\n]*(\\[.*\\])$`, 'm').exec(text) ?? []
    const [program, ...words] = JSON.parse(list) as string[]
    expect(program).toBe('node')
    return words
  }
  /** The value of MALLOC_ARENA_MAX that the image sets (docs/hosting.md#a-copy-without-the-project). */
  const [, arenas = ''] = /MALLOC_ARENA_MAX=(\d+)/.exec(readFileSync('Dockerfile', 'utf8')) ?? []
  const healthOf = async ({ url }: CopyServer) =>
    (await runNode(wordsOf('HEALTHCHECK'), { PORT: new URL(url).port })).code

  /** Lists every file of the copy with its size and the time of its last change. */
  const listing = () =>
    readdirSync(traced, { recursive: true, encoding: 'utf8' })
      .sort()
      .map((name) => {
        const { size, mtimeMs } = lstatSync(path.join(traced, name))
        return `${name} ${size} ${mtimeMs}`
      })

  it('contains no development-only packages, no tests and no data', () => {
    const packages = packed(traced)
    expect(packages.map(({ name }) => name)).toEqual(expect.arrayContaining(['next', 'pg', 'sharp']))
    expect(packages.filter(({ isDev }) => isDev)).toEqual([])
    const others = ['.data', 'tests', 'bench', 'docs', 'node_modules/.bin']
    expect(others.filter((name) => existsSync(path.join(traced, name)))).toEqual([])
  })

  it('refuses a database that lacks migrations, and names the command of the copy that applies them', async () => {
    const url = new URL(shared().DATABASE_URL)
    url.pathname = '/postgres'
    const env = {
      ...shared(),
      DATABASE_URL: url.href,
      APP_URL: 'http://localhost:3999',
      PORT: '3999',
      DATA_DIR: dataDir,
    }
    const ended = await runNode([path.join(traced, 'scripts/serve.mjs')], env)
    expect(ended).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/lacks (?:a migration|\d+ migrations): run `node prisma\/migrate.mjs`/),
    })
    const migrated = await runNode([path.join(traced, 'prisma/migrate.mjs')], { DATABASE_URL: shared().DATABASE_URL })
    expect(migrated).toMatchObject({ code: 0, stdout: 'Nothing to migrate.\n' })
  }, 60_000)

  it('runs with the command of the image as a user who may write only to the data folder', async () => {
    before = listing()
    execFileSync('chmod', ['-R', 'a-w,a+rX', traced])
    const env = { HOST: '127.0.0.1', HOME: '/nonexistent', MALLOC_ARENA_MAX: arenas }
    server = await start({ folder: traced, words: wordsOf('CMD'), env, uid: isRoot ? NOBODY : undefined, port })
    reportStart(server, 'traced output, our server')
    expectSmallStart(server)
    expect(await healthOf(server)).toBe(0)
    await expectContract(server)
    await expectReceipt(await buy(server))
    expect(await areCountedTogether(server, (call) => ({ 'x-forwarded-for': `198.51.100.${call}` }))).toBe(true)
  }, 120_000)

  it('draws the same pictures as the clone', async () => {
    expect(differentFrom(await picturesOf(server))).toEqual([])
  }, 120_000)

  it('ends with code 0 when the host stops it, and has changed no file of the copy', async () => {
    expect(await server.stop()).toBe(0)
    expect(await healthOf(server)).toBe(1)
    expect(listing()).toEqual(before)
  }, 60_000)
})
