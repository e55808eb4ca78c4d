import 'server-only'
import type Stripe from 'stripe'
import type { Actor } from '@/lib/kernel/actor'
import { newId } from '@/lib/kernel/id'
import { type Clock, systemClock } from './clock'
import { type Database, database, openSqlTransaction, openTransaction, reading } from './db'
import { env } from './env'
import { log, type Log } from './log'
import { isPrivateAddress, networkOf } from '@/lib/kernel/network-address.mjs'
import { paymentsMode, stripe } from './stripe'

/**
 * What the product uses outside its own memory; the same for every actor. `db` and `sql` are one database, and inside
 * transaction() one connection.
 *
 * Domains take these from their context and never import them (an import rule checks that). Of the configuration they
 * need `appUrl` and `payments`; each other setting belongs to one file of lib/infra, which reads env() itself. Stored
 * files, rate limits, hashing and the moderator are left out on purpose, because they never take part in a transaction.
 */
type Services = Database & {
  /**
   * For lists and exports that may be some seconds old: a replica, when READ_DATABASE_URL names one. Never part of a
   * transaction.
   */
  reading: Pick<Database, 'sql'>
  /**
   * Stripe's client, real or the stand-in's. A function, because it throws while payments are off: check `payments`
   * first.
   */
  stripe: () => Stripe
  payments: 'live' | 'sandbox' | 'off'
  clock: Clock
  /** The public address of this installation, without a slash at its end. */
  appUrl: string
}

/** What an operation is given: the actor, the request, and the services it may use. Tests build it with a factory. */
export type Context<A extends Actor = Actor> = Services & {
  actor: A
  log: Log
  requestId: string
  /** The client's network address, as far as TRUSTED_PROXY_HOPS lets us trust it; for the audit log and as evidence. */
  ip: string
  /** What limits count by: the address, or for IPv6 its first 64 bits. */
  network: string
  /** Whether the address is that of a proxy whose header is not trusted. It then stands for everybody behind the proxy. */
  isUnknownProxy: boolean
  /** Whether `db` and `sql` belong to a transaction, which transaction() then joins. */
  isInTransaction: boolean
}

function services(): Services {
  return {
    ...database(),
    reading: reading(),
    stripe,
    payments: paymentsMode(),
    clock: systemClock,
    appUrl: env().appUrl,
  }
}

type Asking<A extends Actor> = { actor: A; requestId?: string; ip?: string }

/** The context of one request. */
export function createContext<A extends Actor>({ actor, requestId = newId('req'), ip = '' }: Asking<A>): Context<A> {
  const { trustedProxyHops, clientAddressHeader } = env()
  const isUnknownProxy = trustedProxyHops === 0 && clientAddressHeader === null && isPrivateAddress(ip)
  const known = { actor, log: log().child({ requestId }), requestId, ip, network: networkOf(ip), isUnknownProxy }
  return { ...services(), ...known, isInTransaction: false }
}

/** A context for work the product does by itself. */
export function systemContext(name: string, requestId = name): Context {
  const actor = { kind: 'system', name } as const
  const about = requestId === name ? { job: name } : { job: name, requestId }
  const known = { actor, log: log().child(about), requestId, ip: '', network: '', isUnknownProxy: false }
  return { ...services(), ...known, isInTransaction: false }
}

/**
 * Runs `work` in one database transaction, or in the caller's when there is one, so that an operation works the same by
 * itself and as a part of another. Everything that `work` does with the context it is given is committed or undone
 * together; what it does with the outer `ctx` is not part of it. Network calls do not belong inside, because locks are
 * held meanwhile.
 * @throws whatever `work` throws, after everything was undone.
 */
export function transaction<A extends Actor, T>(ctx: Context<A>, work: (tx: Context<A>) => Promise<T>): Promise<T> {
  if (ctx.isInTransaction) return work(ctx)
  return openTransaction((inside) => work({ ...ctx, ...inside, isInTransaction: true }))
}

/** Like transaction(), for frequently run work that needs only hand-written statements. */
export function sqlTransaction<T>(ctx: Context, work: (tx: Pick<Context, 'sql'>) => Promise<T>): Promise<T> {
  return ctx.isInTransaction ? work(ctx) : openSqlTransaction((sql) => work({ sql }))
}
