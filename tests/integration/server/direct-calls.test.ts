import { createServer, request as httpRequest } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { registerDirectCall } from '@/lib/http/register-direct-call'
import { answerDirectly } from '@/lib/server/answer-directly.mjs'
import { type App, startApp } from '@/tests/support/start-app.mjs'

// Our server handles the calls of a purchase itself, and leaves the same calls to Next if their URL has a query
// (ADR 0057). These tests compare both responses.

let app: App
let dropId = 0
let addresses = 0

beforeAll(async () => {
  app = await startApp({ env: { SEED_DEMO: '1', LOG_LEVEL: 'silent' } })
  const drop = (await (await fetch(`${app.url}/api/drop/low-sun`)).json()) as { id: number }
  dropId = drop.id
}, 300_000)
afterAll(() => app.stop())

type Sent = { headers?: Record<string, string>; body?: string }
type Got = {
  isDirect: boolean
  status: number
  headers: Record<string, unknown>
  cookies: string[]
  body: Record<string, unknown>
}

/** Headers that this test does not compare, because they belong to one connection or differ in each response. */
const NOT_COMPARED = [
  'date',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
  'x-request-id',
  'set-cookie',
  'vary',
]

function post(path: string, { headers = {}, body = '' }: Sent, url = app.url): Promise<Got> {
  const { hostname, port } = new URL(url)
  addresses += 1
  const sent = {
    'x-forwarded-for': `10.9.0.${addresses}`,
    ...headers,
    'content-length': String(Buffer.byteLength(body)),
  }
  return new Promise((resolve, reject) => {
    const request = httpRequest({ hostname, port, path, method: 'POST', headers: sent, agent: false }, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (part: string) => (text += part))
      answer.on('end', () => {
        const kept = Object.entries(answer.headers).filter(([name]) => !NOT_COMPARED.includes(name))
        resolve({
          // Next streams its responses, so they have no content-length.
          isDirect: answer.headers['content-length'] !== undefined,
          status: answer.statusCode ?? 0,
          headers: Object.fromEntries(kept),
          cookies: (answer.headers['set-cookie'] ?? []).map((cookie) =>
            cookie
              .replace(/=[^;]{43};/, '=token;')
              .replace(/Expires=[^;]+/, 'Expires=then')
              // The end of the hold, and the seconds until then. The two requests may be sent in different seconds. A
              // contested hold lasts ten minutes, and others up to 31.
              .replace(/(lastcall-checkout=\d+)\.\d+(.*Max-Age)=(?:599|600|1[78]\d\d)/, '$1.then$2=left'),
          ),
          body: JSON.parse(text) as Record<string, unknown>,
        })
      })
    })
    request.on('error', reject).end(body)
  })
}

/** Replaces the parts in which two responses to the same request may differ. */
const comparable = ({ body, ...got }: Got) => ({
  ...got,
  isDirect: true,
  body: {
    ...body,
    requestId: 'one',
    ...(body.url ? { url: 'an address' } : {}),
    ...(body.clientSecret ? { clientSecret: 'a secret' } : {}),
  },
})

const json = { 'content-type': 'application/json' }
const buying = () => JSON.stringify({ dropId, productType: 'physical' })

