import 'server-only'
import type pg from 'pg'
import { createApi } from './create-api'
import { bankDoes, type BankStep } from './payments/bank-does'
import type { PlatformProfile, SandboxLog } from './call'
import { createDeliveries } from './events/create-deliveries'
import { sweepOverdue } from './payments/expire-session'
import { createFaultBox, type FaultSettings } from './create-fault-box'
import { createPages } from './pages/create-pages'
import { renewDue } from './billing/renew-subscriptions'
import { settleLater } from './events/settle-later'
import { shiftSubscription } from './billing/shift-subscription'
import { createStore } from './store'
import { createTraffic, type TrafficCounts } from './traffic'

export type StandInOptions = {
  pool: pg.Pool
  /** The application's public origin, which serves the pages of the stand-in. */
  appUrl: string
  secretKey: string
  webhookUrl: string
  webhookSecret: string
  /** The secret of the endpoint for connected accounts. */
  connectWebhookSecret: string
  isLive?: boolean
  platform?: Partial<PlatformProfile>
  /**
   * The types of events that are sent, like the list of a webhook endpoint at Stripe. `refund.*` names all types that
   * begin with `refund.`. By default, all events are sent.
   */
  eventTypes?: readonly string[]
  now?: () => Date
  log?: SandboxLog
}

export type StandIn = {
  /** Stripe's secret-key API, which the SDK's fetch client calls. It must not be reachable from outside. */
  api: (request: Request) => Promise<Response>
  /**
   * Pages and calls for browsers, below /sandbox/checkout, /sandbox/elements, /sandbox/connect and /sandbox/billing.
   */
  pages: (request: Request) => Promise<Response>
  /**
   * Carries out the due steps that Stripe takes without a request. For example, sessions expire, subscriptions renew,
   * payments settle and refunds succeed or fail. Several processes may call it at the same time.
   */
  settleDue: () => Promise<void>
  /**
   * Calls settleDue() and sends the due webhooks. Several processes may call it at the same time.
   * @returns how many webhooks were delivered.
   */
  deliverDue: () => Promise<number>
  /**
   * Lets time pass for one subscription and carries out the steps of subscriptions that are then due.
   * @returns false for an unknown subscription.
   */
  advanceSubscription: (id: string, seconds: number) => Promise<boolean>
  /** Simulates a step of the buyer's bank, such as a dispute of the payment. */
  bankDoes: (intentId: string, step: BankStep) => Promise<void>
  /** Returns how many API calls this stand-in has received, and how many of them exceeded Stripe's rate limits. */
  traffic: () => Promise<TrafficCounts>
  /** Sets how calls and deliveries fail from now on. */
  setFaults: (settings: FaultSettings) => Promise<void>
}

/** The profile of a platform that was set up as docs/stripe.md describes. */
const COMPLETE_PLATFORM: PlatformProfile = {
  country: 'US',
  currency: 'usd',
  payoutInterval: 'manual',
  hasConnectProfile: true,
  taxRates: { DE: 1900, FR: 2000, GB: 2000 },
}

const SILENT: SandboxLog = { warn: () => {}, error: () => {} }

/**
 * Creates the local stand-in for Stripe. All its objects are in Postgres, so every process can create a stand-in of its
 * own at any time. Only the counts of API calls, which it needs for the rate limits, are in the memory of the process.
 */
export function createStandIn(options: StandInOptions): StandIn {
  const { pool, secretKey, webhookUrl, webhookSecret, connectWebhookSecret } = options
  const now = options.now ?? (() => new Date())
  const log = options.log ?? SILENT
  const settings = {
    appUrl: options.appUrl.replace(/\/+$/, ''),
    isLive: options.isLive ?? false,
    platform: { ...COMPLETE_PLATFORM, ...options.platform },
  }
  const faults = createFaultBox(pool)
  const deliveries = createDeliveries({
    pool,
    webhookUrl,
    webhookSecret,
    connectWebhookSecret,
    now,
    log,
    disorder: faults.disorder,
    seed: faults.seed,
  })
  const traffic = createTraffic()
  const wants = (type: string) =>
    options.eventTypes?.some((name) => (name.endsWith('*') ? type.startsWith(name.slice(0, -1)) : type === name)) ??
    true
  const onDeliveries = (waits: readonly number[]) => {
    for (const waitMs of new Set(waits)) {
      if (waitMs === 0) deliveries.kick()
      else setTimeout(deliveries.kick, waitMs).unref()
    }
  }
  const store = createStore({ pool, now, wants, seed: faults.seed, onDeliveries })
  const settleDue = async () => {
    await sweepOverdue(store)
    await renewDue(store)
    await settleLater(store)
  }
  return {
    api: createApi({ store, settings, secretKey, log, faults, traffic }),
    pages: createPages({ store, log }),
    settleDue,
    deliverDue: async () => {
      await settleDue()
      return deliveries.drain()
    },
    advanceSubscription: async (id, seconds) => {
      const nobody = { id: null, idempotency_key: null }
      const isKnown = await store.transaction(nobody, (tx) => shiftSubscription(tx, id, seconds))
      await renewDue(store)
      return isKnown
    },
    bankDoes: (intentId, step) =>
      store.transaction({ id: null, idempotency_key: null }, (tx) => bankDoes(tx, intentId, step)),
    traffic: async () => traffic.counts(),
    setFaults: faults.set,
  }
}
