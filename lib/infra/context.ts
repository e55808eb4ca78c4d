import 'server-only'
import type { Actor } from '@/lib/kernel/actor'
import type { Clock } from './clock'
import { systemClock } from './clock'
import { db, type Db } from './db'
import { log, type Log } from './log'

/** The only way in to the world for a verb; tests build one with a factory. */
export type Context<A extends Actor = Actor> = {
  actor: A
  db: Db
  clock: Clock
  log: Log
  requestId: string
  /** The client's address, as far as TRUSTED_PROXY_HOPS lets us believe it; for limits and the audit log. */
  ip: string
}

/** A context for work the product does by itself. */
export function systemContext(name: string): Context {
  return {
    actor: { kind: 'system', name },
    db: db(),
    clock: systemClock,
    log: log().child({ job: name }),
    requestId: name,
    ip: '',
  }
}
