// docs.stripe.com/rate-limits (docs/stripe-rules.md, B1, B2)
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import Stripe from 'stripe'
import { closeDatabase, db } from '@/lib/infra/db'
import { retryRateLimited } from '@/lib/infra/retry-rate-limited'
import { standIn, stripe } from '@/lib/infra/stripe'
import { runArchive } from '@/lib/jobs/run-archive'
import { makeDrop } from '@/tests/support/factories'
import { openCheckout } from '@/tests/support/shop'
import { createWorld, type World } from './stripe-support'

// In the sandbox the number of sessions a second is not limited by default; with real keys it is.
process.env.STRIPE_SESSIONS_PER_SECOND = '20'

const NO_FAULTS = { api: null, deliveries: null }

describe('the stand-in with limits', () => {
  let world: World
  beforeEach(async () => {
    world = await createWorld()
    await world.standIn.setFaults({ ...NO_FAULTS, limits: true })
  })
  afterEach(async () => {
    await world.standIn.setFaults(NO_FAULTS)
    await world.close()
  })

  test('refuses what is more than 25 calls a second, and says why', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 60 }, () => world.stripe.prices.list()))
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []))
    expect(refused.length).toBeGreaterThan(0)
    expect(refused[0]).toMatchObject({
      type: 'StripeRateLimitError',
      statusCode: 429,
      headers: { 'stripe-rate-limited-reason': 'endpoint-rate' },
    })
  })

  test('is without limits unless a test asks for them', async () => {
    await world.standIn.setFaults(NO_FAULTS)
    await Promise.all(Array.from({ length: 40 }, () => world.stripe.prices.list()))
    expect((await world.standIn.traffic()).refused).toBe(0)
  })
})

describe('the application', () => {
  afterEach(() => standIn()!.setFaults(NO_FAULTS))
  afterAll(closeDatabase)

  test('serves a rush of 60 buyers although Stripe takes 25 a second', async () => {
    const drop = await makeDrop({ quantity: 60 })
    await standIn()!.setFaults({ ...NO_FAULTS, limits: true })
    const rush = await Promise.allSettled(Array.from({ length: 60 }, () => openCheckout(drop.id)))
    expect(rush.filter(({ status }) => status === 'rejected')).toEqual([])
    expect((await db().drop.findUniqueOrThrow({ where: { id: drop.id } })).held).toBe(60)
    // The line spreads the calls (ADR 0052). The buyers of this test share its process, so some turns come late and together.
    expect((await standIn()!.traffic()).refused).toBeLessThan(12)
  })

  test('gives up after a bounded number of tries', async () => {
    let tries = 0
    const refusing = Stripe.createFetchHttpClient(async () => {
      tries += 1
      return new Response(null, { status: 429 })
    })
    const client = retryRateLimited(refusing, () => true, [1, 1])
    const response = await client.makeRequest('api.stripe.com', '443', '/v1/prices', 'GET', {}, '', 'https', 5_000)
    expect(response.getStatusCode()).toBe(429)
    expect(tries).toBe(3)
  })

  test.each([
    ['never answers', () => undefined],
    [
      'sends one byte a moment',
      (socket: Socket) => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n')
        const drip = setInterval(() => socket.write(' '), 50)
        socket.on('close', () => clearInterval(drip))
      },
    ],
  ])('a server that %s is given up in time', async (_name, answer) => {
    const sockets: Socket[] = []
    const server = createServer((socket) => {
      sockets.push(socket.on('error', () => undefined))
      answer(socket)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const client = retryRateLimited(Stripe.createNodeHttpClient())
    const call = client
      .makeRequest('127.0.0.1', String(port), '/v1/prices', 'GET', {}, '', 'http', 300)
      .then((response) => response.toJSON())
    await expect(call).rejects.toMatchObject({ code: 'ETIMEDOUT' })
    for (const socket of sockets) socket.destroy()
    server.close()
  })

  test('reads almost nothing at Stripe while nobody buys', async () => {
    await db().hold.updateMany({ where: { state: 'held' }, data: { state: 'released', settledAt: new Date() } })
    await db().$executeRaw`UPDATE "Drop" SET "held" = 0`
    await stripe().prices.list()
    const before = (await standIn()!.traffic()).reads
    // Ten minutes of the scheduler.
    for (let run = 0; run < 40; run += 1) await runArchive()
    // The sweeps ask once for lost payments and once for lost subscriptions, and then not again for two hours.
    expect((await standIn()!.traffic()).reads - before).toBeLessThanOrEqual(2)
  })
})
