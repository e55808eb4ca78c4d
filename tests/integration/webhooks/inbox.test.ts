import Stripe from 'stripe'
import { flushCollectors } from '@/lib/infra/collector'
import { closeDatabase, db } from '@/lib/infra/db'
import { type Context, systemContext } from '@/lib/infra/context'
import { keyedHash } from '@/lib/infra/crypto'
import { readWebhook } from '@/lib/infra/stripe'
import { receiveStripeEvent } from '@/lib/webhooks/receive-stripe-event'
import { makeDrop } from '@/tests/support/factories'
import { examineMoneyAfterEach } from '@/tests/support/examine-money-after-each'
import { openCheckout, pay } from '@/tests/support/shop'
import { stripeEvent } from '@/tests/support/stripe-event'

examineMoneyAfterEach()
afterAll(closeDatabase)

const ctx = () => systemContext('test')

/** Returns the events about a checkout session that the stand-in has queued, in the order in which it queued them. */
async function eventsOf(sessionId: string): Promise<Stripe.Event[]> {
  const rows = await db().sandboxDelivery.findMany({
    where: { payload: { contains: sessionId } },
    orderBy: { id: 'asc' },
  })
  return rows.map((row) => JSON.parse(row.payload) as Stripe.Event)
}

it('handles an event that arrives a hundred times only once', async () => {
  const drop = await makeDrop({ quantity: 5 })
  const { url, sessionId } = await openCheckout(drop.id)
  await pay(url)
  const event = (await eventsOf(sessionId)).find(({ type }) => type === 'checkout.session.completed')
  if (!event) throw new Error('the event was not found')
  await Promise.all(Array.from({ length: 50 }, () => receiveStripeEvent(ctx(), event)))
  const later = await Promise.all(Array.from({ length: 50 }, () => receiveStripeEvent(ctx(), event)))
  expect(new Set(later)).toEqual(new Set([later[0]]))
  expect(later[0]).toMatch(/^duplicate: /)

  expect(await db().order.count({ where: { dropId: drop.id } })).toBe(1)
  expect(await db().drop.findUniqueOrThrow({ where: { id: drop.id } })).toMatchObject({
    sold: 1,
    held: 0,
    purchases: 1,
  })
  const order = await db().order.findUniqueOrThrow({ where: { stripeSessionId: sessionId } })
  expect(await db().outboxMail.count({ where: { dedupeKey: `receipt:${order.id}` } })).toBe(1)
  expect(await db().webhookEvent.findUniqueOrThrow({ where: { id: event.id } })).toMatchObject({ attempts: 100 })
})

it('an order ends in Stripe’s state, even if its events arrive in reverse order between two false expiry events', async () => {
  const drop = await makeDrop({ quantity: 5 })
  const { url, sessionId } = await openCheckout(drop.id)
  await pay(url)
  const events = await eventsOf(sessionId)
  const expired = { ...events[0], id: `evt_${sessionId}`, type: 'checkout.session.expired' } as Stripe.Event
  expired.data = { object: { id: sessionId, object: 'checkout.session' } } as never
  for (const event of [expired, ...[...events].reverse(), expired]) await receiveStripeEvent(ctx(), event)
  expect(await db().order.findUniqueOrThrow({ where: { stripeSessionId: sessionId } })).toMatchObject({
    status: 'paid',
  })
  expect(await db().drop.findUniqueOrThrow({ where: { id: drop.id } })).toMatchObject({ sold: 1, held: 0 })
})

it('acknowledges events about unknown objects without an error', async () => {
  const event = (type: string, object: object) =>
    ({ id: `evt_${Math.random()}`, type, data: { object } }) as Stripe.Event
  await expect(receiveStripeEvent(ctx(), event('customer.created', { id: 'cus_1' }))).resolves.toBe('ignored')
  const unknown = event('checkout.session.completed', { id: 'cs_test_of_nobody' })
  await expect(receiveStripeEvent(ctx(), unknown)).resolves.toBe('unknown')
})

