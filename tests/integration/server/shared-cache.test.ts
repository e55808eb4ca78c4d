import { createServer, get as httpGet, type IncomingMessage, type ServerResponse } from 'node:http'
import { mkdtempSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import type { Drop } from '@prisma/client'
import { closeDatabase, db } from '@/lib/infra/db'
import { findCommonPage, UNKNOWN_PAGE } from '@/lib/server/find-common-page.mjs'
import { startSharedCache } from '@/lib/server/start-shared-cache.mjs'
import { makeDrop, makeSeller } from '@/tests/support/factories'

// Tests the cache with a stand-in for Next that counts the requests it gets.
let rendered: string[] = []
let agents: (string | undefined)[] = []
let cache: Awaited<ReturnType<typeof startSharedCache>>
let server: ReturnType<typeof createServer>
let url: string

/** The end of a drop that is over 0.2 s after it was first read. */
let endTime = ''
const ending = () => JSON.stringify({ endTime: (endTime ||= new Date(Date.now() + 200).toISOString()) })

let isPaused = false

function statusOf(url: string): number {
  if (isPaused) return 503
  if (url === UNKNOWN_PAGE || url.includes('missing')) return 404
  if (url === '/drop/moved') return 308
  return url.includes('removed') ? 410 : 200
}

const CROWD = 100
/** What a rendering waits for. */
let hold: Promise<void> | undefined

async function render(request: IncomingMessage, response: ServerResponse) {
  rendered.push(`${request.method} ${request.url}`)
  const status = statusOf(request.url ?? '')
  const isEnding = request.url === '/api/drop/ending'
  const headers = {
    'content-type': isEnding ? 'application/json' : 'text/plain',
    'x-server-time': new Date().toISOString(),
  }
  agents.push(request.headers['user-agent'])
  if (status === 308) response.setHeader('location', '/drop/canonical')
  await hold
  const isStrange = Boolean(request.headers['x-middleware-prefetch'])
  const text = isEnding ? ending() : `rendered ${rendered.length}`
  if (request.url === '/signup') response.setHeader('set-cookie', 'draft=1')
  response.writeHead(status, headers).end(isStrange ? '{}' : text)
}

beforeAll(async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'lastcall-routes-'))
  const routes = {
    '/(auth)/login/page': '/login',
    '/(buyer)/o/[token]/page': '/o/[token]',
    '/preview/route': '/drop/[identifier]/opengraph-image',
  }
  writeFileSync(path.join(folder, 'app-path-routes-manifest.json'), JSON.stringify(routes))
  const commonPage = findCommonPage(folder, path.resolve('public'))
  cache = await startSharedCache({ handle: render, databaseUrl: process.env.DATABASE_URL ?? '', commonPage })
  server = createServer((request, response) => void cache.handle(request, response)).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

beforeEach(() => {
  hold = undefined
  rendered = []
  agents = []
})

afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await cache.close()
  await closeDatabase()
})

