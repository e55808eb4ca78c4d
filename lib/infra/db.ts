import 'server-only'
import { setTimeout as pause } from 'node:timers/promises'
import { PrismaPg } from '@prisma/adapter-pg'
import { type Prisma, PrismaClient } from '@prisma/client'
import { env } from './env'
import { isDatabaseUnavailable } from './database-errors'
import { log } from './log'
import { type Sql, sqlOver } from './sql'
import { type TransactionConnection, TransactionPool } from './transaction-pool'

/** Prisma's client as queries use it, inside or outside of a transaction. */
export type Db = Prisma.TransactionClient

/** The database through Prisma and through hand-written statements; inside a transaction both use its connection. */
export type Database = {
  db: Db
  sql: Sql
}

// Next bundles each route separately, so module state is not shared between routes; the global object is.
const shared = globalThis as unknown as { lastcallPool?: TransactionPool; lastcallPrisma?: PrismaClient }

/** The only connection pool of this process, used by Prisma and by the hand-written statements. */
export function pool(): TransactionPool {
  return (shared.lastcallPool ??= createPool())
}

function createPool(): TransactionPool {
  const created = new TransactionPool({
    connectionString: env().databaseUrl,
    max: env().poolSize,
    connectionTimeoutMillis: 8_000,
    statement_timeout: 15_000,
    lock_timeout: 8_000,
    idle_in_transaction_session_timeout: 15_000,
    // The limits above are the server's. One that is frozen or cut off does not keep them.
    query_timeout: 30_000,
    keepAlive: true,
    application_name: 'lastcall',
  })
  // An error on a connection without a listener ends the process. The pool listens only while a connection is idle, so
  // we listen while it is in use. The query in flight fails by itself.
  const onLost = (error: Error) => log().warn({ err: error.message }, 'database connection lost')
  created.on('error', onLost)
  created.on('connect', (client) => client.on('error', onLost))
  return created
}

// Prisma's default of waiting two seconds for a connection is too short on a busy machine; the pool's own limits still
// apply.
const transactionOptions = { maxWait: 8_000, timeout: 15_000 }

/** Statements outside of a transaction that only read; repeating them does no harm. */
const READS = /^\s*(?:SELECT|WITH)\b(?![\s\S]*\b(?:INSERT|UPDATE|DELETE|nextval|setval|pg_\w+)\b)/i

/** Several idle connections may be lost before the pool hears of the first. */
const READ_TRIES = 4

/**
 * Repeats a read whose connection was lost: a restart of the database ends every idle connection of the pool, and the first
 * statement on each of them would fail.
 */
async function retryRead<Result>(text: string, read: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await read()
    } catch (error) {
      if (tries === READ_TRIES || !READS.test(text) || !isDatabaseUnavailable(error)) throw error
      // The pool hears of the other lost connections meanwhile.
      await pause(25 * tries)
    }
  }
}

/** Prisma's adapter, whose reads outside of a transaction are repeated. */
class RetryingAdapter extends PrismaPg {
  override async connect() {
    const adapter = await super.connect()
    const queryRaw = adapter.queryRaw.bind(adapter)
    adapter.queryRaw = (query) => retryRead(query.sql, () => queryRaw(query))
    return adapter
  }
}

export function db(): PrismaClient {
  return (shared.lastcallPrisma ??= new PrismaClient({ adapter: new RetryingAdapter(pool()), transactionOptions }))
}

/** Hand-written statements outside of a transaction, each on any connection of the pool. */
const sql: Sql = sqlOver((query) => retryRead(query.text, () => pool().query(query)))

/** The database outside of any transaction, for reads of pages and routes that do not need a whole context. */
export function database(): Database {
  return { db: db(), sql }
}

/**
 * Opens a short transaction; network calls do not belong inside. Operations use transaction() instead, which joins one
 * that is already open.
 * @throws whatever `work` throws, after everything was undone.
 */
export function openTransaction<T>(work: (inside: Database) => Promise<T>): Promise<T> {
  const connection: TransactionConnection = { client: null }
  const sqlInside = sqlOver((query) => clientOf(connection).query(query))
  return pool().observe(connection, () => db().$transaction((tx) => work({ db: tx, sql: sqlInside })))
}

/** Opens a transaction for hand-written statements only, which costs half as much without Prisma. */
export async function openSqlTransaction<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
  const client = await pool().connect()
  const connection: TransactionConnection = { client }
  try {
    await client.query('BEGIN')
    const result = await work(sqlOver((query) => clientOf(connection).query(query)))
    await client.query('COMMIT')
    return result
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined)
    throw error
  } finally {
    connection.client = null
    client.release()
  }
}

/**
 * Returns the transaction's own connection. It never falls back to another one, because what is written there would
 * remain after a rollback.
 */
function clientOf({ client }: TransactionConnection) {
  if (!client) throw new Error('the transaction is over, or Prisma did not take its connection from our pool')
  return client
}

/** Closes the pool: for tests and for a clean stop. */
export async function closeDatabase(): Promise<void> {
  await shared.lastcallPrisma?.$disconnect()
  await shared.lastcallPool?.end()
  delete shared.lastcallPrisma
  delete shared.lastcallPool
}
