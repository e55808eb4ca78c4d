import 'server-only'
import Stripe from 'stripe'
import { STRIPE_EVENT_ID } from '@/lib/kernel/stripe-event-id'
import type { StandIn, StandInOptions } from '@/lib/sandbox/stripe/stand-in'
import { keyedHash } from './crypto'
import { pool } from './db'
import { env } from './env'
import { log } from './log'
import { retryRateLimited } from './retry-rate-limited'

// No other file knows whether Stripe or the stand-in is used (docs/contract.md#sandbox).

const shared = globalThis as unknown as { lastcallStripe?: Stripe; lastcallStandIn?: StandIn }

/** Short enough that a checkout answers within 10 s even when Stripe hangs. */
const TIMEOUT_MS = 8_000

export function paymentsMode(): 'live' | 'sandbox' | 'off' {
  return env().payments
}

function webhookSecret(): string {
  return env().stripeWebhookSecret ?? `whsec_${keyedHash('sandbox-webhook', 'secret')}`
}

/** The local stand-in; null when payments are live or off. */
export function standIn(): StandIn | null {
  if (paymentsMode() !== 'sandbox') return null
  return (shared.lastcallStandIn ??= loadStandIn({
    pool: pool(),
    appUrl: env().appUrl,
    secretKey: sandboxKey(),
    // Webhooks are delivered over the loopback interface, whatever the public address is.
    webhookUrl: `http://127.0.0.1:${env().port}/api/webhooks/stripe`,
    webhookSecret: webhookSecret(),
    log: log(),
  }))
}

/**
 * The stand-in, whose modules are loaded at its first use and therefore never with live keys.
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

/** The client of Stripe or of the stand-in. Throws when payments are off: check paymentsMode() first. */
export function stripe(): Stripe {
  return (shared.lastcallStripe ??= createClient())
}

function createClient(): Stripe {
  // The SDK does not retry: it would wait as long as Stripe's Retry-After says, up to a minute. Buyers and sweeps retry
  // instead; only a call that Stripe refused because there were too many is repeated here, within the timeout.
  const options = { timeout: TIMEOUT_MS, maxNetworkRetries: 0, telemetry: false, appInfo: { name: 'lastcall' } }
  const { stripeSecretKey } = env()
  const local = stripeSecretKey ? null : standIn()
  if (!stripeSecretKey && !local) throw new Error('payments are off')
  const call = local
    ? (input: RequestInfo | URL, init?: RequestInit) => {
        const request = new Request(input, init)
        return Promise.race([local.api(request), onceAborted(request.signal)])
      }
    : // Next's own fetch may keep answers; those of Stripe never.
      (input: RequestInfo | URL, init?: RequestInit) => fetch(input, { ...init, cache: 'no-store' })
  return new Stripe(stripeSecretKey ?? sandboxKey(), {
    ...options,
    httpClient: Stripe.createFetchHttpClient(retryRateLimited(call)),
  })
}

/** Rejects when the signal aborts, as fetch does: the wait ends, although the call itself may still take effect. */
function onceAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })
}

/**
 * Checks the signature of a webhook and parses it. Refuses timestamps more than five minutes in the past or in the
 * future; the SDK checks only the past.
 * @returns null when the signature is not Stripe's, or the signed content is not an event.
 */
export function readWebhook(payload: string, signature: string, nowMs: number): Stripe.Event | null {
  const stampSeconds = Number(/(?:^|,)t=(\d{1,12})(?:,|$)/.exec(signature)?.[1] ?? Number.NaN)
  if (!(stampSeconds * 1000 <= nowMs + 300_000)) return null
  try {
    const event = Stripe.webhooks.constructEvent(payload, signature, webhookSecret(), 300) as unknown
    return isEvent(event) ? event : null
  } catch {
    return null
  }
}

function isEvent(sent: unknown): sent is Stripe.Event {
  const { id, type, data } = (sent ?? {}) as Partial<Record<'id' | 'type', unknown>> & { data?: { object?: unknown } }
  const object = data?.object
  return (
    STRIPE_EVENT_ID.test(typeof id === 'string' ? id : '') &&
    /^[\w.]{1,200}$/.test(typeof type === 'string' ? type : '') &&
    typeof object === 'object' &&
    object !== null &&
    !Array.isArray(object)
  )
}
