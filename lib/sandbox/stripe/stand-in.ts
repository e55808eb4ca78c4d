import 'server-only'
import type pg from 'pg'
import { createApi } from './create-api'
import { bankDoes, type BankStep } from './bank-does'
import type { PlatformProfile, SandboxLog } from './call'
import { createDeliveries } from './create-deliveries'
import { sweepOverdue } from './expire-session'
import { createFaultBox, type FaultSettings } from './create-fault-box'
import { createPages } from './pages/create-pages'
import { renewDue } from './renew-subscriptions'
import { settleLater } from './settle-later'
import { shiftSubscription } from './shift-subscription'
import { createStore } from './store'
import { createTraffic, type TrafficCounts } from './traffic'

export type StandInOptions = {
  pool: pg.Pool
  /** The application's public origin, where the card page is. */
  appUrl: string
  secretKey: string
  webhookUrl: string
  webhookSecret: string
  /** The secret of the endpoint for connected accounts. */
  connectWebhookSecret: string
  isLive?: boolean
  platform?: Partial<PlatformProfile>
  /** The types of events that are sent, as an endpoint at Stripe has a list of them (`refund.*` is several). Default: all. */
  eventTypes?: readonly string[]
  now?: () => Date
  log?: SandboxLog
}

export type StandIn = {
  /** Stripe's secret-key API, which the SDK's fetch client calls. It must not be reachable from outside. */
  api: (request: Request) => Promise<Response>
  /** Pages and calls for browsers, below /sandbox/checkout, /sandbox/elements, /sandbox/connect and /sandbox/billing. */
  pages: (request: Request) => Promise<Response>
  /**
   * Does what happens by itself and is due: payments settle, refunds succeed or fail, disputes are decided, sessions expire
   * and subscriptions renew. Several processes may call it at once.
   */
  settleDue: () => Promise<void>
  /**
   * Does what is due and sends the due webhooks. Several processes may call it at once.
   * @returns how many webhooks were delivered.
   */
  deliverDue: () => Promise<number>
  /** Lets time pass for one subscription and does what is then due. @returns false for an unknown one. */
  advanceSubscription: (id: string, seconds: number) => Promise<boolean>
  /** Lets the bank do something about a payment by itself. */
  bankDoes: (intentId: string, step: BankStep) => Promise<void>
  /** How many calls this process has received. */
  traffic: () => Promise<TrafficCounts>
  /** Sets how calls and deliveries fail from now on. */
  setFaults: (settings: FaultSettings) => Promise<void>
}

/** A platform that was set up as docs/stripe.md says. */
const COMPLETE_PLATFORM: PlatformProfile = {
  country: 'US',
  currency: 'usd',
  payoutInterval: 'manual',
  hasConnectProfile: true,
}

const SILENT: SandboxLog = { warn: () => {}, error: () => {} }

/** Creates the local stand-in for Stripe. All its state is in Postgres, so any process can create one at any time. */
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
  })
  const traffic = createTraffic()
  const wants = (type: string) =>
    options.eventTypes?.some((name) => (name.endsWith('*') ? type.startsWith(name.slice(0, -1)) : type === name)) ??
    true
  const store = createStore({ pool, now, wants, onDeliveries: deliveries.kick })
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
