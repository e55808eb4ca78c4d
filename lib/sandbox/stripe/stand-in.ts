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
  /** The public origin, under which the card page is reached. */
  appUrl: string
  secretKey: string
  webhookUrl: string
  webhookSecret: string
  now?: () => Date
  log?: SandboxLog
}

export type StandIn = {
  /** Stripe's secret-key API: what the SDK's fetch client is pointed at. Never to be reachable from outside. */
  api: (request: Request) => Promise<Response>
  /** Hosted pages and browser doors, below /sandbox/checkout, /sandbox/elements, /sandbox/connect and /sandbox/billing. */
  pages: (request: Request) => Promise<Response>
  /**
   * Expires what is overdue, renews what is due and sends the due webhook deliveries. Safe in several processes at once.
   * @returns how many were delivered.
   */
  deliverDue: () => Promise<number>
  /** Lets seconds pass for one subscription and does what is then due. @returns false for an unknown one. */
  advanceSubscription: (id: string, seconds: number) => Promise<boolean>
  /** What is to go wrong from now on, with calls and with deliveries. */
  setFaults: (settings: FaultSettings) => Promise<void>
}

const SILENT: SandboxLog = { warn: () => {}, error: () => {} }

/** The local stand-in for Stripe. All its state is in Postgres, so it may be made anew at any time. */
export function createStandIn(options: StandInOptions): StandIn {
  const { pool, secretKey, webhookUrl, webhookSecret } = options
  const now = options.now ?? (() => new Date())
  const log = options.log ?? SILENT
  const settings = { appUrl: options.appUrl.replace(/\/+$/, '') }
  const faults = createFaultBox(pool)
  const deliveries = createDeliveries({ pool, webhookUrl, webhookSecret, now, log, disorder: faults.disorder })
  const store = createStore({ pool, now, onDeliveries: deliveries.kick })
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
