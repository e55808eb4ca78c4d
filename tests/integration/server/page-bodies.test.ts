// Next copies the body of a request for a page into memory before any code of the application runs. These tests send
// bodies that are larger or slower than a page ever needs, and many large ones at the same time.
import { connect, type Socket } from 'node:net'
import { serverState } from '@/lib/kernel/server-state.mjs'
import { findFreePort } from '@/scripts/ports.mjs'
import { startWebServer } from '@/lib/server/start-web-server.mjs'

const ACTION = 'Next-Action: 1'
const COOKIE = 'Cookie: next-auth.session-token=made-up'
const KIB = 1024
const SEVEN_MIB = 7 * KIB * KIB

let port = 0
let server: Awaited<ReturnType<typeof startWebServer>>
let passedOn = 0
const open: Socket[] = []

beforeAll(async () => {
  port = await findFreePort()
  server = await startWebServer({
    port,
    addresses: ['127.0.0.1'],
    handle: (request, response) => {
      passedOn += 1
      request.resume().on('end', () => response.end('ok'))
    },
  })
})
beforeEach(() => {
  passedOn = 0
})
afterEach(() => {
  jest.useRealTimers()
  serverState().trustedProxyHops = 0
  for (const socket of open.splice(0)) socket.destroy()
})
afterAll(() => server.close())

/** Sends a request and returns its socket, and the first line of the response. */
function send(path: string, headers: string[], body: string | Buffer = '') {
  const socket = connect(port, '127.0.0.1')
  open.push(socket)
  socket.on('error', () => {})
  const answered = new Promise<string>((resolve) => {
    socket.once('data', (chunk) => resolve(chunk.toString('latin1').split('\r\n')[0] ?? ''))
    socket.once('close', () => resolve('closed'))
  })
  socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\n${headers.join('\r\n')}\r\n\r\n`)
  socket.write(body)
  return { socket, answered }
}

const lengthOf = (bytes: number) => `Content-Length: ${bytes}`

/** Sends the headers of a large action and none of its body. */
async function openLarge(headers: string[] = []) {
  const before = passedOn
  const sent = send('/orders/import', [ACTION, COOKIE, lengthOf(SEVEN_MIB), ...headers])
  let refused: string | undefined
  void sent.answered.then((line) => (refused = line))
  while (refused === undefined && passedOn === before) await new Promise((resolve) => setImmediate(resolve))
  return { ...sent, outcome: refused ?? 'passed on' }
}

test.each([
  ['/login', [], 64 * KIB, 200],
  ['/login', [], 64 * KIB + 1, 413],
  ['/drop/x/buy', [COOKIE], 64 * KIB + 1, 413],
  ['/orders/import', [ACTION, COOKIE], 64 * KIB + 1, 200],
  ['/orders/import?from=orders', [ACTION, 'Cookie: a=1; __Secure-next-auth.session-token=x'], 64 * KIB + 1, 200],
  ['/orders/import', [ACTION, COOKIE], SEVEN_MIB, 200],
  ['/orders/import', [ACTION, COOKIE], SEVEN_MIB + 1, 413],
  ['/orders/import', [ACTION], 64 * KIB + 1, 413],
  ['/orders/import', [ACTION, 'Cookie: session=made-up'], 64 * KIB + 1, 413],
  ['/orders/import', [COOKIE], 64 * KIB + 1, 405],
  ['/account', [ACTION, COOKIE], 64 * KIB, 200],
  ['/account', [ACTION, COOKIE], 64 * KIB + 1, 413],
  ['/', [ACTION], 64 * KIB + 1, 413],
  ['/api/admin/users', [], 64 * KIB + 1, 413],
  ['/api/uploads/photo', [], 64 * KIB + 1, 200],
])('answers a POST to %s with %j and %d bytes with %d', async (path, headers, bytes, status) => {
  const { answered } = send(path, [...headers, lengthOf(bytes)], Buffer.alloc(bytes, 'a'))
  expect(await answered).toContain(` ${status} `)
  expect(passedOn).toBe(status === 200 ? 1 : 0)
})

it('ends a chunked body as soon as it is larger than a form may be', async () => {
  const chunk = (bytes: number) => `${bytes.toString(16)}\r\n${'a'.repeat(bytes)}\r\n`
  const small = send('/login', ['Transfer-Encoding: chunked'], `${chunk(60 * KIB)}0\r\n\r\n`)
  expect(await small.answered).toContain(' 200 ')
  const large = send('/', [ACTION, 'Transfer-Encoding: chunked'], chunk(60 * KIB) + chunk(5 * KIB))
  expect(await large.answered).toContain(' 413 ')
})

it('reads eight large bodies at the same time, and refuses the ninth until one has ended', async () => {
  const sent = []
  for (let count = 0; count < 8; count += 1) sent.push(await openLarge())
  expect(sent.map(({ outcome }) => outcome)).toEqual(Array.from({ length: 8 }, () => 'passed on'))
  expect((await openLarge()).outcome).toContain(' 503 ')
  sent[0]?.socket.write(Buffer.alloc(SEVEN_MIB, 'a'))
  expect(await sent[0]?.answered).toContain(' 200 ')
  expect((await openLarge()).outcome).toBe('passed on')
})

it('gives one network two of the places for large bodies', async () => {
  serverState().trustedProxyHops = 1
  const from = (address: string) => openLarge([`X-Forwarded-For: ${address}`])
  expect((await from('2001:db8:1:1::1')).outcome).toBe('passed on')
  expect((await from('2001:db8:1:2::1')).outcome).toBe('passed on')
  expect((await from('2001:db8:1:3::1')).outcome).toContain(' 503 ')
  expect((await from('2001:db8:2:1::1')).outcome).toBe('passed on')
})

test.each([
  ['a form', '/login', [lengthOf(KIB)], 30_000],
  ['a large action', '/orders/import', [ACTION, COOKIE, lengthOf(SEVEN_MIB)], 120_000],
])('ends %s that does not arrive in time', async (_what, path, headers, ms) => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] })
  const { answered } = send(path, headers, 'a')
  while (passedOn === 0) await new Promise((resolve) => setImmediate(resolve))
  jest.advanceTimersByTime(ms - 1)
  expect(await Promise.race([answered, new Promise((resolve) => setImmediate(() => resolve('waiting')))])).toBe(
    'waiting',
  )
  jest.advanceTimersByTime(1)
  expect(await answered).toContain(' 408 ')
})
