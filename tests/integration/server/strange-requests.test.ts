// These tests send requests that no browser sends, and some ordinary ones. Next alone would respond to the strange
// ones with 500, but nothing that a client sends may cause a 500 (docs/contract.md#errors).
import { connect } from 'node:net'
import { encode } from 'next-auth/jwt'
import { NextRequest, type NextResponse } from 'next/server'
import { startSession } from '@/lib/accounts/start-session'
import { refusalOfPost } from '@/lib/http/plain-forms/refusal-of-post'
import { closeDatabase } from '@/lib/infra/db'
import { env } from '@/lib/infra/env'
import { PERSONAL_CACHE_CONTROL, SHARED_CACHE_CONTROL } from '@/lib/kernel/response-headers.mjs'
import { SESSION_COOKIE } from '@/lib/kernel/session-cookie.mjs'
import { findFreePort } from '@/scripts/ports.mjs'
import { startWebServer } from '@/lib/server/start-web-server.mjs'
import { makeSeller, visitor } from '@/tests/support/factories'

let port = 0
let server: Awaited<ReturnType<typeof startWebServer>>
const passedOn: string[] = []
const routerStates: unknown[] = []
const ROUTER_STATE = encodeURIComponent('["",{"children":["__PAGE__",{}]},null,null,true]')

beforeAll(async () => {
  port = await findFreePort()
  server = await startWebServer({
    port,
    addresses: ['127.0.0.1'],
    handle: (request, response) => {
      passedOn.push(`${request.method} ${request.url}`)
      routerStates.push(request.headers['next-router-state-tree'])
      response.statusCode = Number(new URL(`http://x${request.url}`).searchParams.get('status') ?? 200)
      response.setHeader('Cache-Control', SHARED_CACHE_CONTROL)
      response.end(response.statusCode === 304 ? undefined : 'ok')
    },
  })
})

afterAll(async () => {
  await server.close()
  await closeDatabase()
})

/** Sends a request and returns the status line of the response, or its headers too. */
function ask(head: string, { withHeaders = false } = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = ''
    const socket = connect(port, '127.0.0.1')
    socket.on('data', (chunk) => (answer += chunk.toString('latin1')))
    socket.on('error', reject)
    socket.on('close', () => resolve(answer.split(withHeaders ? '\r\n\r\n' : '\r\n')[0] ?? ''))
    socket.write(`${head}\r\nHost: x\r\nConnection: close\r\n\r\n`)
  })
}

test.each([
  ['OPTIONS * HTTP/1.1', '204'],
  ['GET * HTTP/1.1', '400'],
  ['GET http://elsewhere.example/ HTTP/1.1', '400'],
  ['POST /x.png HTTP/1.1\r\nNext-Action: 1\r\nContent-Length: 0', '405'],
  ['POST /media/drops/a.webp HTTP/1.1\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 0', '405'],
  ['POST /_next/static/x HTTP/1.1\r\nNext-Action: 1\r\nContent-Length: 0', '405'],
  ['DELETE /drop/x HTTP/1.1', '405'],
  ['PUT / HTTP/1.1\r\nContent-Length: 0', '405'],
  ['PATCH /orders HTTP/1.1\r\nNext-Action: 1\r\nContent-Length: 0', '405'],
  ['OPTIONS /login HTTP/1.1', '405'],
  ['DELETE /api/drops/1 HTTP/1.1', '200'],
  ['GET /x.png HTTP/1.1', '200'],
  ['POST /drop/x.png/buy HTTP/1.1\r\nContent-Length: 0', '200'],
])('%s gets %s', async (head, status) => {
  expect(await ask(head)).toContain(` ${status} `)
})

it('passes to Next only the requests that the server does not handle itself', () => {
  expect(passedOn).toEqual(['DELETE /api/drops/1', 'GET /x.png', 'POST /drop/x.png/buy'])
})

test.each([
  ['GET', '/_next/../drop/x', '/not-found'],
  ['GET', '/media/%2E%2e/orders?a=1', '/not-found'],
  ['GET', '/drop/x/.', '/not-found'],
  ['GET', '/icons/..\\login', '/not-found'],
  ['GET', '/media/..#1', '/not-found'],
  ['GET', '/drop/x?a#b', '/not-found'],
  ['POST', '/api/drops/../../login', '/api/not-found'],
  ['GET', '/media/..x/.well-known/a..b?c=/../d', '/media/..x/.well-known/a..b?c=/../d'],
])('passes %s %s to Next as %s, so that no path is resolved behind the limits', async (method, path, passed) => {
  passedOn.length = 0
  await ask(`${method} ${path} HTTP/1.1\r\nContent-Length: 0`)
  expect(passedOn).toEqual([`${method} ${passed}`])
})

