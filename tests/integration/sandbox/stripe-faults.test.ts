import { closeDatabase, db } from '@/lib/infra/db'
import { standIn, stripe } from '@/lib/infra/stripe'
import { startUpgrade } from '@/lib/subscriptions/start-upgrade'
import { connectPayouts } from '@/lib/payouts/connect-payouts'
import { newSecret } from '@/lib/kernel/id'
import { startEmbeddedCheckout } from '@/lib/checkout/start-embedded-checkout'
import { actorOf, contextFor, makeDrop, makeSeller, visitor } from '@/tests/support/factories'
import { openCheckout, pay, payEmbedded } from '@/tests/support/shop'

afterEach(() => standIn()!.setFaults({ api: null, deliveries: null }))
afterAll(closeDatabase)

type Kind = 'slow' | 'reset-after-commit' | 'rate-limit' | 'error' | 'error-after-commit'
const KINDS: Kind[] = ['reset-after-commit', 'rate-limit', 'error', 'error-after-commit']
/**
 * The faults whose error Stripe stores under the idempotency key (docs/stripe-rules.md, A7). It returns the same error
 * to every retry with that key, so a retry needs another key.
 */
const STORED: Kind[] = ['error', 'error-after-commit']

function breakWith(kind: Kind, path: string, delayMs = 0): Promise<void> {
  return standIn()!.setFaults({ api: { kind, path, remaining: null, delayMs }, deliveries: null })
}

const mend = () => standIn()!.setFaults({ api: null, deliveries: null })

const CHECKOUTS = {
  hosted: {
    path: '/v1/checkout/sessions',
    kind: 'checkout.session',
    open: async (dropId: number, buyerToken: string) => (await openCheckout(dropId, { buyerToken })).url,
    pay,
  },
  embedded: {
    path: '/v1/payment_intents',
    kind: 'payment_intent',
    open: async (dropId: number, buyerToken: string) =>
      (await startEmbeddedCheckout(visitor(), { dropId, buyerToken })).clientSecret,
    pay: payEmbedded,
  },
} as const
const MODES = ['hosted', 'embedded'] as const

/** Counts the objects of one kind that Stripe has created for the orders of a drop. */
const countMade = (dropId: number, kind: string) =>
  db().sandboxObject.count({ where: { kind, json: { path: ['metadata', 'dropId'], equals: String(dropId) } } })
const heldOf = async (id: number) => (await db().drop.findUniqueOrThrow({ where: { id } })).held

describe.each(MODES)('the %s checkout', (mode) => {
  const { path, kind, open, pay: payAt } = CHECKOUTS[mode]

  test.each(KINDS)(
    'responds with 503 and releases the unit on the fault %s, and all retries return one object',
    async (fault) => {
      const drop = await makeDrop({ quantity: 1 })
      const buyerToken = newSecret()
      await breakWith(fault, path)
      await expect(open(drop.id, buyerToken)).rejects.toMatchObject({ status: 503, code: 'STRIPE_AWAY' })
      expect(await heldOf(drop.id)).toBe(0)
      await mend()
      const opened = await Promise.all([1, 2, 3].map(() => open(drop.id, buyerToken)))
      expect(new Set(opened).size).toBe(1)
      // A checkout that Stripe opened although the call failed belongs to a released hold, and nobody has its URL.
      expect(await countMade(drop.id, kind)).toBe(fault === 'error-after-commit' ? 2 : 1)
      expect(await db().order.count({ where: { dropId: drop.id } })).toBe(STORED.includes(fault) ? 2 : 1)
      expect(await heldOf(drop.id)).toBe(1)
      expect([200, 303]).toContain((await payAt(opened[0]!)).status)
    },
  )

  it('gives the unit to the next buyer when Stripe’s response is lost, then refuses the first buyer', async () => {
    const drop = await makeDrop({ quantity: 1 })
    const buyerToken = newSecret()
    await breakWith('reset-after-commit', path)
    await expect(open(drop.id, buyerToken)).rejects.toMatchObject({ status: 503 })
    await mend()
    await open(drop.id, newSecret())
    await expect(open(drop.id, buyerToken)).rejects.toMatchObject({ status: 409, code: 'ALL_IN_CHECKOUT' })
    expect(await heldOf(drop.id)).toBe(1)
  })

  it('continues an order whose process died during the call to Stripe', async () => {
    const drop = await makeDrop({ quantity: 1 })
    const buyerToken = newSecret()
    const first = await open(drop.id, buyerToken)
    const forgotten = { stripeSessionId: null, stripePaymentIntentId: null, checkoutUrl: null }
    await db().order.updateMany({ where: { dropId: drop.id }, data: forgotten })
    const aWhileAgo = new Date(Date.now() - 20_000)
    await db().hold.updateMany({ where: { dropId: drop.id }, data: { createdAt: aWhileAgo } })
    expect(await open(drop.id, buyerToken)).toBe(first)
    expect(await countMade(drop.id, kind)).toBe(1)
  })
})