const get = async (path: string, headers: Record<string, string> = {}) => {
  const answer = await fetch(url + path, { headers })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

it('renders once for many requests, compressed or not', async () => {
  // The page is rendered until all of them wait for it, however slow the machine is.
  let allArrived: () => void = () => {}
  hold = new Promise((resolve) => (allArrived = resolve))
  let arrived = 0
  server.on('request', () => (arrived += 1) === CROWD && allArrived())
  const answers = await Promise.all(Array.from({ length: CROWD }, () => get('/drop/crowd')))
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  expect(rendered).toEqual(['GET /drop/crowd'])
  expect(answers[0]?.headers.get('cache-control')).toContain('s-maxage=1')
})

it('keeps the query of each visitor when it redirects many at once', async () => {
  const queries = ['?code=FRIENDS', '?utm_source=mail&x=%20', '']
  const answers = await Promise.all(queries.map((query) => fetch(`${url}/drop/moved${query}`, { redirect: 'manual' })))
  expect(answers.map(({ status, headers }) => [status, headers.get('location')])).toEqual(
    queries.map((query) => [308, `/drop/canonical${query}`]),
  )
})

it('answers an unchanged page without a body and with the current time', async () => {
  const first = await get('/drop/tagged')
  const again = await get('/drop/tagged', { 'if-none-match': first.headers.get('etag') ?? '' })
  expect(again).toMatchObject({ status: 304, text: '' })
  const times = [first, again].map(({ headers }) => Date.parse(headers.get('x-server-time') ?? ''))
  expect(times[1]).toBeGreaterThanOrEqual(times[0] ?? Number.NaN)
})

it('forgets a drop at once when it changes, under each of its identifiers', async () => {
  const drop = await makeDrop({ customSlug: `cache-${Date.now()}` })
  const paths = [drop.customSlug, drop.uniqueId, String(drop.id)].map((name) => `/api/drop/${name}`)
  for (const path of paths) await get(path)
  const other = await get('/api/drop/other')
  await db().drop.update({ where: { id: drop.id }, data: { held: 1 } })
  // The deadline is well before a second is over, when the drop would be forgotten anyhow.
  const deadline = performance.now() + 700
  rendered = []
  while (rendered.length < paths.length && performance.now() < deadline) {
    for (const path of paths) if (!rendered.includes(`GET ${path}`)) await get(path)
  }
  expect([...rendered].sort()).toEqual(paths.map((path) => `GET ${path}`).sort())
  expect((await get('/api/drop/other')).text).toBe(other.text)
})

it('forgets a deleted drop and the profile of its seller', async () => {
  const seller = await makeSeller()
  const paths = (drop: Drop) => [`/api/drop/${drop.uniqueId}`, `/profile/${seller.username}`]
  const changes: ((drop: Drop) => Promise<unknown>)[] = [
    ({ id }) => db().drop.update({ where: { id }, data: { endTime: new Date(Date.now() - 1_000) } }),
    ({ id }) => db().drop.delete({ where: { id } }),
  ]
  for (const change of changes) {
    const drop = await makeDrop({ userId: seller.id })
    for (const path of paths(drop)) await get(path)
    await change(drop)
    rendered = []
    // The deadline is well before a second is over, when both would be forgotten anyhow.
    const deadline = performance.now() + 700
    while (rendered.length < 2 && performance.now() < deadline) {
      for (const path of paths(drop)) if (!rendered.includes(`GET ${path}`)) await get(path)
    }
    expect([...rendered].sort()).toEqual(paths(drop).map((path) => `GET ${path}`))
  }
})

it('does not show a drop as live after its end', async () => {
  await get('/api/drop/ending')
  const until = Date.parse(endTime)
  while (Date.now() <= until) await get('/api/drop/ending')
  await get('/api/drop/ending')
  expect(rendered).toEqual(['GET /api/drop/ending', 'GET /api/drop/ending'])
})

it('renders without the headers of the first visitor', async () => {
  const first = await get('/drop/strange', { 'x-middleware-prefetch': '1', 'user-agent': 'Stranger' })
  expect(first.text).toBe('rendered 1')
  // A user agent is named, because without one Next would send the tags of <head> after <head>.
  expect(agents).toEqual(['lastcall'])
  expect((await get('/drop/strange')).text).toBe('rendered 1')
})

test.each([
  ['a part of a page', '/drop/part', { rsc: '1' }],
  ['another page', '/o/token', {}],
  ['the login of somebody logged in', '/login', { cookie: 'a=b; next-auth.session-token=x' }],
  ['the login with an address to return to', '/login?redirect=/create', {}],
  ['a page for somebody in the middle of a sign-up', '/forgot-password', { cookie: 'lastcall-signup=x' }],
  ['a page that sets a cookie', '/signup', {}],
  ['an unknown call', '/api/nowhere', {}],
  ['a file', '/sw.js', {}],
  ['a page in another spelling', '/LOGIN', {}],
  ['the start of somebody logged in', '/', { cookie: 'a=b; next-auth.session-token=x' }],
  ['the same over https', '/', { cookie: '__Secure-next-auth.session-token=x' }],
  ['the preview image', '/drop/x/opengraph-image', {}],
  ['what is not there', '/drop/missing', {}],
])('does not cache %s', async (_name, path, headers) => {
  await get(path, headers)
  await get(path, headers)
  expect(rendered).toHaveLength(2)
})

it('renders the landing page of visitors once, and lets no other cache keep it', async () => {
  const answers = await Promise.all([get('/'), get('/', { cookie: 'theme=dark' }), get('/')])
  expect(rendered).toEqual(['GET /'])
  for (const { headers } of answers) expect(headers.get('cache-control')).toBe('private, no-cache')
})

test.each(['/profile/mira', '/api/profile/public/mira'])('renders %s once for many requests', async (path) => {
  await Promise.all(Array.from({ length: 20 }, () => get(path)))
  expect(rendered).toEqual([`GET ${path}`])
})

it('renders a page once, however its address is spelled', async () => {
  const spellings = ['/profile/juno', '/profile/%6auno', '/profile/j%75no?x=1', '/profile/juno?utm_source=mail']
  const queries = Array.from({ length: 50 }, (_, at) => `/profile/juno?${at}=${'x'.repeat(at * 10)}`)
  await Promise.all([...spellings, ...queries].map((path) => get(path)))
  expect(rendered).toEqual(['GET /profile/juno'])
  await Promise.all(Array.from({ length: 20 }, (_, at) => get(`/?x=${at}`)))
  await Promise.all(Array.from({ length: 20 }, (_, at) => get(`/privacy-policy?x=${at}`)))
  // Each page is rendered at most once; the landing page of an earlier test may still be fresh.
  expect(rendered.filter((line) => line !== 'GET /profile/juno').length).toBeLessThanOrEqual(2)
})

it.each([
  ['/login', { cookie: 'lastcall-buyer=x; lastcall-device=y' }],
  ['/terms-of-service', { cookie: 'next-auth.session-token=x' }],
])('renders %s once for everybody, and lets no other cache keep it', async (path, headers: Record<string, string>) => {
  const answers = await Promise.all([get(path), get(path, headers), get(path)])
  expect(rendered).toEqual([`GET ${path}`])
  for (const answer of answers) expect(answer.headers.get('cache-control')).toBe('private, no-cache')
})

it('renders one page for all unknown addresses, whoever asks', async () => {
  const addresses = ['/nowhere', '/wp-login.php', '/a/b/c?d=e', '/%e2%82%ac', '/o', '/nowhere-else']
  const answers = await Promise.all(addresses.map((path) => get(path, { cookie: 'next-auth.session-token=x' })))
  expect(answers.map(({ status }) => status)).toEqual(addresses.map(() => 404))
  expect(rendered).toEqual([`GET ${UNKNOWN_PAGE}`])
})

it('keeps the page of a removed drop until the drop changes', async () => {
  const drop = await makeDrop({ customSlug: `removed-${Date.now()}` })
  const page = `/drop/${drop.customSlug}`
  expect((await get(page)).status).toBe(410)
  expect((await get(page)).text).toBe('rendered 1')
  await db().drop.update({ where: { id: drop.id }, data: { hiddenAt: new Date() } })
  const deadline = performance.now() + 700
  while (rendered.length < 2 && performance.now() < deadline) await get(page)
  expect(rendered).toHaveLength(2)
})

it('compresses with brotli where the client takes it, and as the client takes it', async () => {
  const raw = (encoding: string) =>
    new Promise<{ encoding: string | undefined; body: Buffer }>((resolve, reject) => {
      const headers = { 'accept-encoding': encoding }
      httpGet(`${url}/terms-of-service`, { headers, agent: false }, (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('end', () => resolve({ encoding: answer.headers['content-encoding'], body: Buffer.concat(chunks) }))
      }).on('error', reject)
    })
  const plain = await raw('identity')
  const best = await raw('gzip, deflate, br')
  expect(best.encoding).toBe('br')
  expect(brotliDecompressSync(best.body)).toEqual(plain.body)
  expect((await raw('gzip, br;q=0')).encoding).toBe('gzip')
  expect((await raw('br;q=0.5, gzip;q=0')).encoding).toBe('br')
  expect(plain.encoding).toBeUndefined()
})

it('answers a paused platform from memory to visitors only, and opens again at once', async () => {
  const pause = async (isActive: boolean) => {
    isPaused = !isActive
    await db().platformSettings.upsert({ where: { id: 1 }, create: { id: 1, isActive }, update: { isActive } })
  }
  expect((await get('/drop/paused')).status).toBe(200)
  await pause(false)
  try {
    // The deadline is well before a second is over, when the page would be rendered again anyhow.
    const deadline = performance.now() + 700
    while ((await get('/drop/paused')).status !== 503 && performance.now() < deadline);
    rendered = []
    const crowd = await Promise.all(Array.from({ length: 50 }, () => get('/drop/paused')))
    expect(new Set(crowd.map(({ status }) => status))).toEqual(new Set([503]))
    expect(rendered.length).toBeLessThanOrEqual(2)
    rendered = []
    await Promise.all([1, 2].map(() => get('/drop/paused', { cookie: 'next-auth.session-token=admin' })))
    expect(rendered).toHaveLength(2)
  } finally {
    await pause(true)
  }
  const deadline = performance.now() + 700
  while ((await get('/drop/paused')).status !== 200 && performance.now() < deadline);
  expect((await get('/drop/paused')).status).toBe(200)
})

it('passes on requests that write', async () => {
  await get('/drop/written')
  await fetch(`${url}/drop/written`, { method: 'POST' })
  expect(rendered).toEqual(['GET /drop/written', 'POST /drop/written'])
})

it('renders without the visitor’s cookies', async () => {
  const answer = await get('/drop/personal', { cookie: 'next-auth.session-token=secret' })
  expect(answer.text).not.toContain('secret')
  expect((await get('/drop/personal')).text).toBe(answer.text)
})
