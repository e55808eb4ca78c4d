import 'server-only'
import { setTimeout as sleep } from 'node:timers/promises'
import Stripe from 'stripe'
import { STRIPE_EVENT_ID } from '@/lib/kernel/stripe-event-id'
import { HOUR_MS } from '@/lib/kernel/time'
import { createStandIn, type StandIn } from '@/lib/sandbox/stripe/stand-in'
import { keyedHash } from './crypto'
import { pool } from './db'
import { env } from './env'
import { log } from './log'

// The only file that knows whether Stripe is real (PAYMENTS, One switch).

const shared = globalThis as unknown as { lastcallStripe?: Stripe; lastcallStandIn?: StandIn }

/** Short enough that a checkout answers within 10 s when Stripe hangs. */
const TIMEOUT_MS = 8_000

export function paymentsMode(): 'live' | 'sandbox' | 'off' {
  return env().payments
}

function webhookSecret(): string {
  return env().stripeWebhookSecret ?? `whsec_${keyedHash('sandbox-webhook', 'secret')}`
}

/** The local stand-in; null when payments are real or off. */
export function standIn(): StandIn | null {
  if (paymentsMode() !== 'sandbox') return null
  return (shared.lastcallStandIn ??= createStandIn({
    pool: pool(),
    appUrl: env().appUrl,
    secretKey: sandboxKey(),
    // Delivered over the loopback interface, whatever the public address is.
    webhookUrl: `http://127.0.0.1:${env().port}/api/webhooks/stripe`,
    webhookSecret: webhookSecret(),
    log: log(),
  }))
}

function sandboxKey(): string {
  return `sk_test_${keyedHash('sandbox-key', 'secret').slice(0, 32)}`
}

/** The Stripe client, real or over the stand-in. Throws when payments are off: ask paymentsMode() first. */
export function stripe(): Stripe {
  return (shared.lastcallStripe ??= createClient())
}

function createClient(): Stripe {
  // No retries by the SDK: it would wait as long as Stripe's Retry-After says, up to a minute. Buyers and sweeps retry.
  const options = { timeout: TIMEOUT_MS, maxNetworkRetries: 0, telemetry: false, appInfo: { name: 'lastcall' } }
  const { stripeSecretKey } = env()
  if (stripeSecretKey) return new Stripe(stripeSecretKey, options)
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

/** As fetch does: the caller's patience ends the wait, whatever comes of the call. */
function onceAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })
}

/**
 * Checks a webhook's signature and reads it. Refuses stamps more than five minutes old or in the future; the SDK only
 * looks back.
 * @returns null when the signature is not Stripe's, or what was signed is no event.
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

// By name, not by class: each of Next's bundles has a copy of the SDK, and the client is shared between them.
const typeOf = (error: unknown) => (error as { type?: unknown } | null)?.type

const UNAVAILABLE = ['StripeConnectionError', 'StripeRateLimitError', 'StripeAPIError']

/** Whether Stripe is away, slow or turning us down for now, so that the answer is 503 and a later try may succeed. */
export function isStripeUnavailable(error: unknown): boolean {
  return UNAVAILABLE.includes(String(typeOf(error)))
}

/** Whether Stripe itself failed: what it has done is not known, and it answers the same under the same key. */
export function isStripeFailure(error: unknown): boolean {
  return typeOf(error) === 'StripeAPIError' && (error as { statusCode?: unknown }).statusCode !== 409
}

/** Whether Stripe has examined the call and will not do it, however often it is asked. */
export function isStripeDenial(error: unknown): boolean {
  return String(typeOf(error)).startsWith('Stripe') && !isStripeUnavailable(error)
}

/** Whether an idempotency key was used before with other parameters: what the earlier call did is not known. */
export function isStripeKeyReused(error: unknown): boolean {
  return typeOf(error) === 'StripeIdempotencyError'
}

/** Whether Stripe refused because the object is no longer in the state the call expects. */
export function isStripeRefusal(error: unknown): boolean {
  return typeOf(error) === 'StripeInvalidRequestError'
}

/**
 * Whether Stripe has no such object for us, as after a change of keys. An account that is unknown, deleted or has withdrawn
 * its authorisation is a permission error with the code `account_invalid`, not a missing object.
 */
export function isStripeMissing(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown }
  return (
    (isStripeRefusal(error) && code === 'resource_missing') ||
    (typeOf(error) === 'StripePermissionError' && code === 'account_invalid')
  )
}

/** Whether another request under the same idempotency key is still running at Stripe (409): its answer comes in a moment. */
function isStripeKeyInUse(error: unknown): boolean {
  return typeOf(error) === 'StripeAPIError' && (error as { statusCode?: unknown }).statusCode === 409
}

const KEY_IN_USE_TRIES = 5
const KEY_IN_USE_PAUSE_MS = 150

/** Calls Stripe again, after a growing pause, while another request under the same idempotency key is still running. */
export async function onceKeyIsFree<T>(call: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await call()
    } catch (error) {
      if (tries === KEY_IN_USE_TRIES || !isStripeKeyInUse(error)) throw error
      await sleep(KEY_IN_USE_PAUSE_MS * tries)
    }
  }
}

/** Whether the whole payment has gone back already, by hand or by an earlier call whose key Stripe has forgotten. */
export function isStripeAlreadyRefunded(error: unknown): boolean {
  return isStripeRefusal(error) && (error as { code?: unknown }).code === 'charge_already_refunded'
}

/** Whether a refund is refused because the payment is disputed. Stripe uses several codes for it. */
export function isStripeDisputed(error: unknown): boolean {
  const codes = ['charge_disputed', 'refund_disputed_payment', 'charge_not_refundable']
  return isStripeRefusal(error) && codes.includes(String((error as { code?: unknown }).code))
}

/**
 * An idempotency key that changes every hour. Stripe repeats a stored refusal or failure under its key for at least a day, so a
 * key that never changes would keep a call from ever succeeding. Only for calls that Stripe itself refuses to do twice, such as
 * the refund of a whole payment.
 */
export function hourlyKey(key: string, now: Date): string {
  return `${key}-${Math.floor(now.getTime() / HOUR_MS)}`
}
