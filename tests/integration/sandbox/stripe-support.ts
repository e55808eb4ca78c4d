import http from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import Stripe from 'stripe'
import { createStandIn, type StandIn, type StandInOptions } from '@/lib/sandbox/stripe/stand-in'

export const SECRET_KEY = 'sk_test_stand_in'
export const WEBHOOK_SECRET = 'whsec_stand_in'
export const CONNECT_SECRET = 'whsec_stand_in_connect'
const APP_URL = 'http://localhost:3999'

type Received = { payload: string; signature: string; event: Stripe.Event }

export type World = {
  pool: pg.Pool
  standIn: StandIn
  stripe: Stripe
  /** Creates another stand-in on the same database, which acts as a second process. */
  twin: () => StandIn
  received: Received[]
  types: () => string[]
  /** Sets the status with which the receiver of webhooks responds. With null it closes the connection instead. */
  answerWith: (status: number | null) => void
  /** Moves the stand-in's clock forward. */
  advance: (ms: number) => void
  nowSeconds: () => number
  close: () => Promise<void>
}

function startReceiver(received: Received[], statusOf: () => number | null): Promise<http.Server> {
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const status = statusOf()
      const payload = Buffer.concat(chunks).toString()
      const signature = String(request.headers['stripe-signature'])
      if (status !== null && status < 300) {
        received.push({ payload, signature, event: JSON.parse(payload) as Stripe.Event })
      }
      if (status === null) request.socket.destroy()
      else response.writeHead(status).end()
    })
  })
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)))
}

/**
 * Deletes all earlier data of stand-ins. Then creates a stand-in on the test database, a receiver of its webhooks, and
 * an instance of Stripe's SDK that calls the stand-in. @param options override the options of the stand-in.
 */
export async function createWorld(options: Partial<StandInOptions> = {}): Promise<World> {
  const pool = new pg.Pool({
    // A pooler refuses the setting as a startup parameter.
    connectionString: process.env.DIRECT_DATABASE_URL ?? process.env.DATABASE_URL,
    max: 20,
    lock_timeout: 8_000,
  })
  await pool.query(`TRUNCATE "SandboxObject", "SandboxIdempotencyKey", "SandboxDelivery"`)
  const received: Received[] = []
  let status: number | null = 200
  let offsetMs = 0
  const server = await startReceiver(received, () => status)
  const make = () =>
    createStandIn({
      pool,
      appUrl: APP_URL,
      secretKey: SECRET_KEY,
      webhookUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
      webhookSecret: WEBHOOK_SECRET,
      connectWebhookSecret: CONNECT_SECRET,
      now: () => new Date(Date.now() + offsetMs),
      ...options,
    })
  const standIn = make()
  return {
    pool,
    standIn,
    twin: make,
    stripe: sdkFor(standIn, SECRET_KEY),
    received,
    types: () => received.map(({ event }) => event.type).sort(),
    answerWith: (next) => void (status = next),
    advance: (ms) => void (offsetMs += ms),
    nowSeconds: () => Math.floor((Date.now() + offsetMs) / 1000),
    close: async () => {
      status = 200
      await standIn.deliverDue()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await pool.end()
    },
  }
}

export function sdkFor(standIn: StandIn, key: string): Stripe {
  return new Stripe(key, {
    maxNetworkRetries: 0,
    telemetry: false,
    httpClient: Stripe.createFetchHttpClient((input: RequestInfo | URL, init?: RequestInit) =>
      standIn.api(new Request(input, init)),
    ),
  })
}

export const drop: Stripe.Checkout.SessionCreateParams = {
  mode: 'payment',
  ui_mode: 'hosted_page',
  line_items: [
    {
      quantity: 2,
      price_data: {
        currency: 'usd',
        unit_amount: 1200,
        product_data: { name: 'Zine <b>No. 1</b>', images: ['https://img.example/zine.jpg'] },
      },
    },
  ],
  success_url: `${APP_URL}/success-payment?session_id={CHECKOUT_SESSION_ID}`,
  cancel_url: `${APP_URL}/drop/abc`,
  client_reference_id: 'ord_1',
  metadata: { orderId: 'ord_1' },
  payment_intent_data: { metadata: { orderId: 'ord_1' }, transfer_group: 'ord_1' },
}

export const shipped: Stripe.Checkout.SessionCreateParams = {
  ...drop,
  shipping_address_collection: { allowed_countries: ['US', 'DE'] },
  phone_number_collection: { enabled: true },
}

export const PAYS = '4242 4242 4242 4242'
export const DECLINED = '4000000000000002'
export const LACKS_FUNDS = '4000000000009995'
export const ASKS_FIRST = '4000000000003220'
export const DISPUTED = '4000000000000259'

/** Presses Pay as a script does. */
export function payJson(standIn: StandIn, url: string | null, body: unknown): Promise<Response> {
  return standIn.pages(
    new Request(`${url}/pay`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    }),
  )
}

/** Presses Pay as a browser does. */
export function payForm(standIn: StandIn, url: string | null, fields: Record<string, string>): Promise<Response> {
  return standIn.pages(
    new Request(`${url}/pay`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' },
      body: new URLSearchParams(fields),
    }),
  )
}

export async function errorOf(
  response: Response,
): Promise<{ code?: string; message: string; param?: string; decline_code?: string }> {
  return ((await response.json()) as { error: { message: string } }).error
}

/**
 * Returns the error of an SDK call that the stand-in refuses. Throws when the call succeeds or fails for another
 * reason.
 */
export async function refusalOf(call: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  const error: unknown = await call.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (!(error instanceof Stripe.errors.StripeError)) throw new Error(`expected a Stripe error, got ${String(error)}`)
  return error
}