test('a retry whose hold is too short for a session at Stripe starts a new order right away', async () => {
  const drop = await makeDrop({ quantity: 1 })
  const buyerToken = newSecret()
  await breakWith('rate-limit', '/v1/checkout/sessions')
  await expect(openCheckout(drop.id, { buyerToken })).rejects.toMatchObject({ status: 503 })
  await mend()
  // Only 20 minutes of the hold are left, and Stripe opens no session that ends in less than 30 minutes.
  const expiresAt = new Date(Date.now() + 20 * 60_000)
  await db().hold.updateMany({ where: { dropId: drop.id }, data: { expiresAt } })
  const { url } = await openCheckout(drop.id, { buyerToken })
  expect((await pay(url)).status).toBe(303)
  expect(await db().order.count({ where: { dropId: drop.id } })).toBe(2)
})

test('checkouts, upgrades and payout connections give up after one time-out when Stripe is slow, and a retried checkout reuses its order', async () => {
  const drops = { hosted: await makeDrop({ quantity: 1 }), embedded: await makeDrop({ quantity: 1 }) }
  const buyerToken = newSecret()
  const own = contextFor(actorOf(await makeSeller()))
  await breakWith('slow', '/v1/', 80_000)
  const started = performance.now()
  const calls = MODES.map((mode) => CHECKOUTS[mode].open(drops[mode].id, buyerToken))
  const answers = await Promise.allSettled([...calls, startUpgrade(own, 'yearly'), connectPayouts(own)])
  expect(performance.now() - started).toBeLessThan(16_000)
  expect(answers.map((answer) => (answer.status === 'rejected' ? answer.reason : answer).status)).toEqual([
    503, 503, 503, 503,
  ])
  await mend()
  for (const mode of MODES) {
    expect(await heldOf(drops[mode].id)).toBe(0)
    await CHECKOUTS[mode].open(drops[mode].id, buyerToken)
    expect(await heldOf(drops[mode].id)).toBe(1)
    expect(await db().order.count({ where: { dropId: drops[mode].id } })).toBe(1)
  }
})

test.each(KINDS)('the upgrade responds with 503 on the fault %s, and all retries return one session', async (kind) => {
  const seller = await makeSeller()
  const own = contextFor(actorOf(seller))
  await breakWith(kind, '/v1/checkout/sessions')
  await expect(startUpgrade(own, 'yearly')).rejects.toMatchObject({ status: 503, code: 'STRIPE_AWAY' })
  await mend()
  const url = await startUpgrade(own, 'yearly')
  expect(await startUpgrade(own, 'yearly')).toBe(url)
  const { stripeCustomerId } = await db().user.findUniqueOrThrow({ where: { id: seller.id } })
  const made = await stripe().checkout.sessions.list({ customer: stripeCustomerId ?? '' })
  // A session that Stripe created although the call failed stays unused, because nobody has its URL.
  expect(made.data).toHaveLength(kind === 'error-after-commit' ? 2 : 1)
  expect(made.data.map((session) => session.url)).toContain(url)
})

test('a fault affects exactly as many calls as requested', async () => {
  await standIn()!.setFaults({
    api: { kind: 'error', path: '/v1/prices', remaining: 2, delayMs: 0 },
    deliveries: null,
  })
  const calls = await Promise.allSettled([1, 2, 3, 4].map(() => stripe().prices.list()))
  expect(calls.filter(({ status }) => status === 'rejected')).toHaveLength(2)
})
