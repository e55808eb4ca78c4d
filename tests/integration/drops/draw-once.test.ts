// A process draws preview pictures one at a time and once per state, and its queue of drawings is limited.
import { randomUUID } from 'node:crypto'
import { GET as story } from '@/app/(buyer)/drop/[identifier]/story-image/route'
import { sweepOrphans } from '@/lib/uploads/sweep-orphans'
import { QueueFull } from '@/lib/infra/bounded-queue'
import { closeDatabase, db } from '@/lib/infra/db'
import { storage } from '@/lib/infra/storage'
import { DAY_MS, HOUR_MS } from '@/lib/kernel/time'
import { drawOnce } from '@/lib/previews/draw-once'
import { makeDrop, visitor, visitorFrom } from '@/tests/support/factories'
import { untilWaits } from '@/tests/support/until-waits'

jest.mock('next/headers', () => ({ cookies: async () => new Map(), headers: async () => new Headers() }))

afterAll(closeDatabase)

const picture = async () => Buffer.from('a picture')

it('draws the picture of a state once, and reads it from the storage afterwards', async () => {
  const state = randomUUID()
  let drawings = 0
  const draw = () => {
    drawings += 1
    return picture()
  }
  const results = await Promise.all(Array.from({ length: 50 }, () => drawOnce(visitor(), state, draw)))
  expect(new Set(results.map(String))).toEqual(new Set(['a picture']))
  expect(String(await drawOnce(visitor(), state, draw))).toBe('a picture')
  expect(drawings).toBe(1)
})

it('draws no second picture for a request whose limit was counted slowly while another request drew it', async () => {
  const slow = visitorFrom('203.0.113.80')
  const state = randomUUID()
  let drawings = 0
  const draw = () => {
    drawings += 1
    return picture()
  }
  // The network has a row to lock after its first picture.
  await drawOnce(slow, randomUUID(), picture)
  const late = await db().$transaction(async (tx) => {
    await tx.$queryRaw`SELECT key FROM "RateLimit" FOR UPDATE`
    const request = drawOnce(slow, state, draw)
    expect(await untilWaits('"RateLimit"', request)).toBe(true)
    await drawOnce(visitorFrom('203.0.113.81'), state, draw)
    return { request }
  })
  expect(String(await late.request)).toBe('a picture')
  expect(drawings).toBe(1)
})

it('draws one picture at a time, queues twelve requests and refuses the others', async () => {
  let running = 0
  let most = 0
  let refused = 0
  let open = () => {}
  const all = new Promise<void>((resolve) => (open = resolve))
  const draw = async () => {
    running += 1
    most = Math.max(most, running)
    await all
    running -= 1
    return picture()
  }
  const asked = Array.from({ length: 27 }, () =>
    drawOnce(visitor(), randomUUID(), draw).catch((error: unknown) => {
      expect(error).toBeInstanceOf(QueueFull)
      refused += 1
      // One drawing is under way, and twelve wait for it.
      if (refused === 14) open()
    }),
  )
  await Promise.all(asked)
  expect({ most, refused }).toEqual({ most: 1, refused: 14 })
})

it('stores nothing for a failed drawing, and the sweep removes a stored picture after a day', async () => {
  const state = randomUUID()
  await expect(drawOnce(visitor(), state, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(String(await drawOnce(visitor(), state, picture))).toBe('a picture')
  const [row] = await db().storedObject.findMany({
    where: { key: { startsWith: 'previews/' } },
    orderBy: { createdAt: 'desc' },
  })
  await sweepOrphans(visitor())
  expect(await storage().open(row!.key)).not.toBeNull()
  const past = new Date(Date.now() - DAY_MS - HOUR_MS)
  await db().storedObject.update({ where: { key: row!.key }, data: { createdAt: past, keepUntil: past } })
  await sweepOrphans(visitor())
  expect(await storage().open(row!.key)).toBeNull()
})

it('draws at most 600 pictures in ten minutes for one network, and others still get theirs', async () => {
  const one = visitorFrom('203.0.113.77')
  for (let drawn = 0; drawn < 600; drawn += 1) await drawOnce(one, randomUUID(), picture)
  await expect(drawOnce(one, randomUUID(), picture)).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS', status: 429 })
  // The refusal of this network is not shared with others who want the same picture at the same time.
  const state = randomUUID()
  const [refused, drawn] = await Promise.allSettled([
    drawOnce(one, state, picture),
    drawOnce(visitorFrom('203.0.113.78'), state, picture),
  ])
  expect([refused?.status, drawn?.status]).toEqual(['rejected', 'fulfilled'])
})

it('returns 404 when a visitor asks for the story image of an ended drop, but not for that of a live drop', async () => {
  const ended = await makeDrop({ endTime: new Date(Date.now() - HOUR_MS) })
  const ask = (identifier: string) =>
    story(new Request(`http://localhost/drop/${identifier}/story-image`), { params: Promise.resolve({ identifier }) })
  expect((await ask(ended.uniqueId)).status).toBe(404)
  const live = await makeDrop()
  // Jest cannot draw pictures, so tests/e2e/create-media.spec.ts checks the picture itself.
  expect((await ask(live.uniqueId)).status).not.toBe(404)
})
