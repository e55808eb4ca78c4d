import 'server-only'
import { PrismaPg } from '@prisma/adapter-pg'
import { type Prisma, PrismaClient } from '@prisma/client'
import { env } from './env'
import { log } from './log'
import { type Sql, sqlOver } from './sql'
import { type TransactionConnection, TransactionPool } from './transaction-pool'

/** Prisma as queries use it, inside or outside of a transaction. */
export type Db = Prisma.TransactionClient

/** The database by both ways in, over the same connection when it is a transaction's. */
export type Database = {
  db: Db
  sql: Sql
}

// Next bundles each route by itself: module state is not shared between them, the global object is.
const shared = globalThis as unknown as { lastcallPool?: TransactionPool; lastcallPrisma?: PrismaClient }

/** The one connection pool of this process, under Prisma and under the hand-written statements of the hot paths. */
export function pool(): TransactionPool {
  return (shared.lastcallPool ??= createPool())
}

function createPool(): TransactionPool {
  const created = new TransactionPool({
    connectionString: env().databaseUrl,
    max: 20,
    connectionTimeoutMillis: 8_000,
    statement_timeout: 15_000,
    lock_timeout: 8_000,
    idle_in_transaction_session_timeout: 15_000,
    application_name: 'lastcall',
  })
  // Without a listener a lost connection ends the process: the pool listens while a client is idle, and nobody while
  // it is in use. The query in flight fails by itself.
  const onLost = (error: Error) => log().warn({ err: error.message }, 'database connection lost')
  created.on('error', onLost)
  created.on('connect', (client) => client.on('error', onLost))
  return created
}

// Prisma's own two seconds of waiting for a connection are less than a busy machine may need; the pool's limits hold.
const transactionOptions = { maxWait: 8_000, timeout: 15_000 }

export function db(): PrismaClient {
  return (shared.lastcallPrisma ??= new PrismaClient({ adapter: new PrismaPg(pool()), transactionOptions }))
}

/** Hand-written statements, each by itself on some connection of the pool. */
const sql: Sql = sqlOver((query) => pool().query(query))

/** The database outside of any transaction, for reads of pages and routes that need no whole context. */
export function database(): Database {
  return { db: db(), sql }
}

/**
 * A short transaction; no network call belongs inside. Verbs use transaction(), which joins the one that is open.
 * @throws whatever `work` throws, after everything was undone.
 */
export function openTransaction<T>(work: (inside: Database) => Promise<T>): Promise<T> {
  const connection: TransactionConnection = { client: null }
  const sqlInside = sqlOver((query) => clientOf(connection).query(query))
  return pool().observe(connection, () => db().$transaction((tx) => work({ db: tx, sql: sqlInside })))
}

/** The same for hand-written statements alone, which cost half as much without Prisma around them. */
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

/** Never another connection: what is written there would stay when the transaction is undone. */
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
