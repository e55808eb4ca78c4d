import 'server-only'
import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import Stripe from 'stripe'
import { processState } from '@/lib/kernel/process-state.mjs'
import { STRIPE_EVENT_ID } from '@/lib/kernel/stripe-event-id'
import type { StandIn, StandInOptions } from '@/lib/sandbox/stripe/stand-in'
import { keyedHash } from './crypto'
import { pool } from './db'
import { env } from './env'
import { log } from './log'
import { retryRateLimited } from './retry-rate-limited'

// No other file chooses whether calls go to Stripe or to the stand-in (docs/contract.md#sandbox).

const shared = processState('stripe', (): { client?: Stripe; standIn?: StandIn } => ({}))

/** The timeout of a call. It is short enough that a checkout responds within 10 s even when Stripe hangs. */
const TIMEOUT_MS = 8_000

/** Returns whether payments go to Stripe, to the stand-in, or nowhere, because an exposed installation has no keys. */
export function paymentsMode(): 'live' | 'sandbox' | 'off' {
  return env().payments
}

/** The signing secrets of the two endpoints: for events of the platform, and for events of connected accounts. */
function webhookSecrets(): { platform: string; connect: string } {
  const { stripeWebhookSecret, stripeConnectWebhookSecret } = env()
  return {
    platform: stripeWebhookSecret ?? `whsec_${keyedHash('sandbox-webhook', 'secret')}`,
    connect: stripeConnectWebhookSecret ?? `whsec_${keyedHash('sandbox-webhook', 'connect')}`,
  }
}

/** Returns the local stand-in, or null when payments are live or off. */
export function standIn(): StandIn | null {
  if (paymentsMode() !== 'sandbox') return null
  return (shared.standIn ??= loadStandIn({
    pool: pool(),
    appUrl: env().appUrl,
    secretKey: sandboxKey(),
    // Webhooks are delivered over the loopback interface, whatever the public URL is. A serverless host can be reached
    // only at its public URL.
    webhookUrl: `${env().isServerless ? env().appUrl : `http://127.0.0.1:${env().port}`}/api/webhooks/stripe`,
    webhookSecret: webhookSecrets().platform,
    connectWebhookSecret: webhookSecrets().connect,
    log: log(),
  }))
}

/** Passes a program's request on to the stand-in's API, with the secret key and with `path` as its path. */
export async function callStandIn(request: Request, path: string): Promise<Response> {
  const local = standIn()
  if (!local) throw new Error('the sandbox is off')
  const headers = new Headers(request.headers)
  headers.set('authorization', `Bearer ${sandboxKey()}`)
  const url = new URL(`${path}${new URL(request.url).search}`, 'https://api.stripe.com')
  const body = request.method === 'GET' ? null : await request.text()
  return local.api(new Request(url, { method: request.method, headers, body }))
}

/**
 * Returns the stand-in. Its modules are loaded at its first use, and therefore never while Stripe's keys are set.
 */
function loadStandIn(options: StandInOptions): StandIn {
  let made: Promise<StandIn> | null = null
  const load = () => (made ??= import('@/lib/sandbox/stripe/stand-in').then((module) => module.createStandIn(options)))
  return {
    api: async (request) => (await load()).api(request),
    pages: async (request) => (await load()).pages(request),
    settleDue: async () => (await load()).settleDue(),
    deliverDue: async () => (await load()).deliverDue(),
    advanceSubscription: async (id, seconds) => (await load()).advanceSubscription(id, seconds),
    bankDoes: async (intentId, step) => (await load()).bankDoes(intentId, step),
    traffic: async () => (await load()).traffic(),
    setFaults: async (settings) => (await load()).setFaults(settings),
  }
}

function sandboxKey(): string {
  return `sk_test_${keyedHash('sandbox-key', 'secret').slice(0, 32)}`
}

/** Returns the client of Stripe or of the stand-in. Throws when payments are off, so check paymentsMode() first. */
export function stripe(): Stripe {
  return (shared.client ??= createClient())
}