test.each([
  ['refuses an action with 1,001 arguments', JSON.stringify(Array.from({ length: 1_001 }, () => 1)), 400],
  [
    'refuses an argument with a list of 1,001 entries',
    JSON.stringify([{ list: Array.from({ length: 1_001 }, () => 1) }]),
    400,
  ],
  ['accepts an action as our pages send it', JSON.stringify([{ code: '123456' }]), null],
])('%s', async (_what, body, status) => {
  const headers = { 'next-action': 'x', 'content-type': 'text/plain;charset=UTF-8' }
  const request = new NextRequest('http://localhost:3000/account', { method: 'POST', headers, body })
  expect((await refusalOfPost(request))?.status ?? null).toBe(status)
})

describe('a server action with many values or a large body', () => {
  const LARGE = 'x'.repeat(100_000)
  function post(path: string, body: string, cookie = '') {
    const headers = { 'next-action': 'x', 'content-length': String(body.length), cookie }
    return refusalOfPost(new NextRequest(`http://localhost:3000${path}`, { method: 'POST', headers, body }))
  }
  const codeOf = async (refusal: NextResponse | null) => refusal && ((await refusal.json()) as { code: string }).code

  it('is refused before its values are parsed', async () => {
    const parse = jest.spyOn(JSON, 'parse')
    const nested = `[${'[[],[]],'.repeat(5_000)}1]`
    const refusal = await post('/account', nested)
    const parsed = parse.mock.calls.map(([text]) => text)
    parse.mockRestore()
    expect(parsed).not.toContain(nested)
    expect(await codeOf(refusal)).toBe('MALFORMED_BODY')
    // Signs inside a text are not values.
    expect(await post('/account', JSON.stringify([{ text: '[],{}"\\\\'.repeat(1_000) }]))).toBeNull()
  })

  it('is read only for the import of tracking numbers, and only for a user who is signed in', async () => {
    const body = JSON.stringify([{ csv: LARGE }])
    expect(await codeOf(await post('/account', body))).toBe('BODY_TOO_LARGE')
    expect(await codeOf(await post('/orders/import', body))).toBe('NOT_SIGNED_IN')
    const madeUp = `${SESSION_COOKIE}=made-up`
    expect(await codeOf(await post('/orders/import', body, madeUp))).toBe('NOT_SIGNED_IN')
    const { id } = await makeSeller()
    const sid = await startSession(visitor(), { userId: id, userAgent: 'a browser' })
    const token = await encode({ token: { sid }, secret: env().authSecret, maxAge: 60 })
    const cookie = `${SESSION_COOKIE}=${token}`
    expect(await post('/orders/import', body, cookie)).toBeNull()
    expect(await codeOf(await post('/account', body, cookie))).toBe('BODY_TOO_LARGE')
  })
})

it('removes a router state that Next cannot read, and passes a readable one on', async () => {
  routerStates.length = 0
  for (const state of ['%00', '%', 'x', '%22text%22', ROUTER_STATE]) {
    await ask(`GET /orders/1 HTTP/1.1\r\nRSC: 1\r\nNext-Router-State-Tree: ${state}`)
  }
  expect(routerStates).toEqual([undefined, undefined, undefined, undefined, ROUTER_STATE])
})

test.each([
  ['a whole page', '/drop/x', '', SHARED_CACHE_CONTROL],
  ['an unchanged page', '/drop/x?status=304', '', SHARED_CACHE_CONTROL],
  ['a redirect', '/drop/x?status=307', '', PERSONAL_CACHE_CONTROL],
  ['a missing page', '/drop/x?status=404', '', PERSONAL_CACHE_CONTROL],
  ['a part of a page', '/drop/x', '\r\nRSC: 1', PERSONAL_CACHE_CONTROL],
  ['the changed parts', '/drop/x', `\r\nNext-Router-State-Tree: ${ROUTER_STATE}`, PERSONAL_CACHE_CONTROL],
  ['a redirect of Next’s router', '/drop/x?status=307', '\r\nRSC: 1', PERSONAL_CACHE_CONTROL],
])('of what a page answers, shared caches may keep only whole pages: %s', async (_what, path, headers, expected) => {
  const head = await ask(`GET ${path} HTTP/1.1${headers}`, { withHeaders: true })
  expect(/^cache-control: (.*)$/im.exec(head)?.[1]).toBe(expected)
})
