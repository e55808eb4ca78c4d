import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { closeDatabase, db } from '@/lib/infra/db'
import { createLiveEvents } from '@/lib/server/create-live-events.mjs'
import { startSharedCache } from '@/lib/server/start-shared-cache.mjs'
import { makeDrop } from '@/tests/support/factories'

// These tests check the shared cache and its streams. A stand-in for Next reads the drop and counts the requests.
let reads = 0
let cache: Awaited<ReturnType<typeof startSharedCache>>
let server: ReturnType<typeof createServer>
let url: string

async function render(request: IncomingMessage, response: ServerResponse) {
  reads += 1
  const uniqueId = request.url?.split('/')[3] ?? ''
  const drop = await db().drop.findUnique({ where: { uniqueId } })
  const body = JSON.stringify(drop ? { held: drop.held } : { error: 'not there' })
  const headers = { 'x-server-time': new Date().toISOString(), etag: `W/"${drop?.held}"` }
  response.writeHead(drop ? 200 : 404, headers).end(body)
}

beforeAll(async () => {
  const handle = (request: IncomingMessage, response: ServerResponse) => void render(request, response)
  // Only an announced change makes the cache read a drop again.
  cache = await startSharedCache({
    handle,
    databaseUrl: process.env.DIRECT_DATABASE_URL ?? process.env.DATABASE_URL ?? '',
    freshMs: 300_000,
  })
  server = createServer((request, response) => void cache.handle(request, response)).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterAll(async () => {
  server.close()
  await cache.close()
  server.closeAllConnections()
  await closeDatabase()
})

/**
 * Opens a stream. @returns a viewer: `seen` grows with each event, and `hasEnded` becomes true when the stream ends.
 */
async function watch(path: string, origin = url) {
  const answer = await fetch(origin + path)
  const seen: { held: number }[] = []
  const state = {
    status: answer.status,
    type: answer.headers.get('content-type'),
    seen,
    hasEnded: false,
    leave: () => {},
  }
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader()
  state.leave = () => void reader.cancel()
  const read = async () => {
    let text = ''
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      text += part.value
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        const data = /^data: (.*)$/m.exec(text.slice(0, end))?.[1]
        if (data) seen.push(JSON.parse(data))
        text = text.slice(end + 2)
      }
    }
    state.hasEnded = true
  }
  void read().catch(() => (state.hasEnded = true))
  return state
}

async function until(isTrue: () => boolean): Promise<void> {
  const deadline = performance.now() + 5_000
  while (!isTrue()) {
    if (performance.now() > deadline) throw new Error('the condition did not become true within 5 s')
    await nextTurn()
  }
}

it('sends a change to every viewer, and reads the drop once for all viewers', async () => {
  const drop = await makeDrop()
  const viewers = await Promise.all(Array.from({ length: 200 }, () => watch(`/api/drop/${drop.uniqueId}/events`)))
  await until(() => viewers.every(({ seen }) => seen.length === 1))
  expect(viewers[0]).toMatchObject({ status: 200, type: 'text/event-stream; charset=utf-8', seen: [{ held: 0 }] })
  reads = 0
  await db().drop.update({ where: { id: drop.id }, data: { held: 1 } })
  await until(() => viewers.every(({ seen }) => seen.length === 2))
  expect(viewers.map(({ seen }) => seen.at(-1)?.held)).toEqual(viewers.map(() => 1))
  expect(reads).toBe(1)
  // A change of a column that no page shows sends no event.
  await db().drop.update({ where: { id: drop.id }, data: { searchText: 'other' } })
  await db().drop.update({ where: { id: drop.id }, data: { held: 2 } })
  await until(() => viewers.every(({ seen }) => seen.at(-1)?.held === 2))
  expect(viewers[0]?.seen.map(({ held }) => held)).toEqual([0, 1, 2])
  for (const { leave } of viewers) leave()
})

it('finds the drop regardless of the spelling of its identifier, and sends nothing about another drop', async () => {
  const [drop, other] = [await makeDrop(), await makeDrop()]
  const viewer = await watch(`/api/drop/${drop.uniqueId.toUpperCase()}/events`)
  await until(() => viewer.seen.length === 1)
  reads = 0
  const escaped = await watch(
    `/api/drop/${drop.uniqueId.replaceAll(/./g, (letter) => `%${letter.charCodeAt(0).toString(16)}`)}/events`,
  )
  await until(() => escaped.seen.length === 1)
  expect(reads).toBe(0)
  await db().drop.update({ where: { id: other.id }, data: { held: 5 } })
  await db().drop.update({ where: { id: drop.id }, data: { held: 3 } })
  await until(() => viewer.seen.length === 2 && escaped.seen.length === 2)
  expect([viewer, escaped].map(({ seen }) => seen.at(-1))).toEqual([{ held: 3 }, { held: 3 }])
  viewer.leave()
  escaped.leave()
})

it('returns 404 for a missing drop and opens no stream', async () => {
  const answer = await fetch(`${url}/api/drop/nobody/events`)
  expect([answer.status, await answer.text()]).toEqual([404, '{"error":"not there"}'])
})

