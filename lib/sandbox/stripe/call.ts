import 'server-only'
import type { RawParams } from './params'
import type { Tx } from './store'

export type Settings = {
  appUrl: string
  /** Whether the stand-in plays live mode, in which some rules are stricter. */
  isLive: boolean
  platform: PlatformProfile
}

/** What Stripe knows about the platform's own account. */
export type PlatformProfile = {
  country: string
  /** The currency that payments are settled in. */
  currency: string
  payoutInterval: 'manual' | 'daily'
  /** Whether the platform profile of Connect is complete. Without it Stripe refuses to create connected accounts. */
  hasConnectProfile: boolean
}

/** One request to the secret-key API, inside its transaction. */
export type Call = {
  tx: Tx
  settings: Settings
  /** The `:id` of the path; empty when the path has none. */
  id: string
  /** The connected account that the call is made for (`Stripe-Account`); null for the platform itself. */
  account: string | null
  params: RawParams
}

/**
 * The answer. A status of 400 and above is a refusal that still changed something (a declined card): it is committed,
 * unlike a thrown StripeFault.
 */
export type Reply = { status?: number; body: object }

export type Route = { method: 'GET' | 'POST' | 'DELETE'; path: string; run: (call: Call) => Promise<Reply> }

/** Loads a part of an object that Stripe shows only when asked: `expand[]=line_items`. */
export type Includable = (tx: Tx, id: string) => Promise<object>

/** One kind of object: its routes, and the parts it shows only when asked. */
export type Resource = { routes: Route[]; includables?: Record<string, Record<string, Includable>> }

/** Where the stand-in logs; a pino logger fits. */
export type SandboxLog = {
  warn: (details: Record<string, unknown>, message: string) => void
  error: (details: Record<string, unknown>, message: string) => void
}
