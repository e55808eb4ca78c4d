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
import { until } from '@/tests/support/until'
import { statusOfPath } from './status-of-path'

// These tests check the shared cache with a stand-in for Next that records the requests it gets.
let rendered: string[] = []
let agents: (string | undefined)[] = []
let cache: Awaited<ReturnType<typeof startSharedCache>>
let server: ReturnType<typeof createServer>
let url: string
/** Answers are fresh for so long that only a change can end their freshness during a test. */
const FRESH_MS = 300_000
/** How long a test waits for a change to end the freshness of an answer. */
const CHANGE_MS = 60_000

/** The end of the drop /api/drop/ending: 0.2 seconds after its first rendering. */
let endTime = ''
const ending = () => JSON.stringify({ endTime: (endTime ||= new Date(Date.now() + 200).toISOString()) })

let isPaused = false
let commonPage: ReturnType<typeof findCommonPage>
const databaseUrl = process.env.DIRECT_DATABASE_URL ?? process.env.DATABASE_URL ?? ''

const CROWD = 100
/** Every rendering waits for this promise if it is set. */
let gate: Promise<void> | undefined

/** Makes every rendering wait. Returns the function that ends the wait. */
function holdRenderings(): () => void {
  let end: () => void = () => {}
  gate = new Promise((resolve) => (end = resolve))
  return end
}

async function render(request: IncomingMessage, response: ServerResponse) {
  rendered.push(`${request.method} ${request.url}`)
  const status = statusOfPath(request.url ?? '', isPaused)
  const isEnding = request.url === '/api/drop/ending'
  const headers = {
    'content-type': isEnding ? 'application/json' : 'text/plain',
    'x-server-time': new Date().toISOString(),
    'content-security-policy': "default-src 'self'",
  }
  agents.push(request.headers['user-agent'])
  if (status === 308) response.setHeader('location', '/drop/canonical')
  await gate
  const text = isEnding ? ending() : `rendered ${rendered.length}`
  if (request.url === '/signup') response.setHeader('set-cookie', 'draft=1')
  response.writeHead(status, headers).end(request.headers['x-middleware-prefetch'] ? '{}' : text)
}

/** Starts a server with the cache in front of the stand-in. */
async function serve(one: { handle: typeof cache.handle }) {
  // On a slow machine a test takes longer than Node keeps an unused connection, and the next request on it would fail.
  const started = createServer({ keepAliveTimeout: 0 }, (...sent) => void one.handle(...sent)).listen(0, '127.0.0.1')
  await new Promise((resolve) => started.once('listening', resolve))
  return { server: started, url: `http://127.0.0.1:${(started.address() as AddressInfo).port}` }
}

beforeAll(async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'lastcall-routes-'))
  const routes = {
    '/(auth)/login/page': '/login',
    '/(buyer)/o/[token]/page': '/o/[token]',
    '/(buyer)/checkout/[dropId]/page': '/checkout/[dropId]',
    '/preview/route': '/drop/[identifier]/opengraph-image',
  }
  writeFileSync(path.join(folder, 'app-path-routes-manifest.json'), JSON.stringify(routes))
  commonPage = findCommonPage(folder, path.resolve('public'))
  cache = await startSharedCache({ handle: render, databaseUrl, commonPage, freshMs: FRESH_MS })
  ;({ server, url } = await serve(cache))
})

beforeEach(() => {
  gate = undefined
  rendered = []
  agents = []
})

afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await cache.close()
  await closeDatabase()
})

/** Runs `work` with the URL of a cache whose answers are fresh for a second, as in use. */
async function withBriefAnswers(work: (briefUrl: string) => Promise<void>): Promise<void> {
  const brief = await startSharedCache({ handle: render, databaseUrl, commonPage })
  const served = await serve(brief)
  try {
    await work(served.url)
  } finally {
    served.server.closeAllConnections()
    served.server.close()
    await brief.close()
  }
}

