// docs.stripe.com/rate-limits (docs/stripe-rules.md, B1, B2)
import { closeDatabase, db } from '@/lib/infra/db'
import { retryRateLimited } from '@/lib/infra/retry-rate-limited'
import { standIn, stripe } from '@/lib/infra/stripe'
import { runArchive } from '@/lib/jobs/run-archive'
import { makeDrop } from '@/tests/support/factories'
import { openCheckout } from '@/tests/support/shop'
import { createWorld, type World } from './stripe-support'

// As with real keys; the stand-in inside the application is not paced by itself.
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
    // The line spreads them (ADR 0052). The buyers of this test work inside its process, so some turns come late and together.
    expect((await standIn()!.traffic()).refused).toBeLessThan(12)
  })

  test('gives up after a bounded number of tries', async () => {
    let tries = 0
    const call = retryRateLimited(async () => {
      tries += 1
      return new Response(null, { status: 429 })
    }, [1, 1])
    expect((await call('https://api.stripe.com/v1/prices')).status).toBe(429)
    expect(tries).toBe(3)
  })

  test('reads almost nothing at Stripe while nobody buys', async () => {
    await db().hold.updateMany({ where: { state: 'held' }, data: { state: 'released', settledAt: new Date() } })
    await db().$executeRaw`UPDATE "Drop" SET "held" = 0`
    await stripe().prices.list()
    const before = (await standIn()!.traffic()).reads
    // Ten minutes of the scheduler.
    for (let run = 0; run < 40; run += 1) await runArchive()
    // One look for lost payments and one for lost subscriptions, which then have to last for two hours.
    expect((await standIn()!.traffic()).reads - before).toBeLessThanOrEqual(2)
  })
})
