import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { closeDatabase } from '@/lib/infra/db'
import { startSharedCache } from '@/lib/server/start-shared-cache.mjs'
import { until } from '@/tests/support/until'

// These tests check the shared cache with a stand-in for Next whose renderings never end while `hangs` is true.
let hangs = false
let hanging: ServerResponse[] = []
let cache: Awaited<ReturnType<typeof startSharedCache>>
let server: ReturnType<typeof createServer>
let url: string

function render(request: IncomingMessage, response: ServerResponse) {
  // A page may also hang after it has begun.
  if (request.url?.includes('begun')) response.writeHead(200, { 'content-type': 'text/plain' }).write('half')
  if (hangs) hanging.push(response)
  else response.end(`rendered ${request.url}`)
}

beforeAll(async () => {
  const commonPage = () => null
  cache = await startSharedCache({
    handle: render,
    databaseUrl: process.env.DIRECT_DATABASE_URL ?? process.env.DATABASE_URL ?? '',
    commonPage,
    mostMs: 1_500,
  })
  server = createServer((request, response) => void cache.handle(request, response)).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

beforeEach(() => {
  hangs = false
})

afterEach(() => {
  for (const response of hanging) response.end()
  hanging = []
})

afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await cache.close()
  await closeDatabase()
})

const get = async (path: string) => {
  const answer = await fetch(url + path)
  return { status: answer.status, retryAfter: answer.headers.get('retry-after'), text: await answer.text() }
}

test.each(['/drop/hangs', '/drop/begun'])('asks everyone who waits for %s to try again later', async (path) => {
  hangs = true
  const answers = await Promise.all(Array.from({ length: 20 }, () => get(path)))
  for (const answer of answers) expect(answer).toMatchObject({ status: 503, retryAfter: '3' })
  expect(hanging).toHaveLength(1)
  for (const response of hanging) response.end()
  hangs = false
  expect((await get(path)).status).toBe(200)
})

it('serves the earlier answer when the page is not rendered again in time', async () => {
  const { text } = await get('/drop/shown')
  hangs = true
  // The first answer is fresh for a second.
  await until('rendering', async () => ((await get('/drop/shown')) && hanging.length > 0) || undefined)
  expect(await get('/drop/shown')).toMatchObject({ status: 200, text })
})

it('frees the places of renderings that hang', async () => {
  hangs = true
  const stuck = Array.from({ length: 8 }, (_, at) => get(`/drop/stuck-${at}`))
  await until('renderings', () => Promise.resolve(hanging.length === 8 || undefined))
  hangs = false
  expect((await get('/drop/waiting')).status).toBe(200)
  for (const { status } of await Promise.all(stuck)) expect(status).toBe(503)
})