const get = async (path: string, headers: Record<string, string> = {}) => {
  const answer = await fetch(url + path, { headers })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

it('renders once for 100 simultaneous requests', async () => {
  // The rendering ends only after all requests have arrived, however slow the machine is.
  const allArrived = holdRenderings()
  let arrived = 0
  server.on('request', () => (arrived += 1) === CROWD && allArrived())
  const answers = await Promise.all(Array.from({ length: CROWD }, () => get('/drop/crowd')))
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  expect(rendered).toEqual(['GET /drop/crowd'])
  expect(answers[0]?.headers.get('cache-control')).toContain('s-maxage=1')
})

it('keeps the query of each visitor when it redirects many at the same time', async () => {
  const queries = ['?code=FRIENDS', '?utm_source=mail&x=%20', '']
  const answers = await Promise.all(queries.map((query) => fetch(`${url}/drop/moved${query}`, { redirect: 'manual' })))
  expect(answers.map(({ status, headers }) => [status, headers.get('location')])).toEqual(
    queries.map((query) => [308, `/drop/canonical${query}`]),
  )
})

it('responds to an unchanged page without a body, but with its policy and the current time', async () => {
  const first = await get('/drop/tagged')
  const again = await get('/drop/tagged', { 'if-none-match': first.headers.get('etag') ?? '' })
  expect(again).toMatchObject({ status: 304, text: '' })
  const policies = [first, again].map(({ headers }) => headers.get('content-security-policy'))
  expect(policies).toEqual(["default-src 'self'", "default-src 'self'"])
  const times = [first, again].map(({ headers }) => Date.parse(headers.get('x-server-time') ?? ''))
  expect(times[1]).toBeGreaterThanOrEqual(times[0] ?? Number.NaN)
})

it('removes a changed drop right away, under each of its identifiers', async () => {
  const drop = await makeDrop({ customSlug: `cache-${Date.now()}` })
  const paths = [drop.customSlug, drop.uniqueId, String(drop.id)].map((name) => `/api/drop/${name}`)
  for (const path of paths) await get(path)
  const other = await get('/api/drop/other')
  await db().drop.update({ where: { id: drop.id }, data: { held: 1 } })
  const deadline = performance.now() + CHANGE_MS
  rendered = []
  while (rendered.length < paths.length && performance.now() < deadline) {
    for (const path of paths) if (!rendered.includes(`GET ${path}`)) await get(path)
  }
  expect([...rendered].sort()).toEqual(paths.map((path) => `GET ${path}`).sort())
  expect((await get('/api/drop/other')).text).toBe(other.text)
})

it('removes an ended or deleted drop and the profile of its seller', async () => {
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
    const deadline = performance.now() + CHANGE_MS
    while (rendered.length < 2 && performance.now() < deadline) {
      for (const path of paths(drop)) if (!rendered.includes(`GET ${path}`)) await get(path)
    }
    expect([...rendered].sort()).toEqual(paths(drop).map((path) => `GET ${path}`))
  }
})

it('does not show a drop as live after its end', async () => {
  await get('/api/drop/ending')
  while (Date.now() <= Date.parse(endTime)) await get('/api/drop/ending')
  const { headers } = await get('/api/drop/ending')
  expect(Date.parse(headers.get('x-server-time') ?? '')).toBeGreaterThanOrEqual(Date.parse(endTime))
  expect([2, 3]).toContain(rendered.length) // A busy machine may also render an answer shortly before the end.
})

it('renders without the headers of the first visitor', async () => {
  const first = await get('/drop/strange', { 'x-middleware-prefetch': '1', 'user-agent': 'Stranger' })
  expect(first.text).toBe('rendered 1')
  // The cache sends its own user agent, because Next would otherwise send the tags of <head> after <head>.
  expect(agents).toEqual(['lastcall'])
  expect((await get('/drop/strange')).text).toBe('rendered 1')
})

const TOKEN = 'x'.repeat(43)

