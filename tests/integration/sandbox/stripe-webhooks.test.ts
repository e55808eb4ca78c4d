import Stripe from 'stripe'
import {
  CONNECT_SECRET,
  createWorld,
  DISPUTED,
  drop,
  PAYS,
  payJson,
  WEBHOOK_SECRET,
  type World,
} from './stripe-support'

let world: World

beforeEach(async () => {
  world = await createWorld()
})
afterEach(() => world.close())

async function pay(cardNumber = PAYS): Promise<Stripe.Checkout.Session> {
  const session = await world.stripe.checkout.sessions.create(drop)
  const response = await payJson(world.standIn, session.url, { email: 'buyer@example.com', cardNumber })
  expect(response.status).toBe(303)
  return world.stripe.checkout.sessions.retrieve(session.id)
}

async function waiting(): Promise<{ attempts: number; lastStatus: number | null; dueInMs: number }[]> {
  const { rows } = await world.pool.query<{ attempts: number; lastStatus: number | null; nextAttemptAt: Date }>(
    `SELECT "attempts", "lastStatus", "nextAttemptAt" FROM "SandboxDelivery" WHERE "deliveredAt" IS NULL`,
  )
  return rows.map(({ nextAttemptAt, ...row }) => ({
    ...row,
    dueInMs: nextAttemptAt.getTime() - world.nowSeconds() * 1000,
  }))
}

/** Waits until the condition is true. Throws after five seconds. */
async function until(check: () => boolean): Promise<void> {
  const deadline = Date.now() + 5_000
  while (!check()) {
    if (Date.now() > deadline) throw new Error('the condition did not become true within 5 s')
    await new Promise((resolve) => setImmediate(resolve))
  }
}

const PAID = ['charge.succeeded', 'checkout.session.completed', 'payment_intent.created', 'payment_intent.succeeded']

test('webhooks arrive on their own, signed, and with a snapshot of the object', async () => {
  const session = await pay()
  await until(() => world.received.length === PAID.length)
  expect(world.types()).toEqual(PAID)
  for (const { payload, signature } of world.received) {
    expect(Stripe.webhooks.constructEvent(payload, signature, WEBHOOK_SECRET)).toMatchObject({
      object: 'event',
      livemode: false,
      pending_webhooks: 1,
      request: { id: null, idempotency_key: null },
    })
    expect(() => Stripe.webhooks.constructEvent(payload, signature, 'whsec_other')).toThrow()
  }
  const completed = world.received.find(({ event }) => event.type === 'checkout.session.completed')
  expect(completed?.event.data.object).toEqual(JSON.parse(JSON.stringify(session)))
  await world.standIn.deliverDue()
  const { data } = await world.stripe.events.list({ delivery_success: true })
  // The fee of the payment is reported a moment later, with `charge.updated`.
  expect(data).toHaveLength(PAID.length + 1)
})

// docs.stripe.com/webhooks#behaviors (docs/stripe-rules.md, C15)
test('webhooks are repeated with growing pauses until they are accepted', async () => {
  world.answerWith(500)
  await world.stripe.paymentIntents.create({ amount: 500, currency: 'usd' })
  await world.standIn.deliverDue()
  expect(await waiting()).toMatchObject([{ attempts: 1, lastStatus: 500 }])
  for (const [index, seconds] of [1, 2, 5, 10, 20, 30, 60, 60].entries()) {
    const [delivery] = await waiting()
    expect(delivery?.dueInMs).toBeLessThanOrEqual(seconds * 1000 + 1_000)
    // The receiver responds with a redirect, which is not followed, or closes the connection without a response.
    world.answerWith(index % 2 ? null : 302)
    world.advance(seconds * 1000)
    expect(await world.standIn.deliverDue()).toBe(0)
    expect((await waiting())[0]).toMatchObject({ attempts: index + 2, lastStatus: index % 2 ? null : 302 })
  }
  world.answerWith(200)
  world.advance(60_000)
  await world.standIn.deliverDue()
  expect(await waiting()).toEqual([])
  expect(world.types()).toEqual(['payment_intent.created'])
})

test('webhooks are not repeated after three days', async () => {
  world.answerWith(500)
  await world.stripe.paymentIntents.create({ amount: 500, currency: 'usd' })
  await world.standIn.deliverDue()
  world.advance(3 * 86_400_000 + 60_000)
  await world.standIn.deliverDue()
  world.answerWith(200)
  world.advance(86_400_000)
  expect(await world.standIn.deliverDue()).toBe(0)
  expect(world.received).toEqual([])
})

