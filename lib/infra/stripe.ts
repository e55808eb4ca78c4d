import 'server-only'
import Stripe from 'stripe'
import { STRIPE_EVENT_ID } from '@/lib/kernel/stripe-event-id'
import { createStandIn, type StandIn } from '@/lib/sandbox/stripe/stand-in'
import { keyedHash } from './crypto'
import { pool } from './db'
import { env } from './env'
import { log } from './log'

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
  return (shared.lastcallStandIn ??= createStandIn({
    pool: pool(),
    appUrl: env().appUrl,
    secretKey: sandboxKey(),
    // Webhooks are delivered over the loopback interface, whatever the public address is. A serverless host has only
    // the public address.
    webhookUrl: `${env().isServerless ? env().appUrl : `http://127.0.0.1:${env().port}`}/api/webhooks/stripe`,
    webhookSecret: webhookSecret(),
    log: log(),
  }))
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
  // instead.
  const options = { timeout: TIMEOUT_MS, maxNetworkRetries: 0, telemetry: false, appInfo: { name: 'lastcall' } }
  const { stripeSecretKey, stripeApiUrl } = env()
  if (stripeSecretKey) return new Stripe(stripeSecretKey, { ...options, ...addressOf(stripeApiUrl) })
  const local = standIn()
  if (!local) throw new Error('payments are off')
  return new Stripe(sandboxKey(), {
    ...options,
    httpClient: Stripe.createFetchHttpClient((input: RequestInfo | URL, init?: RequestInit) => {
      const request = new Request(input, init)
      return Promise.race([local.api(request), onceAborted(request.signal)])
    }),
  })
}

/** Where the SDK finds Stripe's API: a stand-in in a process of its own, or by default Stripe. */
function addressOf(url: string | null): Stripe.StripeConfig {
  if (!url) return {}
  const { hostname, port } = new URL(url)
  return { protocol: 'http', host: hostname.replace(/^\[|\]$/g, ''), port: port || '80' }
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