test.each([
  ['a part of a page', '/drop/part', { rsc: '1' }],
  ['a page with a follower’s link', `/drop/early?early=${TOKEN}`, {}],
  ['a page outside the cache', '/o/token', {}],
  ['the login page for a logged-in user', '/login', { cookie: 'a=b; next-auth.session-token=x' }],
  ['the login page with a URL to return to', '/login?redirect=/create', {}],
  ['a page for a visitor in the middle of a sign-up', '/forgot-password', { cookie: 'lastcall-signup=x' }],
  ['a page that sets a cookie', '/signup', {}],
  ['an unknown call', '/api/nowhere', {}],
  ['a file', '/sw.js', {}],
  ['a path in upper case', '/LOGIN', {}],
  ['the landing page for a logged-in user', '/', { cookie: 'a=b; next-auth.session-token=x' }],
  ['the landing page for a logged-in user over https', '/', { cookie: '__Secure-next-auth.session-token=x' }],
  ['a preview image', '/drop/x/opengraph-image', {}],
  ['a missing page', '/drop/missing', {}],
])('does not cache %s', async (_name, path, headers) => {
  await get(path, headers)
  await get(path, headers)
  expect(rendered).toHaveLength(2)
})

it('renders the landing page for visitors once, and lets no other shared cache store it', async () => {
  const answers = await Promise.all([get('/'), get('/', { cookie: 'theme=dark' }), get('/')])
  expect(rendered).toEqual(['GET /'])
  for (const { headers } of answers) expect(headers.get('cache-control')).toBe('private, no-cache')
})

test.each(['/profile/mira', '/api/profile/public/mira'])('renders %s once for many requests', async (path) => {
  await Promise.all(Array.from({ length: 20 }, () => get(path)))
  expect(rendered).toEqual([`GET ${path}`])
})

it('renders a page once, even if its URL has escaped letters or a query', async () => {
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
])(
  'renders %s once for everyone, and lets no other shared cache store it',
  async (path, headers: Record<string, string>) => {
    const answers = await Promise.all([get(path), get(path, headers), get(path)])
    expect(rendered).toEqual([`GET ${path}`])
    for (const answer of answers) expect(answer.headers.get('cache-control')).toBe('private, no-cache')
  },
)

it('returns the stale page while a page that shows no data is rendered again', () =>
  withBriefAnswers(async (briefUrl) => {
    const read = async () => (await fetch(`${briefUrl}/find-order`)).text()
    await read()
    const endRendering = holdRenderings()
    // The second rendering begins when the first response is a second old, and cannot end during this loop.
    while (rendered.length < 2) expect(await read()).toBe('rendered 1')
    expect(await read()).toBe('rendered 1')
    endRendering()
    const deadline = performance.now() + CHANGE_MS
    let text = 'rendered 1'
    while (text === 'rendered 1' && performance.now() < deadline) text = await read()
    expect(text).toBe('rendered 2')
  }))

it('renders one page for all unknown URLs, even for logged-in users', async () => {
  const addresses = ['/nowhere', '/wp-login.php', '/a/b/c?d=e', '/%e2%82%ac', '/o', '/_next/x', '/icons/x.png']
  const answers = await Promise.all(addresses.map((path) => get(path, { cookie: 'next-auth.session-token=x' })))
  expect(answers.map(({ status }) => status)).toEqual(addresses.map(() => 404))
  expect(rendered).toEqual([`GET ${UNKNOWN_PAGE}`])
})

it('caches the page of a removed drop until the drop changes', async () => {
  const drop = await makeDrop({ customSlug: `removed-${Date.now()}` })
  const page = `/drop/${drop.customSlug}`
  expect((await get(page)).status).toBe(410)
  expect((await get(page)).text).toBe('rendered 1')
  await db().drop.update({ where: { id: drop.id }, data: { hiddenAt: new Date() } })
  const deadline = performance.now() + CHANGE_MS
  while (rendered.length < 2 && performance.now() < deadline) await get(page)
  expect(rendered).toHaveLength(2)
})