test('webhooks arrive once each when several instances of the stand-in send them', async () => {
  world.answerWith(500)
  await Promise.all(Array.from({ length: 5 }, () => pay()))
  await world.standIn.deliverDue()
  world.answerWith(200)
  world.advance(120_000)
  // The first stand-in also retries by itself, so only the receiver can count.
  await Promise.all([world.standIn, world.twin(), world.twin()].map((each) => each.deliverDue()))
  expect(new Set(world.received.map(({ event }) => event.id)).size).toBe(25)
  expect(world.received).toHaveLength(25)
})

test('webhooks of a process that died are sent by another process once its claim has expired', async () => {
  await world.stripe.paymentIntents.create({ amount: 500, currency: 'usd' })
  await world.standIn.deliverDue()
  // This is the state after a process claimed the delivery and was killed before it recorded the response.
  await world.pool.query(`UPDATE "SandboxDelivery" SET "deliveredAt" = NULL, "nextAttemptAt" = $1`, [
    new Date(Date.now() + 30_000),
  ])
  expect(await world.twin().deliverDue()).toBe(0)
  world.advance(31_000)
  expect(await world.twin().deliverDue()).toBe(1)
})

test('webhooks report a dispute right after the payment, and the disputed charge cannot be refunded', async () => {
  const session = await pay(DISPUTED)
  await world.standIn.deliverDue()
  const disputed = ['charge.dispute.created', 'charge.dispute.funds_withdrawn', 'charge.updated']
  expect(world.types()).toEqual([...disputed, ...PAID].sort())
  const { data } = await world.stripe.disputes.list({
    payment_intent: String(session.payment_intent),
    expand: ['data.charge'],
  })
  expect(data[0]).toMatchObject({ status: 'needs_response', amount: 2400, charge: { disputed: true, paid: true } })
  expect((await world.stripe.disputes.retrieve(data[0]!.id)).balance_transactions[0]).toMatchObject({
    amount: -2400,
    fee: 1500,
  })
  await expect(world.stripe.refunds.create({ payment_intent: String(session.payment_intent) })).rejects.toMatchObject({
    code: 'charge_disputed',
  })
})

// docs.stripe.com/connect/webhooks: an endpoint for connected accounts has its own secret, and its events name the
// account.
describe('webhooks of connected accounts', () => {
  const createAccount = () =>
    world.stripe.accounts.create({
      capabilities: { transfers: { requested: true }, card_payments: { requested: true } },
    })

  it('are signed with the secret of their own endpoint and name the account', async () => {
    const { id } = await createAccount()
    await world.stripe.customers.create({})
    await world.stripe.paymentIntents.create({ amount: 500, currency: 'usd' })
    await world.standIn.deliverDue()
    const [ofAccount, ...others] = world.received.filter(({ event }) => event.type === 'account.updated')
    expect(others).toEqual([])
    expect(ofAccount?.event).toMatchObject({ account: id, data: { object: { id } } })
    const { payload = '', signature = '' } = ofAccount ?? {}
    expect(Stripe.webhooks.constructEvent(payload, signature, CONNECT_SECRET).account).toBe(id)
    expect(() => Stripe.webhooks.constructEvent(payload, signature, WEBHOOK_SECRET)).toThrow()
    const ofPlatform = world.received.find(({ event }) => event.type === 'payment_intent.created')
    expect(ofPlatform?.event.account).toBeUndefined()
    expect(() =>
      Stripe.webhooks.constructEvent(ofPlatform?.payload ?? '', ofPlatform?.signature ?? '', CONNECT_SECRET),
    ).toThrow()
  })

  it('report a deleted account, and calls for this account are then refused with account_invalid', async () => {
    const { id } = await createAccount()
    await world.stripe.accounts.del(id)
    await world.standIn.deliverDue()
    const gone = world.received.find(({ event }) => event.type === 'account.application.deauthorized')
    expect(gone?.event).toMatchObject({ account: id, data: { object: { object: 'application' } } })
    await expect(world.stripe.accounts.retrieve(id)).rejects.toMatchObject({ code: 'account_invalid', statusCode: 403 })
  })

  it('carry events that can be read only by a request that names their account', async () => {
    const { id } = await createAccount()
    await world.standIn.deliverDue()
    const event = world.received.at(-1)?.event
    await expect(world.stripe.events.retrieve(event?.id ?? '')).rejects.toMatchObject({ code: 'resource_missing' })
    expect(await world.stripe.events.retrieve(event?.id ?? '', {}, { stripeAccount: id })).toMatchObject({
      account: id,
    })
    expect((await world.stripe.events.list()).data).toEqual([])
    expect((await world.stripe.events.list({}, { stripeAccount: id })).data).toHaveLength(1)
  })
})

