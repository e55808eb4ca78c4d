import 'server-only'
import type pg from 'pg'
import { createApi } from './api'
import type { SandboxLog } from './call'
import { createDeliveries } from './deliver'
import { sweepOverdue } from './expire-checkout-session'
import { createFaultBox, type FaultSettings } from './faults'
import { createPages } from './pages/pages'
import { renewDue } from './renew-subscriptions'
import { shiftSubscription } from './shift-subscription'
import { createStore } from './store'

export type StandInOptions = {
  pool: pg.Pool
  /** The application's public origin, where the card page is. */
  appUrl: string
  secretKey: string
  webhookUrl: string
  webhookSecret: string
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
   * Expires overdue sessions, renews due subscriptions and sends due webhooks. Several processes may call it at once.
   * @returns how many webhooks were delivered.
   */
  deliverDue: () => Promise<number>
  /** Lets time pass for one subscription and does what is then due. @returns false for an unknown one. */
  advanceSubscription: (id: string, seconds: number) => Promise<boolean>
  /** Sets how calls and deliveries fail from now on. */
  setFaults: (settings: FaultSettings) => Promise<void>
}

const SILENT: SandboxLog = { warn: () => {}, error: () => {} }

/** Creates the local stand-in for Stripe. All its state is in Postgres, so any process can create one at any time. */
export function createStandIn(options: StandInOptions): StandIn {
  const { pool, secretKey, webhookUrl, webhookSecret } = options
  const now = options.now ?? (() => new Date())
  const log = options.log ?? SILENT
  const settings = { appUrl: options.appUrl.replace(/\/+$/, '') }
  const faults = createFaultBox(pool)
  const deliveries = createDeliveries({ pool, webhookUrl, webhookSecret, now, log, disorder: faults.disorder })
  const wants = (type: string) =>
    options.eventTypes?.some((name) => (name.endsWith('*') ? type.startsWith(name.slice(0, -1)) : type === name)) ??
    true
  const store = createStore({ pool, now, wants, onDeliveries: deliveries.kick })
  return {
    api: createApi({ store, settings, secretKey, log, faults }),
    pages: createPages({ store, log }),
    deliverDue: async () => {
      await sweepOverdue(store)
      await renewDue(store)
      return deliveries.drain()
    },
    advanceSubscription: async (id, seconds) => {
      const nobody = { id: null, idempotency_key: null }
      const isKnown = await store.transaction(nobody, (tx) => shiftSubscription(tx, id, seconds))
      await renewDue(store)
      return isKnown
    },
    setFaults: faults.set,
  }
}