it('compresses with brotli when the client accepts it, and otherwise with gzip', async () => {
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
  expect((await raw('gzip;q=0')).encoding).toBeUndefined()
  expect((await raw('gzip;q=0, br;q=0')).body).toEqual(plain.body)
  expect(plain.encoding).toBeUndefined()
})

it('serves visitors of a paused platform from memory, and opens again right away', async () => {
  const pause = async (isActive: boolean) => {
    isPaused = !isActive
    await db().platformSettings.upsert({ where: { id: 1 }, create: { id: 1, isActive }, update: { isActive } })
  }
  expect((await get('/drop/paused')).status).toBe(200)
  await pause(false)
  try {
    const deadline = performance.now() + CHANGE_MS
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
  const deadline = performance.now() + CHANGE_MS
  while ((await get('/drop/paused')).status !== 200 && performance.now() < deadline);
  expect((await get('/drop/paused')).status).toBe(200)
})

test.each<[string, string, (at: number) => [path: string, init?: RequestInit]]>([
  ['an invalid early link', '/drop/junk', (at) => [`/drop/junk?early=${at}`]],
  ['a range', '/drop/ranged', (at) => ['/drop/ranged', { headers: { range: `bytes=${at}-` } }]],
  ['HEAD', '/drop/headed', () => ['/drop/headed', { method: 'HEAD' }]],
  ['a header of server actions', '/drop/acted', (at) => ['/drop/acted', { headers: { 'next-action': `${at}` } }]],
  ['a header of the router on a call', '/api/drop/routed', () => ['/api/drop/routed', { headers: { rsc: '1' } }]],
  ['the case of letters', '/api/drop/spelling', (at) => [`/api/drop/${spelled('spelling', at)}`]],
  ['the case of letters', '/api/profile/public/spelling', (at) => [`/api/profile/public/${spelled('spelling', at)}`]],
])('a request cannot bypass the cache with %s: %s', async (_name, path, variant) => {
  const first = await get(path)
  const answers = await Promise.all(
    Array.from({ length: 20 }, async (_, at) => {
      const [variantPath, init] = variant(at)
      const answer = await fetch(url + variantPath, init)
      return { status: answer.status, tag: answer.headers.get('etag'), length: (await answer.text()).length }
    }),
  )
  expect(rendered).toEqual([`GET ${path}`])
  const isHead = variant(0)[1]?.method === 'HEAD'
  const same = { status: 200, tag: first.headers.get('etag'), length: isHead ? 0 : first.text.length }
  expect(answers).toEqual(answers.map(() => same))
})

/** Writes a letter in upper case if the bit at its position is set. */
function spelled(name: string, bits: number): string {
  return [...name].map((letter, at) => (bits & (1 << at) ? letter.toUpperCase() : letter)).join('')
}

it('renders four responses for single visitors at a time, refuses what exceeds the queue, and still renders shared pages', async () => {
  const endRendering = holdRenderings()
  const flood = Array.from({ length: 80 }, (_, at) => get(`/drop/flooded?${at}`, { rsc: '1' }))
  // 4 are rendered and 60 wait, so 16 are refused.
  const refused: string[] = []
  await new Promise<void>((resolve) => {
    for (const each of flood) {
      void each.then(({ status, headers }) => {
        refused.push(`${status} ${headers.get('retry-after')}`)
        if (refused.length === 16) resolve()
      })
    }
  })
  expect(new Set(refused)).toEqual(new Set(['503 3']))
  expect(rendered).toHaveLength(4)
  const page = get('/drop/unflooded')
  await until('rendering', () => Promise.resolve(rendered.length === 5 || undefined))
  endRendering()
  expect((await page).status).toBe(200)
  const statuses = (await Promise.all(flood)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(64)
})

const SIGNED_IN = { cookie: 'next-auth.session-token=x' }
test.each([
  ['parts of pages', { rsc: '1' }, (at: number) => `/drop/crammed?${at}`, { asked: 70, running: 3, refused: 52 }],
  ['unknown names', {}, (at: number) => `/drop/invented-${at}`, { asked: 70, running: 6, refused: 14 }],
  ['live streams', {}, (at: number) => `/api/drop/removed-${at}/events`, { asked: 70, running: 6, refused: 14 }],
  ['personal pages', {}, (at: number) => `/o/order-${at}`, { asked: 630, running: 16, refused: 14 }],
  ['dashboards', SIGNED_IN, (at: number) => `/?${at}`, { asked: 630, running: 16, refused: 14 }],
  ['payment pages', {}, (at: number) => `/checkout/${at}`, { asked: 630, running: 16, refused: 14 }],
])('leaves places for other networks when one network asks for many %s', async (_what, sent, pathAt, most) => {
  const endRendering = holdRenderings()
  const from = (address: string, wanted: string) => get(wanted, { ...sent, 'x-forwarded-for': address })
  // One customer has up to 65,536 IPv6 networks.
  const flood = Array.from({ length: most.asked }, (_, at) => from(`2001:db8:1:${at + 1}::1`, pathAt(at)))
  let refused = 0
  for (const each of flood) void each.then(({ status }) => (refused += status === 503 ? 1 : 0))
  await until('refusals', () => Promise.resolve(refused === most.refused || undefined))
  expect(rendered).toHaveLength(most.running)
  const path = pathAt(most.asked).replace('/events', '')
  const other = from('2001:db8:2:3::1', path)
  await until('rendering', () => Promise.resolve(rendered.includes(`GET ${path}`) || undefined))
  endRendering()
  expect((await other).status).not.toBe(503)
  expect((await Promise.all(flood)).filter(({ status }) => status !== 503)).toHaveLength(most.asked - most.refused)
})

it('leaves room for a page that was shown before when someone asks for any number of unknown names', () =>
  withBriefAnswers(async (briefUrl) => {
    const ask = async (path: string) => {
      const answer = await fetch(briefUrl + path)
      await answer.arrayBuffer()
      return answer
    }
    await ask('/drop/known')
    const endRendering = holdRenderings()
    // 8 of them are rendered and 200 wait, so 12 are refused.
    const flood = Array.from({ length: 220 }, (_, at) => ask(`/drop/nobody-${at}`))
    let refused = 0
    for (const each of flood) void each.then(({ status }) => (refused += status === 503 ? 1 : 0))
    await until('refusals', () => Promise.resolve(refused === 12 || undefined))
    const waiting: Promise<{ status: number }>[] = []
    // The page is rendered again as soon as its answer is no longer fresh.
    await until('rendering', () => {
      waiting.push(ask('/drop/known'))
      return Promise.resolve(rendered.filter((one) => one === 'GET /drop/known').length === 2 || undefined)
    })
    endRendering()
    for (const { status } of await Promise.all(waiting)) expect(status).toBe(200)
    await Promise.all(flood)
  }))

it('frees the place of a visitor who leaves', async () => {
  const endRendering = holdRenderings()
  const leaving = new AbortController()
  const gone = Array.from({ length: 4 }, (_, at) =>
    fetch(`${url}/drop/left?early=${TOKEN}&${at}`, { signal: leaving.signal }).catch(() => null),
  )
  await until('rendering', () => Promise.resolve(rendered.length === 4 || undefined))
  leaving.abort()
  await Promise.all(gone)
  void get('/drop/stays', { rsc: '1' })
  await until('rendering', () => Promise.resolve(rendered.includes('GET /drop/stays') || undefined))
  endRendering()
})

it('leaves a POST to Next', async () => {
  await get('/drop/written')
  await fetch(`${url}/drop/written`, { method: 'POST' })
  expect(rendered).toEqual(['GET /drop/written', 'POST /drop/written'])
})

it('renders without the visitor’s cookies', async () => {
  const answer = await get('/drop/personal', { cookie: 'next-auth.session-token=secret' })
  expect(answer.text).not.toContain('secret')
  expect((await get('/drop/personal')).text).toBe(answer.text)
})
