// Sends random multipart bodies, complete and broken ones, over real connections. Each request must get a response, or
// its connection must be closed, within LIMIT_MS, and no file may be left behind. There are 300 bodies by default.
// UPLOAD_STORM=2000 sends 2,000. The same UPLOAD_STORM_SEED produces the same bodies.
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import path from 'node:path'
import { z } from 'zod/mini'
import { multipart } from '@/lib/http/multipart'
import { env } from '@/lib/infra/env'
import { AppError } from '@/lib/kernel/app-error'
import { platformError } from '@/lib/platform/messages'
import { visitor } from '@/tests/support/factories'

const BODIES = Number(process.env.UPLOAD_STORM ?? 300)
const SEED = Number(process.env.UPLOAD_STORM_SEED ?? 20261122)
const WORKERS = 12
/** How long the server waits for the next bytes. */
const SILENCE_MS = 400
/** The time within which a request must get a response or its connection must close. It allows for busy machines. */
const LIMIT_MS = 30_000

const limits = {
  files: Object.fromEntries(
    ['image0', 'image1', 'image2', 'image3', 'image4', 'image5', 'digitalFile'].map((field) => [
      field,
      { maxBytes: 60_000 },
    ]),
  ),
  unexpectedFile: (field: string) => platformError('INVALID_INPUT', { field }),
  maxBytes: 400_000,
  silenceMs: SILENCE_MS,
}
const reader = multipart(z.record(z.string(), z.string()), limits)

/** A small generator of repeatable random numbers (mulberry32). */
function randomFrom(seed: number) {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let value = Math.imul(state ^ (state >>> 15), state | 1)
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61)
    return ((value ^ (value >>> 14)) >>> 0) / 4294967296
  }
  const below = (limit: number) => Math.floor(next() * limit)
  const one = <Value>(values: readonly Value[]): Value => values[below(values.length)]!
  return { next, below, one, chance: (probability: number) => next() < probability }
}
type Random = ReturnType<typeof randomFrom>

const NAMES = [
  'image0',
  'image1',
  'image2',
  'image3',
  'image4',
  'image5',
  'digitalFile',
  'title',
  'nothing',
  '__proto__',
]
const ENDS = ['whole', 'whole', 'cut', 'hangUp', 'reset', 'silent', 'noEnd'] as const

function part(random: Random, at: number): Buffer {
  const name = random.chance(0.8) ? `image${at % 6}` : random.one(NAMES)
  const file = random.chance(0.8) ? `; filename="${random.one(['a.jpg', '', '../../x', 'ü\u0000.png'])}"` : ''
  const disposition = random.one([
    `Content-Disposition: form-data; name="${name}"${file}`,
    `Content-Disposition: form-data; name="${name}"${file}`,
    `Content-Disposition: form-data; name="${name}"${file}`,
    `Content-Disposition: form-data; name="${name}"${file}`,
    'Content-Disposition: attachment',
    `X: ${'y'.repeat(random.below(90_000))}`,
  ])
  const size = random.one([0, 1, 50, 5_000, 30_000, 59_999, 60_000, 60_001, 70_000, 150_000])
  const filling = random.one(['\u0000', '\r\n--b', '\r', 'x'])
  const blank = random.chance(0.95) ? '\r\n\r\n' : '\r\n'
  return Buffer.concat([Buffer.from(`--b\r\n${disposition}${blank}`), Buffer.alloc(size, filling), Buffer.from('\r\n')])
}

function body(random: Random): Buffer {
  const count = random.one([0, 1, 2, 6, 6, 6, 6, 7, 9, 12, 60])
  const parts = Array.from({ length: count }, (_, at) => part(random, at))
  return Buffer.concat([...parts, Buffer.from(random.chance(0.9) ? '--b--\r\n' : '--b\r\n')])
}

/**
 * Sends one body, and returns how long it took until the server responded or the connection was closed. Waits no longer
 * than LIMIT_MS. `what` describes the body for the message of a failed test.
 */