function createClient(): Stripe {
  // The SDK's own retries are off, because they would wait as long as Retry-After requires, up to a minute. Buyers and
  // sweeps retry instead. Only a call that Stripe refused because of its rate limit is repeated here, within the
  // timeout.
  const options = { timeout: TIMEOUT_MS, maxNetworkRetries: 0, telemetry: false, appInfo: { name: 'lastcall' } }
  const { stripeSecretKey, stripeApiUrl } = env()
  const local = stripeSecretKey ? null : standIn()
  if (!stripeSecretKey && !local) throw new Error('payments are off')
  // For real connections, Node's own client costs far less processor time than fetch
  // (docs/performance.md#what-was-done).
  const client = local ? Stripe.createFetchHttpClient(inProcess(local)) : Stripe.createNodeHttpClient(agent())
  return new Stripe(stripeSecretKey ?? sandboxKey(), {
    ...options,
    ...addressOf(stripeApiUrl),
    httpClient: retryRateLimited(client, mayRepeat),
  })
}

/**
 * Returns an agent that keeps connections open. Its timeout also closes a connection that is never established, which
 * the timeout of a call does not.
 */
function agent(): HttpAgent | HttpsAgent {
  const options = { keepAlive: true, timeout: TIMEOUT_MS }
  return env().stripeApiUrl ? new HttpAgent(options) : new HttpsAgent(options)
}

/** Returns a `fetch` that calls the stand-in in this process instead of a server. */
function inProcess(local: StandIn): typeof fetch {
  return (input, init) => {
    const request = new Request(input, init)
    return Promise.race([local.api(request), onceAborted(request.signal)])
  }
}

/**
 * Whether a call that Stripe refused because of its rate limit is repeated. The call for a new session or payment
 * intent is not repeated where they are paced: the line becomes slower, and the buyer waits in the line (ADR 0052).
 */
function mayRepeat(method: string, path: string): boolean {
  const isNew = method === 'POST' && ['/v1/checkout/sessions', '/v1/payment_intents'].includes(path)
  return !(isNew && env().stripeSessionsPerSecond > 0)
}

/** Returns the settings that point the SDK to a stand-in in another process, or none for Stripe itself. */
function addressOf(url: string | null): Stripe.StripeConfig {
  if (!url) return {}
  const { hostname, port } = new URL(url)
  return { protocol: 'http', host: hostname.replace(/^\[|\]$/g, ''), port: port || '80' }
}

/** Rejects when the signal aborts, as fetch does. The wait then ends, although the call may still take effect. */
function onceAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })
}

/**
 * Checks the signature of a webhook and parses its event. Stripe sends the events of the platform and of connected
 * accounts to the same URL, so the signature may be made with either secret (docs.stripe.com/connect/webhooks).
 * Timestamps more than five minutes in the past or in the future are refused; the SDK checks only the past.
 * @returns null when the signature is invalid, its timestamp is refused, or the signed content is not an event
 */
export function readWebhook(payload: string, signature: string, nowMs: number): Stripe.Event | null {
  const stampSeconds = Number(/(?:^|,)t=(\d{1,12})(?:,|$)/.exec(signature)?.[1] ?? Number.NaN)
  if (!(stampSeconds * 1000 <= nowMs + 300_000)) return null
  const { platform, connect } = webhookSecrets()
  const event = readSigned(payload, signature, platform) ?? readSigned(payload, signature, connect)
  return isEvent(event) ? event : null
}

function readSigned(payload: string, signature: string, secret: string): unknown {
  try {
    return Stripe.webhooks.constructEvent(payload, signature, secret, 300)
  } catch {
    return null
  }
}

/**
 * Whether an event is a live event while our keys are test keys, or a test event while our keys are live. Stripe also
 * sends test events of connected accounts to a live endpoint (docs.stripe.com/connect/webhooks).
 */
export function isOfOtherMode({ livemode }: Stripe.Event): boolean {
  return livemode === (env().stripeMode !== 'live')
}

function isEvent(sent: unknown): sent is Stripe.Event {
  const { id, type, account, data } = (sent ?? {}) as Partial<Record<'id' | 'type' | 'account', unknown>> & {
    data?: { object?: unknown }
  }
  const object = data?.object
  return (
    (account === undefined || /^acct_\w{1,240}$/.test(typeof account === 'string' ? account : '')) &&
    STRIPE_EVENT_ID.test(typeof id === 'string' ? id : '') &&
    /^[\w.]{1,200}$/.test(typeof type === 'string' ? type : '') &&
    typeof object === 'object' &&
    object !== null &&
    !Array.isArray(object)
  )
}
