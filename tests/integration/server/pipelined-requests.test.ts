// A client may send further requests on a connection before the first one is answered (pipelining). These tests check
// that the server works on only one of them at a time.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { findFreePort } from '@/scripts/ports.mjs'
import { startWebServer } from '@/lib/server/start-web-server.mjs'

let port = 0
let server: Awaited<ReturnType<typeof startWebServer>>
let begun: string[] = []
let open: Record<string, ServerResponse> = {}
const sockets: Socket[] = []

beforeAll(async () => {
  port = await findFreePort()
  const answerAtOnce = (request: IncomingMessage, response: ServerResponse) => {
    if (request.url !== '/memory') return false
    begun.push('/memory')
    response.end('from memory')
    return true
  }
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    begun.push(request.url ?? '')
    open[request.url ?? ''] = response
    request.resume()
    if (request.url?.startsWith('/quick')) response.end(`answer to ${request.url}`)
  }
  server = await startWebServer({ port, addresses: ['127.0.0.1'], handle, answerAtOnce })
})
beforeEach(() => {
  begun = []
  open = {}
})
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})
afterAll(() => server.close())

/** Sends requests on one connection, all at once. */
function sendAll(paths: string[]) {
  const socket = connect(port, '127.0.0.1')
  sockets.push(socket)
  const state = { socket, text: '', isClosed: false }
  socket.on('data', (chunk) => (state.text += String(chunk))).on('error', () => {})
  socket.on('close', () => (state.isClosed = true))
  socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join(''))
  return state
}

async function until(isTrue: () => boolean): Promise<void> {
  const deadline = performance.now() + 5_000
  while (!isTrue()) {
    if (performance.now() > deadline) throw new Error('the condition did not become true within 5 s')
    await nextTurn()
  }
}

/** Waits until the server has read everything that was sent on other connections before. */
async function settle(): Promise<void> {
  const { text } = await fetch(`http://127.0.0.1:${port}/quick/other`).then(async (answer) => ({
    text: await answer.text(),
  }))
  expect(text).toBe('answer to /quick/other')
  begun = begun.filter((path) => path !== '/quick/other')
}

it('begins to answer a request only when the one before it on the connection has been answered', async () => {
  const sent = sendAll(['/slow/1', '/slow/2', '/memory', '/quick/3'])
  await until(() => begun.length > 0)
  await settle()
  expect(begun).toEqual(['/slow/1'])
  open['/slow/1']?.end('first')
  await until(() => begun.length > 1)
  await settle()
  expect(begun).toEqual(['/slow/1', '/slow/2'])
  open['/slow/2']?.end('second')
  await until(() => sent.text.includes('answer to /quick/3'))
  expect(begun).toEqual(['/slow/1', '/slow/2', '/memory', '/quick/3'])
  expect(sent.text.match(/first|second|from memory|answer to \S+/g)).toEqual([
    'first',
    'second',
    'from memory',
    'answer to /quick/3',
  ])
})

it('works on nothing behind a stream, and forgets what waits when the connection ends', async () => {
  const sent = sendAll(['/stream', ...Array.from({ length: 50 }, (_, at) => `/behind/${at}`)])
  await until(() => begun.length > 0)
  open['/stream']?.write('event')
  await until(() => sent.text.includes('event'))
  expect(begun).toEqual(['/stream'])
  sent.socket.destroy()
  await until(() => open['/stream']?.destroyed === true)
  await settle()
  expect(begun).toEqual(['/stream'])
})

it('closes a connection on which more than 50 requests wait, and answers others', async () => {
  const sent = sendAll(['/stream', ...Array.from({ length: 51 }, (_, at) => `/behind/${at}`)])
  await until(() => sent.isClosed)
  expect(begun.filter((path) => path !== '/stream')).toEqual([])
  await settle()
})

it('answers any number of requests that come one after the other', async () => {
  const paths = Array.from({ length: 40 }, (_, at) => `/quick/${at}`)
  const sent = sendAll(paths)
  await until(() => sent.text.includes('answer to /quick/39'))
  sent.socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join(''))
  await until(() => begun.length === 80)
  expect(begun).toEqual([...paths, ...paths])
})

it('closes connections whose waiting requests would together take too much memory', async () => {
  const filler = `x-filler: ${'a'.repeat(15_000)}\r\n`
  const first = sendAll(['/stream'])
  await until(() => begun.length > 0)
  const others = Array.from({ length: 20 }, () => {
    const sent = sendAll(['/stream'])
    sent.socket.write(`GET /behind HTTP/1.1\r\nHost: x\r\n${filler}\r\n`.repeat(49))
    return sent
  })
  await until(() => others.some(({ isClosed }) => isClosed))
  expect(first.isClosed).toBe(false)
  const kept = others.filter(({ isClosed }) => !isClosed)
  expect(kept.length).toBeGreaterThan(5)
  // The waiting requests of a connection no longer count once it is closed, by the server or by the client.
  for (const { socket } of others) socket.destroy()
  await until(() => others.every(({ isClosed }) => isClosed))
  await settle()
  const later = sendAll(['/slow/large'])
  later.socket.write(`GET /quick/large HTTP/1.1\r\nHost: x\r\n${filler}\r\n`.repeat(49))
  await until(() => begun.includes('/slow/large'))
  open['/slow/large']?.end('first')
  await until(() => later.text.split('answer to /quick/large').length === 50)
})
