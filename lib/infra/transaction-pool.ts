import 'server-only'
import { AsyncLocalStorage } from 'node:async_hooks'
import pg from 'pg'

/** The connection of one open transaction; null before it is taken from the pool and after it was returned. */
export type TransactionConnection = { client: pg.PoolClient | null }

type Callback = (error: Error | undefined, client: pg.PoolClient | undefined, done: (release?: unknown) => void) => void

/**
 * A pool that records on which connection a Prisma transaction runs, so that hand-written statements can join it.
 * Prisma does not expose that connection, but takes it from this pool as the first step of a transaction.
 */
export class TransactionPool extends pg.Pool {
  readonly #opening = new AsyncLocalStorage<TransactionConnection>()
  readonly #open = new WeakMap<object, TransactionConnection>()
  // The transactions whose connection is known. Only the first connection that is taken belongs to the transaction.
  readonly #begun = new WeakSet<TransactionConnection>()

  constructor(config: pg.PoolConfig) {
    super(config)
    // Prisma may abandon a slow transaction while its work is still running. The released connection may then serve
    // another transaction, so no statement of the abandoned transaction may use it.
    this.on('release', (_error, client) => {
      const connection = this.#open.get(client)
      if (connection) connection.client = null
      this.#open.delete(client)
    })
  }

  /** Runs a function that opens a transaction, and records in `connection` the connection that the function takes. */
  observe<T>(connection: TransactionConnection, open: () => Promise<T>): Promise<T> {
    return this.#opening.run(connection, open)
  }

  override connect(): Promise<pg.PoolClient>
  override connect(callback: Callback): void
  override connect(callback?: Callback): Promise<pg.PoolClient> | void {
    // The pool itself passes a callback when it runs a single statement.
    return callback ? super.connect(callback) : this.#connectAndRecord()
  }

  async #connectAndRecord(): Promise<pg.PoolClient> {
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

/**
 * A connection without prepared statements: the names of statements are removed from every query. With names, a pooler
 * in transaction mode could run a prepared statement on a connection of Postgres that never prepared it.
 */
export class UnnamedClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config)
    const named = this.query.bind(this)
    const query = (first: unknown, ...rest: unknown[]): unknown =>
      Reflect.apply(named, this, [withoutName(first), ...rest])
    Object.assign(this, { query })
  }
}

function withoutName(query: unknown): unknown {
  if (typeof query !== 'object' || query === null || !('name' in query)) return query
  return { ...query, name: undefined }
}