async function send(port: number, random: Random): Promise<{ ms: number; what: string }> {
  const end = random.one(ENDS)
  const whole = body(random)
  const sent = end === 'whole' ? whole : whole.subarray(0, random.below(whole.length + 1))
  const isChunked = random.chance(0.3)
  const announced = end === 'cut' ? sent.length : whole.length
  const length = isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${announced}`
  const type = `multipart/form-data; boundary=${random.chance(0.97) ? 'b' : 'other'}`
  const pieces = random.one([1, 2, 5, 40])
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  const started = performance.now()
  const ended = new Promise((resolve) => socket.once('close', resolve).once('data', resolve))
  socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\n${length}\r\nConnection: close\r\n\r\n`)
  const step = Math.max(1, Math.ceil(sent.length / pieces))
  for (let at = 0; at < sent.length && !socket.destroyed; at += step) {
    const piece = sent.subarray(at, at + step)
    if (isChunked) socket.write(`${piece.length.toString(16)}\r\n`)
    socket.write(piece)
    if (isChunked) socket.write('\r\n')
    await new Promise((resolve) => setImmediate(resolve))
  }
  if (isChunked && (end === 'whole' || end === 'cut')) socket.write('0\r\n\r\n')
  if (end === 'noEnd') socket.end()
  if (end === 'hangUp') socket.destroy()
  if (end === 'reset') socket.resetAndDestroy()
  let timer: NodeJS.Timeout | undefined
  const late = new Promise((resolve) => (timer = setTimeout(resolve, LIMIT_MS)))
  await Promise.race([ended, late])
  clearTimeout(timer)
  socket.destroy()
  return { ms: performance.now() - started, what: `${end}, ${sent.length} of ${whole.length} bytes, ${pieces} pieces` }
}

let server: Server
/** Requests whose handler has not ended yet. */
const open = new Set<IncomingMessage>()
const statuses: Record<string, number> = {}

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  open.add(request)
  let status = 200
  let dispose: (() => Promise<void>) | undefined
  try {
    // Next also passes the Node.js request itself as the body of the Request.
    const body = request as AsyncIterable<Uint8Array>
    const headers = { 'content-type': request.headers['content-type'] ?? '' }
    const init: object = { method: 'POST', headers, body, duplex: 'half' }
    const webRequest = new Request('http://localhost/', init)
    const read = await reader.read(webRequest, visitor())
    dispose = read.dispose
  } catch (error) {
    status = error instanceof AppError ? error.status : 500
  }
  await dispose?.()
  open.delete(request)
  statuses[status] = (statuses[status] ?? 0) + 1
  response.writeHead(status, { Connection: 'close' }).end()
}

beforeAll(async () => {
  server = createServer((request, response) => void handle(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})

afterAll(() => {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(resolve))
})

it(`responds to or closes each of ${BODIES} random requests in time, and leaves no file behind`, async () => {
  const { port } = server.address() as AddressInfo
  const late: string[] = []
  let next = 0
  const worker = async () => {
    while (next < BODIES) {
      const at = (next += 1)
      const { ms, what } = await send(port, randomFrom(SEED + at))
      if (ms >= LIMIT_MS) late.push(`UPLOAD_STORM_SEED=${SEED}, body ${at}: ${what}`)
    }
  }
  await Promise.all(Array.from({ length: WORKERS }, worker))
  const until = performance.now() + LIMIT_MS
  while (open.size > 0 && performance.now() < until) await new Promise((resolve) => setImmediate(resolve))
  expect({ late, unfinished: open.size }).toEqual({ late: [], unfinished: 0 })
  expect(statuses[500] ?? 0).toBe(0)
  expect(Object.keys(statuses)).toEqual(expect.arrayContaining(['200', '400', '413']))
  expect(readdirSync(path.join(env().dataDir, 'tmp'))).toEqual([])
}, 300_000)
