import 'server-only'
import type Stripe from 'stripe'
import type { Actor } from '@/lib/kernel/actor'
import { newId } from '@/lib/kernel/id'
import { DAY_MS } from '@/lib/kernel/time'
import { type Clock, systemClock } from './clock'
import { type Database, database, openSqlTransaction, openTransaction, reading } from './db'
import { type Env, env } from './env'
import { log, type Log } from './log'
import { isPrivateAddress, networkOf } from '@/lib/kernel/network-address.mjs'
import { paymentsMode, stripe } from './stripe'

/**
 * The services and settings that operations use. They are the same for every actor. `db` and `sql` use the same
 * database, and inside transaction() the same connection.
 *
 * Domains get the database, Stripe, the clock, the log and settings from their context and never import them. An import
 * rule checks this for every domain except lib/previews. Stored files, rate limits, hashing and the moderator are not
 * part of the context, so domains import their functions.
 */
type Services = Database & {
  /**
   * Runs statements for lists and exports whose data may be some seconds old. It uses the replica when
   * READ_DATABASE_URL names one, and is never part of a transaction.
   */
  reading: Pick<Database, 'sql'>
  /**
   * Returns the client for Stripe or for its stand-in. It throws while payments are off, so check `payments` first.
   */
  stripe: () => Stripe
  payments: 'live' | 'sandbox' | 'off'
  clock: Clock
  /** Whether the keys of Stripe are live keys. With test keys, `payments` is `live` too. */
  takesRealMoney: boolean
  /** Whether others can reach this installation, or it takes real money. */
  isExposed: boolean
  /** The public address of this installation, without a slash at its end. */
  appUrl: string
  /** Whether Stripe Tax calculates the tax of every sale (ADR 0073). */
  hasStripeTax: boolean
  /** The limit of sellers whose identity Stripe has not checked; null without a limit. */
  sellerLimit: Env['sellerLimit']
  /** How long no money is sent to a new connected account (ADR 0069): 0 unless real money is taken. */
  newAccountWaitMs: number
}

/** What an operation receives: the actor, facts about the request, and the services. Tests build it with a factory. */
export type Context<A extends Actor = Actor> = Services & {
  actor: A
  log: Log
  requestId: string
  /** The client's network address, for the audit log and as evidence (clientIp() of lib/http/client-ip.ts). */
  ip: string
  /** The key of rate limits: the IPv4 address, or the first 64 bits of the IPv6 address. */
  network: string
  /** Whether `ip` belongs to a proxy whose header is not trusted. All clients behind that proxy have the same `ip`. */
  isUnknownProxy: boolean
  /** Whether `db` and `sql` belong to a transaction, which transaction() then joins. */
  isInTransaction: boolean
}

/**
 * As long as the link in the email about a new connected account is valid, so that the seller can undo the change in
 * time.
 */
const NEW_ACCOUNT_WAIT_MS = 3 * DAY_MS

function services(): Services {
  return {
    ...database(),
    reading: reading(),
    stripe,
    payments: paymentsMode(),
    clock: systemClock,
    takesRealMoney: env().stripeMode === 'live',
    isExposed: env().isExposed,
    appUrl: env().appUrl,
    hasStripeTax: env().hasStripeTax,
    sellerLimit: env().sellerLimit,
    newAccountWaitMs: env().stripeMode === 'live' ? NEW_ACCOUNT_WAIT_MS : 0,
  }
}

type Caller<A extends Actor> = { actor: A; requestId?: string; ip?: string }

/** Builds the context of one request. */
export function createContext<A extends Actor>({ actor, requestId = newId('req'), ip = '' }: Caller<A>): Context<A> {
  const { trustedProxyHops, clientAddressHeader } = env()
  const isUnknownProxy = trustedProxyHops === 0 && clientAddressHeader === null && isPrivateAddress(ip)
  const known = { actor, log: log().child({ requestId }), requestId, ip, network: networkOf(ip), isUnknownProxy }
  return { ...services(), ...known, isInTransaction: false }
}

/** Builds the context for work without a user, such as a job or a call by another program. */
export function systemContext(name: string, requestId = name): Context {
  const actor = { kind: 'system', name } as const
  const about = requestId === name ? { job: name } : { job: name, requestId }
  const known = { actor, log: log().child(about), requestId, ip: '', network: '', isUnknownProxy: false }
  return { ...services(), ...known, isInTransaction: false }
}

/**
 * Runs `work` in one database transaction, or in the caller's transaction when there is one. An operation therefore
 * works the same by itself and as a part of another operation. Everything that `work` does through `tx` is committed or
 * rolled back together; what it does through the outer `ctx` is not part of the transaction. Do not make network calls
 * inside, because the transaction holds locks.
 * @throws whatever `work` throws, after the rollback.
 */
export function transaction<A extends Actor, T>(ctx: Context<A>, work: (tx: Context<A>) => Promise<T>): Promise<T> {
  if (ctx.isInTransaction) return work(ctx)
  return openTransaction((inside) => work({ ...ctx, ...inside, isInTransaction: true }))
}

/**
 * Like transaction(), for frequently run work that needs only hand-written statements. After a deadlock, `work` runs
 * again (openSqlTransaction()), so it must not change anything outside of the database that a second run would not undo
 * or repeat.
 */
export function sqlTransaction<T>(ctx: Context, work: (tx: Pick<Context, 'sql'>) => Promise<T>): Promise<T> {
  return ctx.isInTransaction ? work(ctx) : openSqlTransaction((sql) => work({ sql }))
}
