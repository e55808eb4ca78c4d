// Runs the stand-in for Stripe as a separate process, for tests and benchmarks. The application calls the stand-in over
// HTTP (STRIPE_API_URL) as it calls Stripe, and a benchmark can exclude the stand-in's processor time. start-stripe.mjs
// starts this process and controls it over IPC.
import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { messageOf } from '@/lib/kernel/caught-error.mjs'
import type { BankStep } from '@/lib/sandbox/stripe/payments/bank-does'
import type { FaultSettings } from '@/lib/sandbox/stripe/create-fault-box'
import { createStandIn, type StandIn } from '@/lib/sandbox/stripe/stand-in'
import { migrate } from '@/prisma/migrate.mjs'

export type StripeSettings = {
  /** Any database of the Postgres server on which the process creates its own database. */
  databaseUrl: string
  webhookUrl: string
  webhookSecret: string
  secretKey: string
  port: number
  /**
   * Whether Postgres flushes each of the stand-in's commits to the disk. Stripe's disks are not those of the machine
   * that is measured, so benchmarks do without it. Tests that kill Postgres need it.
   */
  isDurable: boolean
  /** The shortest and the longest time by which a call is delayed. */
  delayMs: [least: number, most: number]
  /** The limit per second for calls with the same method about one kind of object. Calls above the limit get a 429. */
  callsPerSecond: number | null
  /** True if failed deliveries are not printed, because the caller makes them fail on purpose. */
  isQuiet: boolean
}

export type StripeFigures = {
  cpuUs: number
  /** The number of sessions that were opened. `openingMs` is the time that all of these calls took together. */
  opened: number
  openingMs: number
  /** The number of calls that were answered with 429. */
  refused: number
}

/** A command for the running process. */
export type StripeOrder = { faults: FaultSettings } | { bank: { intentId: string; step: BankStep } }

const HOST = '127.0.0.1'
/** The events for which the endpoints at Stripe are set up (docs/stripe.md). A `*` stands for any ending. */
const EVENT_TYPES = [
  'checkout.session.*',
  'payment_intent.succeeded',
  'payment_intent.canceled',
  'charge.updated',
  'charge.refunded',
  'refund.*',
  'charge.dispute.*',
  'customer.subscription.*',
  'invoice.paid',
  'invoice.payment_failed',
  'account.updated',
  'account.application.deauthorized',
  'capability.updated',
  'payout.failed',
]
/** How often the process does the work that is due, such as expiring sessions and sending events again. */
const DUE_MS = 1_000

const counted = { opened: 0, openingMs: 0, refused: 0 }
const callsOfSecond = new Map<string, { second: number; calls: number }>()

let running: StandIn | undefined

process.on('message', (message: StripeSettings | StripeOrder | 'figures') => {
  obey(message).then(
    (sent) => process.send?.(sent),
    (error: unknown) => process.send?.({ error: messageOf(error) }),
  )
})
process.on('disconnect', () => process.exit())

async function obey(message: StripeSettings | StripeOrder | 'figures'): Promise<object> {
  if (message === 'figures') return figures()
  if ('databaseUrl' in message) return start(message)
  if ('faults' in message) await running?.setFaults(message.faults)
  else await running?.bankDoes(message.bank.intentId, message.bank.step)
  return {}
}

function figures(): StripeFigures {
  const { user, system } = process.cpuUsage()
  return { cpuUs: user + system, ...counted }
}

async function start({ databaseUrl, port, delayMs, callsPerSecond, isDurable, ...options }: StripeSettings) {
  const connectionString = await createDatabase(databaseUrl, isDurable)
  const pool = new pg.Pool({ connectionString, max: 20, application_name: 'stripe', lock_timeout: 8_000 })
  pool.on('error', () => {})
  const server = createServer()
  server.listen(port, HOST)
  await new Promise((resolve) => server.once('listening', resolve))
  const url = `http://${HOST}:${(server.address() as AddressInfo).port}`
  const warn = (details: Record<string, unknown>, text: string) => console.error(text, details)
  const standIn = createStandIn({
    ...options,
    eventTypes: EVENT_TYPES,
    connectWebhookSecret: options.webhookSecret,
    pool,
    appUrl: url,
    log: options.isQuiet ? { warn: () => {}, error: warn } : { warn, error: warn },
  })
  running = standIn

  async function callApi(request: Request, pathname: string): Promise<Response> {
    const [least, most] = delayMs
    if (most > 0) await sleep(least + Math.random() * (most - least))
    if (callsPerSecond === null || !isAboveLimit(`${request.method} ${kindOf(pathname)}`, callsPerSecond)) {
      return standIn.api(request)
    }
    counted.refused += 1
    const error = { type: 'invalid_request_error', code: 'rate_limit', message: 'Request rate limit exceeded.' }
    return Response.json({ error }, { status: 429, headers: { 'stripe-rate-limited-reason': 'endpoint-rate' } })
  }

  server.on('request', (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const arrivedAt = performance.now()
    const isCall = incoming.url?.startsWith('/v1/') ?? false
    const isOpening = incoming.method === 'POST' && incoming.url === '/v1/checkout/sessions'
    outgoing.once('finish', () => {
      if (!isOpening) return
      counted.opened += 1
      counted.openingMs += performance.now() - arrivedAt
    })
    void answer(incoming, outgoing, (request) =>
      isCall ? callApi(request, new URL(request.url).pathname) : standIn.pages(request),
    )
  })
  setInterval(() => void standIn.deliverDue().catch(() => {}), DUE_MS)
  return { url, databaseUrl: connectionString }
}

/** Creates a migrated database on the same Postgres, so that the stand-in's statements can be measured separately. */
async function createDatabase(databaseUrl: string, isDurable: boolean): Promise<string> {
  const name = `stripe_${randomBytes(6).toString('hex')}`
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query(`CREATE DATABASE "${name}"`)
    if (!isDurable) await client.query(`ALTER DATABASE "${name}" SET synchronous_commit = off`)
  } finally {
    await client.end()
  }
  const own = new URL(databaseUrl)
  own.pathname = `/${name}`
  await migrate(own.href)
  return own.href
}

/**
 * Returns the kind of object that a path is about: for `/v1/checkout/sessions/cs_1/expire` it is `checkout/sessions`.
 */
function kindOf(pathname: string): string {
  return pathname
    .split('/')
    .slice(2, pathname.startsWith('/v1/checkout/') ? 4 : 3)
    .join('/')
}

/** Counts a call in the current second, and returns whether this second now has more calls than the limit. */
function isAboveLimit(kind: string, limit: number): boolean {
  const second = Math.floor(Date.now() / 1000)
  const known = callsOfSecond.get(kind)
  const entry = known?.second === second ? known : { second, calls: 0 }
  callsOfSecond.set(kind, entry)
  entry.calls += 1
  return entry.calls > limit
}

/** Sends the Response that `run` returns for a request of node:http. If `run` throws, the connection breaks. */
async function answer(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  run: (request: Request) => Promise<Response>,
): Promise<void> {
  try {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    const { method = 'GET', url = '/' } = incoming
    const headers = new Headers()
    for (const [name, value] of Object.entries(incoming.headers)) headers.set(name, String(value))
    const body = ['GET', 'HEAD'].includes(method) ? null : Buffer.concat(chunks)
    const response = await run(new Request(`http://${incoming.headers.host ?? HOST}${url}`, { method, headers, body }))
    outgoing.writeHead(response.status, Object.fromEntries(response.headers))
    outgoing.end(Buffer.from(await response.arrayBuffer()))
  } catch {
    // To the application this looks like a broken connection to Stripe.
    outgoing.destroy()
  }
}
