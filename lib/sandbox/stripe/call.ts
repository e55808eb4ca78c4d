import 'server-only'
import type { RawParams } from './params'
import type { Tx } from './store'

export type Settings = {
  appUrl: string
  /** Whether the stand-in behaves as in live mode, in which some rules are stricter. */
  isLive: boolean
  platform: PlatformProfile
}

/** The facts that Stripe knows about the platform's own account. */
export type PlatformProfile = {
  country: string
  /** The currency in which payments are settled. */
  currency: string
  payoutInterval: 'manual' | 'daily'
  /**
   * Whether the platform profile of Connect is complete. Stripe refuses to create connected accounts while it is not.
   */
  hasConnectProfile: boolean
  /**
   * The countries in which the platform is registered for tax, each with its rate in basis points; null while the
   * settings of Stripe Tax are incomplete.
   */
  taxRates: Readonly<Record<string, number>> | null
}

/** One request to the secret-key API, inside its transaction. */
export type Call = {
  tx: Tx
  settings: Settings
  /** The `:id` of the path; empty when the path has none. */
  id: string
  /** The connected account for which the call is made (`Stripe-Account`); null for the platform itself. */
  account: string | null
  params: RawParams
}

/**
 * The response to a call. A status of 400 or above is a refusal whose changes are committed, such as a declined card.
 * The changes of a call that throws a StripeFault are rolled back.
 */
export type Reply = { status?: number; body: object }

export type Route = { method: 'GET' | 'POST' | 'DELETE'; path: string; run: (call: Call) => Promise<Reply> }

/** Loads a part of an object that Stripe shows only on request, for example with `expand[]=line_items`. */
export type Includable = (tx: Tx, id: string) => Promise<object>

/** The routes of one kind of object, and the parts that it shows only on request. */
export type Resource = { routes: Route[]; includables?: Record<string, Record<string, Includable>> }

/** The log of the stand-in. A pino logger has this type. */
export type SandboxLog = {
  warn: (details: Record<string, unknown>, message: string) => void
  error: (details: Record<string, unknown>, message: string) => void
}
