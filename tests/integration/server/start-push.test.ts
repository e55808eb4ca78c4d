import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createHash } from 'node:crypto'
import { findPublicDrop } from '@/lib/drops/queries'
import { toDropView } from '@/lib/drops/view'
import { closeDatabase, database, db } from '@/lib/infra/db'
import { HOUR_MS } from '@/lib/kernel/time'
import { startSharedCache } from '@/lib/server/start-shared-cache.mjs'
import { makeDrop } from '@/tests/support/factories'

// These tests check the shared cache and its streams when a scheduled drop starts. A stand-in for Next handles
// GET /api/drop/{identifier} as the application does. Pages without a stream poll this call.
let cache: Awaited<ReturnType<typeof startSharedCache>>
let server: ReturnType<typeof createServer>
let url: string

async function render(request: IncomingMessage, response: ServerResponse) {
  const row = await findPublicDrop(database(), request.url?.split('/')[3] ?? '')
  if (!row) return response.writeHead(404).end()
  const { serverTime, ...view } = toDropView(row)
  const body = JSON.stringify(view)
  const etag = createHash('sha256').update(body).digest('base64url')
  response
    .writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'x-server-time': serverTime, etag })
    .end(body)
}

beforeAll(async () => {
  const handle = (request: IncomingMessage, response: ServerResponse) => void render(request, response)
  cache = await startSharedCache({ handle, databaseUrl: process.env.DATABASE_URL ?? '' })
  server = createServer((request, response) => void cache.handle(request, response)).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterAll(async () => {
  server.close()
  cache.endStreams()
  await cache.close()
  server.closeAllConnections()
  await closeDatabase()
})

/** The number of pages that are open when a drop starts. OPEN_PAGES sets another number. */
const OPEN_PAGES = Number(process.env.OPEN_PAGES ?? 20)

type Seen = { state: string; at: number }

/** Opens a stream and returns the states that it sends until `isEnough` accepts them or the stream ends. */
async function watch(path: string, isEnough: (seen: Seen[]) => boolean, from = '192.0.2.1'): Promise<Seen[]> {
  const reader = (await fetch(url + path, { headers: { 'x-forwarded-for': from } }))
    .body!.pipeThrough(new TextDecoderStream())
    .getReader()
  const seen: Seen[] = []
  let text = ''
  while (!isEnough(seen)) {
    const part = await reader.read()
    if (part.done) break
    text += part.value
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const data = /^data: (.*)$/m.exec(text.slice(0, end))?.[1]
      if (data) seen.push({ state: (JSON.parse(data) as { state: string }).state, at: Date.now() })
      text = text.slice(end + 2)
    }
  }
  await reader.cancel()
  return seen
}

/**
 * Creates a drop that starts in `ms` milliseconds by the clock of the database. The database runs on this machine, so
 * Date.now() reads the same clock.
 */
async function startsIn(ms: number) {
  const [clock] = await db().$queryRaw<{ now: Date }[]>`SELECT clock_timestamp() AS "now"`
  const startedAt = new Date(clock!.now.getTime() + ms)
  const drop = await makeDrop({ startedAt, endTime: new Date(startedAt.getTime() + HOUR_MS) })
  return { drop, startsAt: startedAt.getTime() }
}

it('pushes the start to every open page within a second, although no row changes', async () => {
  const { drop, startsAt } = await startsIn(4_000 + 10 * OPEN_PAGES)
  const path = `/api/drop/${drop.uniqueId}/events`
  const viewers = await Promise.all(
    Array.from({ length: OPEN_PAGES }, (_, at) =>
      // One network may have 200 streams.
      watch(path, (seen) => seen.some(({ state }) => state === 'live'), `10.1.${at >> 8}.${at & 255}`),
    ),
  )
  for (const seen of viewers) {
    expect(seen.map(({ state }) => state)).toEqual(['upcoming', 'live'])
    expect(seen[1]!.at).toBeGreaterThanOrEqual(startsAt)
    expect(seen[1]!.at - startsAt).toBeLessThan(1_000)
  }
})

it('pushes the start of a drop at the new time after the start was moved', async () => {
  const { drop } = await startsIn(24 * HOUR_MS)
  const seen = watch(`/api/drop/${drop.uniqueId}/events`, (so) => so.some(({ state }) => state === 'live'))
  const [clock] = await db().$queryRaw<{ now: Date }[]>`SELECT clock_timestamp() AS "now"`
  const startedAt = new Date(clock!.now.getTime() + 3_000)
  const startsAt = startedAt.getTime()
  await db().drop.update({ where: { id: drop.id }, data: { startedAt } })
  const last = (await seen).at(-1)!
  expect(last.state).toBe('live')
  expect(last.at - startsAt).toBeLessThan(1_000)
})

it('the cached response of GET /api/drop/{identifier} expires when the drop starts', async () => {
  const { drop, startsAt } = await startsIn(2_000)
  let state = 'upcoming'
  let scheduledAt = 0
  const tags = new Set<string | null>()
  while (state === 'upcoming' && Date.now() < startsAt + 3_000) {
    const sentAt = Date.now()
    const answer = await fetch(`${url}/api/drop/${drop.uniqueId}`)
    tags.add(answer.headers.get('etag'))
    state = ((await answer.json()) as { state: string }).state
    if (state === 'upcoming') scheduledAt = sentAt
  }
  expect(state).toBe('live')
  // No request that was sent after the start gets the response from before the start. The times are rounded to
  // milliseconds.
  expect(scheduledAt - startsAt).toBeLessThanOrEqual(2)
  expect(tags.size).toBe(2)
})