test('webhooks are not sent to an endpoint that is disabled or does not list their type of event', async () => {
  const endpoints = (await world.stripe.webhookEndpoints.list()).data
  expect(endpoints.map(({ application, url }) => [application, url])).toEqual([
    ['ca_sandbox', 'http://localhost:3999/api/webhooks/stripe'],
    [null, 'http://localhost:3999/api/webhooks/stripe'],
  ])
  const platform = endpoints[1]?.id ?? ''
  await world.stripe.webhookEndpoints.update(platform, { enabled_events: ['payment_intent.canceled'] })
  const { id } = await world.stripe.paymentIntents.create({ amount: 500, currency: 'usd' })
  await world.stripe.paymentIntents.cancel(id)
  await world.standIn.deliverDue()
  expect(world.types()).toEqual(['payment_intent.canceled'])
  await world.stripe.webhookEndpoints.update(platform, { disabled: true })
  await world.stripe.paymentIntents.create({ amount: 500, currency: 'usd' })
  await world.standIn.deliverDue()
  expect(world.types()).toEqual(['payment_intent.canceled'])
  expect(await waiting()).toEqual([])
})

describe('when a test asks for it, webhooks arrive', () => {
  afterEach(() => world.standIn.setFaults({ api: null, deliveries: null }))

  test('twice each, even when they are also shuffled', async () => {
    await world.standIn.setFaults({ api: null, deliveries: { isTwice: true, isShuffled: true, delayMs: 0 } })
    await pay()
    await world.standIn.deliverDue()
    const counts = new Map<string, number>()
    for (const { event } of world.received) counts.set(event.id, (counts.get(event.id) ?? 0) + 1)
    expect(counts.size).toBeGreaterThan(2)
    expect([...counts.values()].every((count) => count === 2)).toBe(true)
  })

  test('late', async () => {
    await world.standIn.setFaults({ api: null, deliveries: { isTwice: false, isShuffled: false, delayMs: 60_000 } })
    await world.stripe.accounts.create({ email: 'a@example.com' })
    expect(await world.standIn.deliverDue()).toBe(0)
    world.advance(61_000)
    expect(await world.standIn.deliverDue()).toBe(1)
  })
})

describe('with a seed', () => {
  const NO_FAULTS = { api: null, deliveries: null }
  afterEach(() => world.standIn.setFaults({ ...NO_FAULTS, seed: null }))

  /** Pays ten times, and returns the events in the order in which they arrive. */
  async function payOften(): Promise<string[]> {
    for (let count = 0; count < 10; count += 1) await pay()
    for (let waited = 0; waited < 500; waited += 20) {
      world.advance(20)
      await world.standIn.deliverDue()
    }
    return world.received.map(({ event }) => event.id)
  }

  test('webhooks are late by different times, so they arrive out of order, and some arrive twice', async () => {
    await world.standIn.setFaults({ ...NO_FAULTS, seed: 7 })
    const ids = await payOften()
    const { rows } = await world.pool.query<{ eventId: string }>(
      `SELECT "eventId" FROM "SandboxDelivery" ORDER BY "id"`,
    )
    const sent = rows.map(({ eventId }) => eventId)
    expect(new Set(ids)).toEqual(new Set(sent))
    expect([...new Set(ids)]).not.toEqual(sent)
    expect(ids.length).toBeGreaterThan(sent.length)
    expect(ids.length).toBeLessThan(2 * sent.length)
    expect(await waiting()).toEqual([])
  })

  test('other settings keep the seed, and null ends it', async () => {
    await world.standIn.setFaults({ ...NO_FAULTS, seed: 7 })
    await world.standIn.setFaults({ api: null, deliveries: null, limits: false })
    expect(new Set(await payOften()).size).toBeLessThan(world.received.length)
    await world.standIn.setFaults({ ...NO_FAULTS, seed: null })
    const before = world.received.length
    await world.stripe.accounts.create({ email: 'a@example.com' })
    await world.standIn.deliverDue()
    expect(world.received.slice(before).filter(({ event }) => event.type === 'account.updated')).toHaveLength(1)
  })
})