it('refuses streams above its limit', async () => {
  const body = Buffer.from('{}')
  const read = async () => ({ status: 200, headers: { etag: '1', 'x-server-time': 'now' }, body })
  const events = createLiveEvents({ read, maxStreams: 2 })
  const small = createServer((request, response) => events.handle(request, response, '/api/drop/x')).listen(0)
  const streamUrl = `http://127.0.0.1:${(small.address() as AddressInfo).port}`
  const [first, second] = [await fetch(streamUrl), await fetch(streamUrl)]
  const refused = await fetch(streamUrl)
  expect([first.status, second.status, refused.status]).toEqual([200, 200, 503])
  expect(refused.headers.get('retry-after')).toBe('30')
  await first.body?.cancel()
  let again = await fetch(streamUrl)
  // The server notices a closed stream a moment later.
  while (again.status === 503) again = await fetch(streamUrl)
  expect(again.status).toBe(200)
  events.close()
  expect(await second.text()).toContain('data: {}')
  small.close()
  small.closeAllConnections()
})

it('limits the streams of one network, and opens streams for other networks', async () => {
  const body = Buffer.from('{}')
  const read = async () => ({ status: 200, headers: { etag: '1', 'x-server-time': 'now' }, body })
  const events = createLiveEvents({ read, maxPerNetwork: 2, trustedProxyHops: 1 })
  const small = createServer((request, response) => events.handle(request, response, '/api/drop/x')).listen(0)
  const streamUrl = `http://127.0.0.1:${(small.address() as AddressInfo).port}`
  const from = (client: string) => fetch(streamUrl, { headers: { 'x-forwarded-for': `${client}, 127.0.0.1` } })
  const clients = ['2001:db8::1', '2001:db8::2', '2001:db8::3', '203.0.113.7', '203.0.113.7:81', '::ffff:203.0.113.7']
  const answers = []
  for (const client of clients) answers.push(await from(client))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 503, 200, 200, 503])
  await answers[0]!.body?.cancel()
  let again = await from('2001:db8::9')
  while (again.status === 503) again = await from('2001:db8::9')
  expect(again.status).toBe(200)
  events.close()
  small.close()
  small.closeAllConnections()
})

it('limits the streams of all networks of one IPv6 customer', async () => {
  const body = Buffer.from('{}')
  const read = async () => ({ status: 200, headers: { etag: '1', 'x-server-time': 'now' }, body })
  const events = createLiveEvents({ read, maxPerNetwork: 2, trustedProxyHops: 1 })
  const small = createServer((request, response) => events.handle(request, response, '/api/drop/x')).listen(0)
  const streamUrl = `http://127.0.0.1:${(small.address() as AddressInfo).port}`
  const from = (client: string) => fetch(streamUrl, { headers: { 'x-forwarded-for': `${client}, 127.0.0.1` } })
  const statuses = []
  for (let network = 1; network <= 9; network += 1) statuses.push((await from(`2001:db8:7:${network}::1`)).status)
  // Four times the limit of one network.
  expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 200, 200, 503])
  expect((await from('2001:db8:8:1::1')).status).toBe(200)
  events.close()
  small.close()
  small.closeAllConnections()
})

/** Serves one stream whose first answer is the one that `answer` is called with. Later reads find `held` units held. */
async function slowStream(held: number) {
  let isRead = false
  let answer = (_held: number) => {}
  const answerWith = (count: number) => ({
    status: 200,
    headers: { etag: `W/"${count}"`, 'x-server-time': 'now' },
    body: Buffer.from(JSON.stringify({ held: count })),
  })
  const first = new Promise<ReturnType<typeof answerWith>>(
    (resolve) => (answer = (count) => resolve(answerWith(count))),
  )
  const read = () => {
    if (isRead) return Promise.resolve(answerWith(held))
    isRead = true
    return first
  }
  const events = createLiveEvents({ read })
  const small = createServer((request, response) => events.handle(request, response, '/api/drop/x')).listen(0)
  const opened = watch('/', `http://127.0.0.1:${(small.address() as AddressInfo).port}`)
  await until(() => isRead)
  const close = () => {
    events.close()
    small.close()
    small.closeAllConnections()
  }
  return { events, answer, opened, close }
}

it('sends a change that is announced while the first viewer waits for the first answer', async () => {
  const { events, answer, opened, close } = await slowStream(1)
  events.changed('/api/drop/x')
  answer(0)
  const viewer = await opened
  await until(() => viewer.seen.at(-1)?.held === 1)
  expect(viewer.seen).toEqual([{ held: 0 }, { held: 1 }])
  close()
})

it('opens no stream whose first answer was read before changes stopped being announced', async () => {
  const { events, answer, opened, close } = await slowStream(1)
  events.endAll()
  answer(0)
  expect(await opened).toMatchObject({ status: 503, seen: [] })
  close()
})

it('ends every stream when the server stops', async () => {
  const drop = await makeDrop()
  const viewer = await watch(`/api/drop/${drop.uniqueId}/events`)
  await until(() => viewer.seen.length === 1)
  cache.endStreams()
  await until(() => viewer.hasEnded)
  expect((await fetch(`${url}/api/drop/${drop.uniqueId}/events`)).status).toBe(503)
})
