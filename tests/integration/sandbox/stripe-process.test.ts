import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import Stripe from 'stripe'
import { findFreePort } from '@/scripts/ports.mjs'
import { startStripe, stripeEnvironment } from '@/tests/support/start-stripe.mjs'
import { until } from '@/tests/support/until'
import { drop, PAYS } from './stripe-support'

// These tests use the stand-in as the benchmarks do: it runs in a process of its own, is called over HTTP, and sends
// its webhooks to a server of this test.
let receiver: Server
let stripe: Awaited<ReturnType<typeof startStripe>> | undefined
let sdk: Stripe
let received: Stripe.Event[] = []
const CALLS_PER_SECOND = 25

beforeAll(async () => {
  receiver = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const signature = String(request.headers['stripe-signature'])
      const secret = stripeEnvironment(0).STRIPE_WEBHOOK_SECRET
      received.push(Stripe.webhooks.constructEvent(Buffer.concat(chunks), signature, secret))
      response.writeHead(200).end()
    })
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const appUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
  const port = await findFreePort()
  const databaseUrl = process.env.DATABASE_URL ?? ''
  stripe = await startStripe({ databaseUrl, appUrl, port, delayMs: [30, 40], callsPerSecond: CALLS_PER_SECOND })
  sdk = new Stripe(stripe.environment.STRIPE_SECRET_KEY ?? '', {
    protocol: 'http',
    host: '127.0.0.1',
    port,
    maxNetworkRetries: 0,
    telemetry: false,
  })
}, 120_000)

afterAll(async () => {
  await stripe?.stop()
  receiver.closeAllConnections()
  await new Promise((resolve) => receiver.close(resolve))
})

it('creates a session, takes a payment on its own payment page and sends signed events, as Stripe does', async () => {
  received = []
  const startedAt = performance.now()
  const session = await sdk.checkout.sessions.create(drop)
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(29)
  expect(session.url).toContain(stripe?.url)
  const paid = await fetch(`${session.url}/pay`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'bea@example.com', cardNumber: PAYS }),
    redirect: 'manual',
  })
  expect(paid.status).toBe(303)
  expect(await sdk.checkout.sessions.retrieve(session.id)).toMatchObject({ payment_status: 'paid' })
  // The event charge.updated comes about a second later than the others, and any of them may come twice.
  const types = () => [...new Set(received.map(({ type }) => type))].sort()
  await until('third event', async () => types().length === 3)
  // An endpoint gets only the events that it asks for. The endpoint of this test does not ask for charge.succeeded.
  expect(types()).toEqual(['charge.updated', 'checkout.session.completed', 'payment_intent.succeeded'])
  expect(await stripe?.figures()).toMatchObject({ opened: 1, refused: 0 })
  expect((await stripe?.figures())?.cpuUs).toBeGreaterThan(0)
})

it('refuses more calls of one kind a second than Stripe accepts', async () => {
  const calls = Array.from({ length: 4 * CALLS_PER_SECOND }, () =>
    sdk.checkout.sessions.list().then(() => 200, statusOf),
  )
  const statuses = await Promise.all(calls)
  // The limit applies to each second of the clock, and this test expects its calls to fall into at most two of them.
  expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(2 * CALLS_PER_SECOND)
  expect(new Set(statuses)).toEqual(new Set([200, 429]))
})

const statusOf = (error: unknown) => (error as Stripe.errors.StripeError).statusCode
