import 'server-only'
import type Stripe from 'stripe'
import type { Actor } from '@/lib/kernel/actor'
import { newId } from '@/lib/kernel/id'
import { type Clock, systemClock } from './clock'
import { type Database, database, openSqlTransaction, openTransaction } from './db'
import { env } from './env'
import { log, type Log } from './log'
import { paymentsMode, stripe } from './stripe'

/**
 * What the product uses beside its own memory: the same for everybody who asks. `db` and `sql` are
 * one database, and inside transaction() one connection.
 *
 * Domains take these from their context and never import them; an import rule holds that. Of the configuration they need
 * `appUrl` and `payments`; every other setting belongs to one file of lib/infra, which reads env() itself. Not in here, on
 * purpose: stored files, rate limits, hashing and the moderator, which never take part in a transaction.
 */
type Services = Database & {
  /** Stripe's client, real or the stand-in's. A function, because it throws while payments are off: ask `payments` first. */
  stripe: () => Stripe
  payments: 'live' | 'sandbox' | 'off'
  clock: Clock
  /** The public address of this installation, without a slash at its end. */
  appUrl: string
}

/** What a verb is given: who acts, for which request, and what it may touch. Tests build one with a factory. */
export type Context<A extends Actor = Actor> = Services & {
  actor: A
  log: Log
  requestId: string
  /** The client's address, as far as TRUSTED_PROXY_HOPS lets us believe it; for limits and the audit log. */
  ip: string
  /** Whether `db` and `sql` are a transaction's, which transaction() then joins. */
  isInTransaction: boolean
}

function services(): Services {
  return { ...database(), stripe, payments: paymentsMode(), clock: systemClock, appUrl: env().appUrl }
}

type Asking<A extends Actor> = { actor: A; requestId?: string; ip?: string }

/** The context of one request. */
export function createContext<A extends Actor>({ actor, requestId = newId('req'), ip = '' }: Asking<A>): Context<A> {
  return { ...services(), actor, log: log().child({ requestId }), requestId, ip, isInTransaction: false }
}

/** A context for work the product does by itself. */
export function systemContext(name: string, requestId = name): Context {
  const actor = { kind: 'system', name } as const
  const about = requestId === name ? { job: name } : { job: name, requestId }
  return { ...services(), actor, log: log().child(about), requestId, ip: '', isInTransaction: false }
}

/**
 * Runs `work` in one database transaction, the caller's when there is one: a verb never needs to know whether it was called
 * by itself or as a part of another. What `work` does with the context it is given is done wholly or not at all; what it
 * does with the outer `ctx` is not part of it. No network call belongs inside: locks are held meanwhile.
 * @throws whatever `work` throws, after everything was undone.
 */
export function transaction<A extends Actor, T>(ctx: Context<A>, work: (tx: Context<A>) => Promise<T>): Promise<T> {
  if (ctx.isInTransaction) return work(ctx)
  return openTransaction((inside) => work({ ...ctx, ...inside, isInTransaction: true }))
}

/** As transaction(), for work on a hot path that needs hand-written statements only. */
export function sqlTransaction<T>(ctx: Context, work: (tx: Pick<Context, 'sql'>) => Promise<T>): Promise<T> {
  return ctx.isInTransaction ? work(ctx) : openSqlTransaction((sql) => work({ sql }))
}
