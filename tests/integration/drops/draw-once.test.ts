// A process draws preview pictures one at a time and once per state, and its queue of drawings is limited.
import { randomUUID } from 'node:crypto'
import { GET as story } from '@/app/(buyer)/drop/[identifier]/story-image/route'
import { sweepOrphans } from '@/lib/uploads/sweep-orphans'
import { QueueFull } from '@/lib/infra/bounded-queue'
import { closeDatabase, db } from '@/lib/infra/db'
import { storage } from '@/lib/infra/storage'
import { DAY_MS, HOUR_MS } from '@/lib/kernel/time'
import { drawOnce } from '@/lib/previews/draw-once'
import { makeDrop, visitor } from '@/tests/support/factories'

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

it('draws one picture at a time, queues twelve requests and refuses the others', async () => {
  let running = 0
  let most = 0
  const draw = async () => {
    running += 1
    most = Math.max(most, running)
    await new Promise((resolve) => setImmediate(resolve))
    running -= 1
    return picture()
  }
  const asked = Array.from({ length: 27 }, () => drawOnce(visitor(), randomUUID(), draw))
  const outcomes = await Promise.allSettled(asked)
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
  expect(most).toBe(1)
  expect(refused).toHaveLength(14)
  for (const { reason } of refused) expect(reason).toBeInstanceOf(QueueFull)
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

it('returns 404 when a visitor asks for the story image of an ended drop, but not for that of a live drop', async () => {
  const ended = await makeDrop({ endTime: new Date(Date.now() - HOUR_MS) })
  const ask = (identifier: string) =>
    story(new Request(`http://localhost/drop/${identifier}/story-image`), { params: Promise.resolve({ identifier }) })
  expect((await ask(ended.uniqueId)).status).toBe(404)
  const live = await makeDrop()
  // Jest cannot draw pictures, so tests/e2e/create-media.spec.ts checks the picture itself.
  expect((await ask(live.uniqueId)).status).not.toBe(404)
})
