// These tests send many calls and forms from one network to the server with the shared cache. A stand-in for Next
// records the requests it gets, and answers when a test says so.
import { once } from 'node:events'
import { createServer, type IncomingMessage, request as httpRequest, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { closeDatabase } from '@/lib/infra/db'
import { SHARED_CACHE_CONTROL } from '@/lib/kernel/response-headers.mjs'
import { findCommonPage } from '@/lib/server/find-common-page.mjs'
import { startSharedCache } from '@/lib/server/start-shared-cache.mjs'
import { until } from '@/tests/support/until'

const FLOODER = '2001:db8:1:1::1'
const OTHER = '2001:db8:2:1::1'

let handled: { line: string; response: ServerResponse }[] = []
let isHolding = false
let asked: Promise<Answer>[] = []
let cache: Awaited<ReturnType<typeof startSharedCache>>
let server: ReturnType<typeof createServer>

function handle(request: IncomingMessage, response: ServerResponse) {
  handled.push({ line: `${request.method} ${request.url}`, response })
  request.resume()
  response.setHeader('cache-control', SHARED_CACHE_CONTROL).setHeader('access-control-allow-origin', '*')
  if (!isHolding) response.end(`answer ${handled.length}`)
}

beforeAll(async () => {
  cache = await startSharedCache({
    handle,
    databaseUrl: process.env.DIRECT_DATABASE_URL ?? process.env.DATABASE_URL ?? '',
    commonPage: findCommonPage('no-such-folder', 'no-such-folder'),
  })
  server = createServer({ keepAliveTimeout: 0 }, (...sent) => void cache.handle(...sent)).listen(0, '127.0.0.1')
  await once(server, 'listening')
})
beforeEach(() => {
  handled = []
  isHolding = true
})
afterEach(async () => {
  isHolding = false
  for (const { response } of handled) response.end()
  await Promise.all(asked)
  asked = []
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await cache.close()
  await closeDatabase()
})

type Answer = { status: number; headers: IncomingMessage['headers']; text: string }

/** Sends a request on a connection of its own, as if it came from this address. */
function send(method: string, path: string, from: string, more: Record<string, string> = {}) {
  const { port } = server.address() as AddressInfo
  const answered = new Promise<Answer>((resolve, reject) => {
    const headers = { 'x-forwarded-for': from, ...more }
    const request = httpRequest({ host: '127.0.0.1', port, method, path, headers, agent: false }, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (part: string) => (text += part))
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }))
    })
    request.on('error', reject).end()
  })
  asked.push(answered)
  return answered
}

/** Sends many requests, and returns the answers of those that are refused as they come. */
function flood(count: number, sendOne: (at: number) => Promise<Answer>) {
  const refused: Answer[] = []
  const all = Array.from({ length: count }, (_, at) => sendOne(at))
  for (const one of all) void one.then((answer) => answer.status === 503 && refused.push(answer))
  return { all, refused }
}

const isHandled = (line: string) => handled.some((one) => one.line === line)

it('works on 64 calls of one network at a time, lets others wait, and refuses what exceeds that with JSON', async () => {
  const { all, refused } = flood(1_078, (at) => send('GET', `/api/auth/check-username/u${at}`, FLOODER))
  await until('refusals', () => Promise.resolve(refused.length === 14 || undefined))
  expect(handled).toHaveLength(64)
  for (const { headers, text } of refused) {
    expect(headers['retry-after']).toBe('3')
    expect(JSON.parse(text)).toMatchObject({ code: 'BUSY' })
  }
  void send('GET', '/api/auth/user', OTHER)
  await until('call of another network', () => Promise.resolve(isHandled('GET /api/auth/user') || undefined))
  isHolding = false
  for (const { response } of handled) response.end()
  expect((await Promise.all(all)).filter(({ status }) => status === 200)).toHaveLength(1_064)
})

test.each([
  ['an upload', 'POST', '/api/uploads/photo'],
  ['a drop with its photos', 'POST', '/api/drops'],
  ['a purchase by a plain form', 'POST', '/drop/mug/buy'],
  ['a tap on a wallet', 'POST', '/api/checkout/wallet'],
  ['an event of Stripe', 'POST', '/api/webhooks/stripe'],
  ['a file of an order', 'GET', '/o/token/file'],
])('%s does not wait for the calls of its network', async (_what, method, path) => {
  flood(65, (at) => send('POST', `/o/token-${at}/write`, FLOODER))
  await until('calls', () => Promise.resolve(handled.length === 64 || undefined))
  void send(method, path, FLOODER)
  await until('request', () => Promise.resolve(isHandled(`${method} ${path}`) || undefined))
  expect(handled).toHaveLength(65)
})

test.each([
  ['calls of server actions', 'POST', (at: number) => `/drop/mug?${at}`, { 'next-action': 'x' }],
  ['forms that are posted to their own page', 'POST', (at: number) => `/signup?${at}`, {}],
  ['writes to the administrators’ pages', 'DELETE', (at: number) => `/admin/users/${at}`, {}],
])('works on 16 %s of one network at a time', async (_what, method, pathAt, headers) => {
  flood(20, (at) => send(method, pathAt(at), FLOODER, headers))
  const last = `${method} ${pathAt(20)}`
  await until('posts', () => Promise.resolve(handled.length === 16 || undefined))
  void send(method, pathAt(20), OTHER, headers)
  await until('post of another network', () => Promise.resolve(isHandled(last) || undefined))
  expect(handled).toHaveLength(17)
  // A page does not wait for posts.
  void send('GET', '/orders', FLOODER)
  await until('page', () => Promise.resolve(isHandled('GET /orders') || undefined))
})

it('renders the description of the API once for everyone, even when the headers ask for parts of it', async () => {
  isHolding = false
  const cookie = 'next-auth.session-token=x; lastcall-signup=y'
  const variants: Record<string, string>[] = [{}, { cookie }, { rsc: '1' }, { 'next-router-state-tree': '[]' }]
  const answers = await Promise.all(variants.map((headers, at) => send('GET', `/api-docs?${at}`, OTHER, headers)))
  expect(handled.map(({ line }) => line)).toEqual(['GET /api-docs'])
  for (const { text, headers } of answers) {
    expect([text, headers['cache-control']]).toEqual(['answer 1', 'private, no-cache'])
  }
})

it('answers the document of the API from memory, for other sites and other caches too', async () => {
  isHolding = false
  const paths = ['/api/openapi.json', '/api/openapi.json?x=1', '/api/openapi.json?x=2']
  const answers = await Promise.all(paths.map((path) => send('GET', path, FLOODER, { rsc: '1' })))
  const etag = String(answers[0]?.headers.etag)
  const again = await send('GET', '/api/openapi.json', OTHER, { 'if-none-match': etag })
  expect(again.status).toBe(304)
  for (const { headers } of [...answers, again]) {
    expect(headers['cache-control']).toBe(SHARED_CACHE_CONTROL)
    expect(headers['access-control-allow-origin']).toBe('*')
  }
  expect(handled.map(({ line }) => line)).toEqual(['GET /api/openapi.json'])
})
