// A client can begin a body and never finish it. These tests begin many of them.
import { connect, type Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { serverState } from '@/lib/kernel/server-state.mjs'
import { startWebServer } from '@/lib/server/start-web-server.mjs'
import { findFreePort } from '@/scripts/ports.mjs'

const PIECE = Buffer.alloc(64 * 1024, 'a')

let port = 0
let server: Awaited<ReturnType<typeof startWebServer>>
let received = 0
const open: Socket[] = []

beforeAll(async () => {
  port = await findFreePort()
  const handle: Parameters<typeof startWebServer>[0]['handle'] = (request, response) => {
    request.on('data', (chunk: Buffer) => (received += chunk.length)).on('end', () => response.end('ok'))
  }
  server = await startWebServer({ port, addresses: ['127.0.0.1'], handle })
})
beforeEach(() => {
  received = 0
  serverState().trustedProxyHops = 1
})
afterEach(() => {
  serverState().trustedProxyHops = 0
  for (const socket of open.splice(0)) socket.destroy()
})
afterAll(() => server.close())

async function until(isTrue: () => boolean): Promise<void> {
  const deadline = performance.now() + 10_000
  while (!isTrue()) {
    if (performance.now() > deadline) throw new Error('the condition did not become true within 10 s')
    await nextTurn()
  }
}

/** Sends all of a body but its last byte. */
function begin(address: string, path = '/api/checkout/create-session') {
  const socket = connect(port, '127.0.0.1')
  open.push(socket)
  const sent = { socket, text: '', isClosed: false }
  socket.on('error', () => {}).on('data', (chunk) => (sent.text += String(chunk)))
  socket.on('close', () => (sent.isClosed = true))
  const headers = ['Host: x', `X-Forwarded-For: ${address}`, `Content-Length: ${PIECE.length + 1}`]
  socket.write(`POST ${path} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`)
  socket.write(PIECE)
  return sent
}

async function beginMany(count: number, address: string, path?: string) {
  const bodies: ReturnType<typeof begin>[] = []
  for (let at = 0; at < count; at += 1) {
    const before = received
    bodies.push(begin(address, path))
    await until(() => received >= before + PIECE.length)
  }
  return bodies
}

it('refuses the oldest bodies of a network when they take too much memory, and no others', async () => {
  const [other] = await beginMany(1, '198.51.100.1')
  const bodies = await beginMany(400, '203.0.113.5')
  await until(() => bodies.slice(0, 16).every(({ isClosed }) => isClosed))
  expect(bodies[0]?.text).toContain('HTTP/1.1 408')
  expect(bodies.slice(17).some(({ isClosed }) => isClosed)).toBe(false)
  for (const sent of [other, bodies.at(-1)]) {
    sent?.socket.write('a')
    await until(() => sent?.text.includes('200 OK') === true)
  }
})

it('forgets bodies that are complete, and those of connections that end', async () => {
  for (let round = 0; round < 3; round += 1) {
    const bodies = await beginMany(200, '203.0.113.6')
    for (const [at, { socket }] of bodies.entries()) {
      if (at % 2 === 0) socket.write('a')
      else socket.destroy()
    }
    await until(() => bodies.every(({ text, isClosed }) => isClosed || text.includes('200 OK')))
    expect(bodies.filter(({ text }) => text.includes('408'))).toEqual([])
  }
})

it('does not count uploads, which are written to disk', async () => {
  const bodies = await beginMany(400, '203.0.113.7', '/api/drops')
  expect(bodies.some(({ isClosed }) => isClosed)).toBe(false)
})