it.each([
  ['checkout.session.completed', { id: 5 }],
  ['checkout.session.completed', { id: 'cs_test_\u0000abcdefgh' }],
  ['checkout.session.expired', { id: '../../v1/charges' }],
  ['checkout.session.expired', {}],
  ['payment_intent.succeeded', { id: 'pi_1' }],
  ['payment_intent.succeeded', { id: 'pi_1', metadata: null }],
  ['payment_intent.succeeded', { metadata: { mode: 'embedded' } }],
  ['charge.refunded', { id: 'ch_1', payment_intent: ['pi_1'] }],
  ['charge.updated', { id: 'ch_1', payment_intent: { id: 7 } }],
  ['customer.subscription.updated', { id: 'sub_1', customer: 12 }],
  ['account.updated', { id: {} }],
])('ignores a malformed %s: %j', async (type, object) => {
  const event = stripeEvent(type, object)
  expect(['ignored', 'unknown']).toContain(await receiveStripeEvent(ctx(), event))
  await flushCollectors()
  expect(await db().webhookEvent.findUnique({ where: { id: event.id } })).toMatchObject({ attempts: 1 })
})

it('acknowledges an event that needs no handling without running a SQL statement', async () => {
  const sql = () => Promise.reject(new Error('a statement was run'))
  const silent = { ...ctx(), sql: Object.assign(sql, { unprepared: sql }) }
  const events = ['payment_intent.succeeded', 'charge.succeeded'].map((type) =>
    stripeEvent(type, { id: 'pi_1', metadata: {} }),
  )
  for (const event of events) await expect(receiveStripeEvent(silent, event)).resolves.toBe('ignored')
  await flushCollectors()
  const rows = await db().webhookEvent.findMany({ where: { id: { in: events.map(({ id }) => id) } } })
  expect(rows.map(({ outcome, handledAt }) => [outcome, handledAt !== null])).toEqual(Array(2).fill(['ignored', true]))
})

it('keeps a failed event open, and handles it when it arrives again', async () => {
  const drop = await makeDrop({ quantity: 5 })
  const { url, sessionId } = await openCheckout(drop.id)
  await pay(url)
  const event = (await eventsOf(sessionId)).find(({ type }) => type === 'checkout.session.completed')
  if (!event) throw new Error('the event was not found')
  const broken: Context = {
    ...ctx(),
    stripe: () => {
      throw new Error('Stripe is away')
    },
  }
  await expect(receiveStripeEvent(broken, event)).rejects.toThrow('Stripe is away')
  const row = () => db().webhookEvent.findUniqueOrThrow({ where: { id: event.id } })
  expect(await row()).toMatchObject({ attempts: 1, handledAt: null, outcome: null })
  await expect(receiveStripeEvent(ctx(), event)).resolves.toMatch(/paid/)
  expect(await row()).toMatchObject({ attempts: 2, handledAt: expect.any(Date) as Date })
})

describe('signatures', () => {
  const secret = () => `whsec_${keyedHash('sandbox-webhook', 'secret')}`
  const payload = JSON.stringify({ id: 'evt_1', object: 'event', type: 'customer.created', data: { object: {} } })
  const nowSeconds = Math.floor(Date.now() / 1000)
  const sign = (options: { secret?: string; timestamp?: number; payload?: string } = {}) =>
    Stripe.webhooks.generateTestHeaderString({ payload, secret: secret(), timestamp: nowSeconds, ...options })

  it('accepts a valid signature', () => expect(readWebhook(payload, sign(), Date.now())?.id).toBe('evt_1'))

  it.each([
    { id: 'evt_\u0000', type: 'a.b', data: { object: {} } },
    { id: `evt_${'x'.repeat(5_000)}`, type: 'a.b', data: { object: {} } },
    { id: 7, type: 'a.b', data: { object: {} } },
    { id: 'evt_1', type: ['a.b'], data: { object: {} } },
    { id: 'evt_1', type: 'a.b', data: { object: [] } },
    { id: 'evt_1', type: 'a.b', data: { object: null } },
    { id: 'evt_1', type: 'a.b' },
    [],
    null,
  ])('refuses a signed body that is not an event: %j', (sent) => {
    const body = JSON.stringify(sent)
    expect(readWebhook(body, sign({ payload: body }), Date.now())).toBeNull()
  })

  test.each([
    ['a missing signature', () => ''],
    ['a malformed signature', () => 'v1=abc'],
    ['a signature with a wrong secret', () => sign({ secret: 'whsec_other' })],
    ['the signature of another body', () => sign({ payload: '{}' })],
    ['a signature that is more than five minutes old', () => sign({ timestamp: nowSeconds - 301 })],
    ['a signature from the future', () => sign({ timestamp: nowSeconds + 86_400 })],
    ['a signature with a blank secret', () => sign({ secret: ' ' })],
  ])('refuses %s', (_name, header) => expect(readWebhook(payload, header(), Date.now())).toBeNull())
})