it.each<[string, string, () => Sent]>([
  ['a hold', '/api/checkout/create-session', () => ({ headers: json, body: buying() })],
  ['an embedded hold', '/api/create-payment-intent', () => ({ headers: json, body: JSON.stringify({ dropId }) })],
  ['a drop that does not exist', '/api/checkout/create-session', () => ({ headers: json, body: '{"dropId":999999}' })],
  ['an unknown field', '/api/checkout/create-session', () => ({ headers: json, body: '{"dropId":1,"x":1}' })],
  ['no JSON', '/api/checkout/create-session', () => ({ headers: json, body: '{' })],
  ['no body', '/api/checkout/create-session', () => ({ headers: json })],
  [
    'another content type',
    '/api/checkout/create-session',
    () => ({ headers: { 'content-type': 'text/plain' }, body: buying() }),
  ],
  [
    'another origin',
    '/api/checkout/create-session',
    () => ({ headers: { ...json, origin: 'https://evil.test' }, body: buying() }),
  ],
  ['a large body', '/api/checkout/create-session', () => ({ headers: json, body: ' '.repeat(70_000) })],
  [
    'an invalid session',
    '/api/checkout/create-session',
    () => ({ headers: { ...json, cookie: 'next-auth.session-token=x; a; =b; c=%E0' }, body: '{"dropId":999999}' }),
  ],
  ['an unsigned event', '/api/webhooks/stripe', () => ({ headers: json, body: '{}' })],
])('responds as Next does: %s', async (_name, path, sent) => {
  const times = ['x-hold-expires-at', 'x-server-time', 'retry-after']
  const without = (got: Got) => ({
    ...got,
    headers: Object.fromEntries(Object.entries(got.headers).filter(([name]) => !times.includes(name))),
  })
  const direct = await post(path, sent())
  const viaNext = await post(`${path}?via=next`, sent())
  expect([direct.isDirect, viaNext.isDirect]).toEqual([true, false])
  expect(without(comparable(direct))).toEqual(without(comparable(viaNext)))
  expect(Object.keys(direct.headers).sort()).toEqual(Object.keys(viaNext.headers).sort())
})

it('leaves the calls to Next in a serverless process, where the work after a response needs Next', async () => {
  const { databaseUrl, authSecret, cronSecret } = app
  const env = { SERVERLESS: '1', DATABASE_URL: databaseUrl, AUTH_SECRET: authSecret, CRON_SECRET: cronSecret }
  const serverless = await startApp({ env })
  try {
    const held = await post('/api/checkout/create-session', { headers: json, body: buying() }, serverless.url)
    expect(held).toMatchObject({ isDirect: false, status: 200, body: { url: expect.any(String) } })
    const unsigned = await post('/api/webhooks/stripe', { headers: json, body: '{}' }, serverless.url)
    expect(unsigned).toMatchObject({ isDirect: false, status: 400 })
  } finally {
    await serverless.stop()
  }
}, 300_000)

it('recognizes a returning buyer by the cookie, and sets no new one', async () => {
  const token = 'b'.repeat(43)
  const sent = { headers: { ...json, cookie: `lastcall-buyer=${token}` }, body: buying() }
  const first = await post('/api/checkout/create-session', sent)
  const again = await post('/api/checkout/create-session?via=next', sent)
  expect(first.status).toBe(200)
  expect(again.body.url).toBe(first.body.url)
  expect(first.cookies.join()).not.toContain('lastcall-buyer')
})

it('closes the connection of a client that leaves, and goes on answering', async () => {
  const { hostname, port } = new URL(app.url)
  const sent = `POST /api/checkout/create-session HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nX-Forwarded-For: 10.9.1.1\r\nContent-Length: 40\r\n\r\n{"drop`
  const leaving = connect(Number(port), hostname, () => leaving.end(sent))
  await new Promise((resolve) => leaving.once('close', resolve).resume())
  expect(await post('/api/checkout/create-session', { headers: json, body: '{"dropId":999999}' })).toMatchObject({
    isDirect: true,
    status: 404,
  })
})

it('hands a body that arrives slowly to the handler before its end', async () => {
  const body = '{"dropId":999999}'
  let begin = () => {}
  const hasBegun = new Promise<void>((resolve) => (begin = resolve))
  registerDirectCall('/slow', async (request) => {
    begin()
    return Response.json(await request.json())
  })
  const server = createServer(answerDirectly((_request, response) => void response.writeHead(500).end()))
  const { port } = await new Promise<AddressInfo>((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve(server.address() as AddressInfo)),
  )
  try {
    const slow = connect(port, '127.0.0.1')
    const head = `POST /slow HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n`
    slow.write(head + body.slice(0, 5))
    // A small body is first awaited, and given to the handler as a stream when it takes too long.
    await hasBegun
    slow.write(body.slice(5))
    let answer = ''
    for await (const part of slow.setEncoding('utf8')) answer += String(part)
    expect(answer).toMatch(/^HTTP\/1\.1 200 /)
    expect(answer).toContain(body)
  } finally {
    server.close()
  }
})
