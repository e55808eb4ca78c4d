import 'server-only'
import { setTimeout as pause } from 'node:timers/promises'
import { PrismaPg } from '@prisma/adapter-pg'
import { Prisma, PrismaClient } from '@prisma/client'
import { driverAddress, saysPooler } from '@/lib/kernel/database-address.mjs'
import { processState } from '@/lib/kernel/process-state.mjs'
import { isDatabaseUnavailable } from './database-errors'
import { env } from './env'
import { log } from './log'
import { type Sql, sqlOver } from './sql'
import { type TransactionConnection, TransactionPool, UnnamedClient } from './transaction-pool'

/** Prisma's client as queries use it, inside or outside of a transaction. */
export type Db = Prisma.TransactionClient

/** The database through Prisma and through hand-written statements; inside a transaction both use its connection. */
export type Database = {
  db: Db
  sql: Sql
}

const shared = processState(
  'database',
  (): { pool?: TransactionPool; replica?: TransactionPool; prisma?: PrismaClient } => ({}),
)

/** The only connection pool of this process, used by Prisma and by the hand-written statements. */
export function pool(): TransactionPool {
  return (shared.pool ??= createPool(env().databaseUrl, isPooled()))
}

/**
 * Whether DATABASE_URL leads to a pooler in transaction mode (ADR 0048). Each transaction may then run on another
 * connection of Postgres, so nothing may be kept on one: no settings, no prepared statements, no locks.
 */
function isPooled(): boolean {
  const { databaseUrl, directDatabaseUrl } = env()
  return (directDatabaseUrl !== null && directDatabaseUrl !== databaseUrl) || saysPooler(databaseUrl)
}

/** How long a statement, a wait for a lock and an idle transaction may hold others up, in milliseconds. */
const LIMITS = { statement_timeout: 15_000, lock_timeout: 8_000, idle_in_transaction_session_timeout: 15_000 } as const

/** Sets the limits for one transaction. Single statements through a pooler have the driver's query_timeout only. */
const SET_LIMITS = `SELECT ${Object.entries(LIMITS)
  .map(([name, value]) => `set_config('${name}', '${value}', true)`)
  .join(', ')}`

function createPool(address: string, isThroughPooler: boolean): TransactionPool {
  const created = new TransactionPool({
    connectionString: driverAddress(address),
    max: env().poolSize,
    connectionTimeoutMillis: 8_000,
    keepAlive: true,
    application_name: 'lastcall',
    // Poolers refuse startup parameters that they do not know, so each transaction sets the limits (SET_LIMITS).
    // A server that is frozen or cut off cannot enforce its limits, so the driver has one as well.
    ...(isThroughPooler
      ? { Client: UnnamedClient, query_timeout: LIMITS.statement_timeout }
      : { ...LIMITS, query_timeout: 2 * LIMITS.statement_timeout }),
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
  return (shared.prisma ??= new PrismaClient({ adapter: new RetryingAdapter(pool()), transactionOptions }))
}

/** Hand-written statements outside of a transaction, each on any connection of the pool. */
const sql: Sql = sqlOver((query) => retryRead(query.text, () => pool().query(query)))

/** The database outside of any transaction, for reads of pages and routes that do not need a whole context. */
export function database(): Database {
  return { db: db(), sql }
}

/**
 * Runs a long statement that only reads on the replica of READ_DATABASE_URL, which may be some seconds behind. While the
 * replica is away, the database itself answers.
 */
const readSql: Sql = sqlOver(async (query) => {
  const { readDatabaseUrl } = env()
  if (!readDatabaseUrl) return pool().query(query)
  shared.replica ??= createPool(readDatabaseUrl, isPooled() || saysPooler(readDatabaseUrl))
  try {
    return await shared.replica.query(query)
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error
    log().warn({ err: String(error) }, 'the replica is away: read from the database itself')
    return pool().query(query)
  }
})

/** The statements for lists and exports that need not be up to the second. */
export function reading(): Pick<Database, 'sql'> {
  return { sql: readSql }
}

/**
 * Opens a short transaction; network calls do not belong inside. Operations use transaction() instead, which joins one
 * that is already open.
 * @throws whatever `work` throws, after everything was undone.
 */
export function openTransaction<T>(work: (inside: Database) => Promise<T>): Promise<T> {
  const connection: TransactionConnection = { client: null }
  const sqlInside = sqlOver((query) => clientOf(connection).query(query))
  return pool().observe(connection, () =>
    db().$transaction(async (tx) => {
      if (isPooled()) await sqlInside.unprepared(SET_LIMITS)
      return work({ db: tx, sql: sqlInside })
    }),
  )
}

/** Opens a transaction for hand-written statements only, which costs half as much without Prisma. */
export async function openSqlTransaction<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
  const client = await pool().connect()
  const connection: TransactionConnection = { client }
  try {
    await client.query('BEGIN')
    if (isPooled()) await client.query(SET_LIMITS)
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

const SCALARS = 'ScalarFieldEnum'

/** Every column that this version works with, as `Table.column`. */
export function knownColumns(): string[] {
  return Object.entries(Prisma).flatMap(([key, fields]: [string, unknown]) =>
    key.endsWith(SCALARS) && typeof fields === 'object' && fields !== null
      ? Object.keys(fields).map((column) => `${key.slice(0, -SCALARS.length)}.${column}`)
      : [],
  )
}

/** Closes the pool: for tests and for a clean stop. */
export async function closeDatabase(): Promise<void> {
  await shared.prisma?.$disconnect()
  await shared.pool?.end()
  await shared.replica?.end()
  delete shared.prisma
  delete shared.pool
  delete shared.replica
}
