// docs.stripe.com/rate-limits (docs/stripe-rules.md, B1, B2)
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import Stripe from 'stripe'
import { closeDatabase, db } from '@/lib/infra/db'
import { retryRateLimited } from '@/lib/infra/retry-rate-limited'
import { standIn, stripe } from '@/lib/infra/stripe'
import { runArchive } from '@/lib/jobs/run-archive'
import { runPromptWork } from '@/lib/jobs/run-due-work'
import { connectPayouts } from '@/lib/payouts/connect-payouts'
import { actorOf, contextFor, makeDrop, makeSeller } from '@/tests/support/factories'
import { openCheckout, payAndSettle } from '@/tests/support/shop'
import { createWorld, type World } from './stripe-support'

// By default, the application limits how many sessions it opens a second only with real keys. These tests use the
// sandbox, so they set a limit.
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

  test('refuses more than 25 calls a second to one endpoint, and names the reason', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 60 }, () => world.stripe.prices.list()))
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []))
    expect(refused.length).toBeGreaterThan(0)
    expect(refused[0]).toMatchObject({
      type: 'StripeRateLimitError',
      statusCode: 429,
      headers: { 'stripe-rate-limited-reason': 'endpoint-rate' },
    })
  })

  test('has no limits unless a test asks for them', async () => {
    await world.standIn.setFaults(NO_FAULTS)
    await Promise.all(Array.from({ length: 40 }, () => world.stripe.prices.list()))
    expect((await world.standIn.traffic()).refused).toBe(0)
  })
})

describe('the application', () => {
  afterEach(() => standIn()!.setFaults(NO_FAULTS))
  afterAll(closeDatabase)

  test('opens checkouts for 60 simultaneous buyers although Stripe accepts only 25 of these calls a second', async () => {
    const drop = await makeDrop({ quantity: 60 })
    await standIn()!.setFaults({ ...NO_FAULTS, limits: true })
    const rush = await Promise.allSettled(Array.from({ length: 60 }, () => openCheckout(drop.id)))
    expect(rush.filter(({ status }) => status === 'rejected')).toEqual([])
    expect((await db().drop.findUniqueOrThrow({ where: { id: drop.id } })).held).toBe(60)
    // The application's line of waiting buyers spreads the calls over time (ADR 0052). All buyers of this test are in
    // one process, so some of them get their turn late and at the same moment.
    expect((await standIn()!.traffic()).refused).toBeLessThan(12)
  })

  test('gives up a rate-limited call after three tries', async () => {
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
    ['never responds', () => undefined],
    [
      'sends its response byte by byte',
      (socket: Socket) => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n')
        const drip = setInterval(() => socket.write(' '), 50)
        socket.on('close', () => clearInterval(drip))
      },
    ],
  ])('a call to a server that %s ends with a timeout', async (_name, respond) => {
    const sockets: Socket[] = []
    const server = createServer((socket) => {
      sockets.push(socket.on('error', () => undefined))
      respond(socket)
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

  test('reads from Stripe at most twice in ten minutes while nobody buys', async () => {
    await db().hold.updateMany({ where: { state: 'held' }, data: { state: 'released', settledAt: new Date() } })
    await db().$executeRaw`UPDATE "Drop" SET "held" = 0`
    await stripe().prices.list()
    const before = (await standIn()!.traffic()).reads
    // The scheduler runs every 15 seconds, which is 40 times in ten minutes.
    for (let run = 0; run < 40; run += 1) await runArchive()
    // The sweeps look once for lost payments and once for lost subscriptions, and then not again for two hours.
    expect((await standIn()!.traffic()).reads - before).toBeLessThanOrEqual(2)
  })

  test('reads nothing after a write on a host without a scheduler, even if money waits for a seller', async () => {
    const seller = await makeSeller()
    const drop = await makeDrop({ userId: seller.id })
    const { url, sessionId } = await openCheckout(drop.id)
    await payAndSettle(url, sessionId)
    await connectPayouts(contextFor(actorOf(seller)))
    expect(await db().user.findUniqueOrThrow({ where: { id: seller.id } })).toMatchObject({
      payoutsState: 'incomplete',
    })
    expect(await db().transfer.count({ where: { sellerId: seller.id, state: 'waiting' } })).toBe(1)
    await runPromptWork()
    const before = (await standIn()!.traffic()).reads
    for (let write = 0; write < 10; write += 1) await runPromptWork()
    expect((await standIn()!.traffic()).reads - before).toBe(0)
  })
})
