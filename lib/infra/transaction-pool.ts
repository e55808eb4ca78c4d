import 'server-only'
import { AsyncLocalStorage } from 'node:async_hooks'
import pg from 'pg'

/** The connection of one open transaction; null before it is taken from the pool and after it went back there. */
export type TransactionConnection = { client: pg.PoolClient | null }

type Callback = (error: Error | undefined, client: pg.PoolClient | undefined, done: (release?: unknown) => void) => void

/**
 * A pool that tells which connection a transaction of Prisma runs on, so that hand-written statements can join it. Prisma
 * keeps that connection to itself, but takes it from this pool, as the first thing a transaction does.
 */
export class TransactionPool extends pg.Pool {
  readonly #opening = new AsyncLocalStorage<TransactionConnection>()
  readonly #open = new WeakMap<object, TransactionConnection>()
  // The first connection is the transaction's own; what its work connects to later is not.
  readonly #begun = new WeakSet<TransactionConnection>()

  constructor(config: pg.PoolConfig) {
    super(config)
    // Prisma gives up a transaction that takes too long while its work still runs: from then on the connection belongs to
    // somebody else, and no statement of this transaction may reach it.
    this.on('release', (_error, client) => {
      const connection = this.#open.get(client)
      if (connection) connection.client = null
      this.#open.delete(client)
    })
  }

  /** Runs what opens a transaction, and notes in `connection` which connection it takes. */
  observe<T>(connection: TransactionConnection, open: () => Promise<T>): Promise<T> {
    return this.#opening.run(connection, open)
  }

  override connect(): Promise<pg.PoolClient>
  override connect(callback: Callback): void
  override connect(callback?: Callback): Promise<pg.PoolClient> | void {
    // The form with a callback is the pool's own, for single statements.
    return callback ? super.connect(callback) : this.#connectNoted()
  }

  async #connectNoted(): Promise<pg.PoolClient> {
    const connection = this.#opening.getStore()
    const client = await super.connect()
    if (connection && !this.#begun.has(connection)) {
      this.#begun.add(connection)
      connection.client = client
      this.#open.set(client, connection)
    }
    return client
  }
}
