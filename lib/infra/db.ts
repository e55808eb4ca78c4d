import 'server-only'
import { setTimeout as pause } from 'node:timers/promises'
import { PrismaPg } from '@prisma/adapter-pg'
import { Prisma, PrismaClient } from '@prisma/client'
import { driverAddress, saysPooler } from '@/lib/kernel/database-address.mjs'
import { processState } from '@/lib/kernel/process-state.mjs'
import { isDatabaseUnavailable, isDeadlock } from './database-errors'
import { env } from './env'
import { log } from './log'
import { type Sql, sqlOver } from './sql'
import { type TransactionConnection, TransactionPool, UnnamedClient } from './transaction-pool'

/** Prisma's client as queries use it, inside or outside of a transaction. */
export type Db = Prisma.TransactionClient

/** Access to the database through Prisma and hand-written statements. In a transaction both use the same connection. */
export type Database = {
  db: Db
  sql: Sql
}

const shared = processState(
  'database',
  (): { pool?: TransactionPool; replica?: TransactionPool; prisma?: PrismaClient } => ({}),
)

/** Returns the connection pool of DATABASE_URL, which Prisma and the hand-written statements use together. */
export function pool(): TransactionPool {
  return (shared.pool ??= createPool(env().databaseUrl, isPooled()))
}

/**
 * Whether DATABASE_URL leads to a pooler in transaction mode (ADR 0048). Each transaction may then run on another
 * connection of Postgres, so settings, prepared statements and locks must not outlive a transaction.
 */
function isPooled(): boolean {
  const { databaseUrl, directDatabaseUrl } = env()
  return (directDatabaseUrl !== null && directDatabaseUrl !== databaseUrl) || saysPooler(databaseUrl)
}

/** How long a statement, a wait for a lock and an idle transaction may last, in milliseconds. */
const LIMITS = { statement_timeout: 15_000, lock_timeout: 8_000, idle_in_transaction_session_timeout: 15_000 } as const

/**
 * How long an unused connection stays open. A new connection costs a process of Postgres and a password check, and each
 * statement is planned five times on it before its plan is kept. The time is shorter than the four minutes after which
 * the networks of large hosts drop idle connections silently. A serverless process may be frozen for a long time, so it
 * closes connections sooner.
 */
const IDLE_MS = { server: 3 * 60_000, serverless: 10_000 } as const

/** Sets the limits for one transaction. Single statements through a pooler have the driver's query_timeout only. */
const SET_LIMITS = `SELECT ${Object.entries(LIMITS)
  .map(([name, value]) => `set_config('${name}', '${value}', true)`)
  .join(', ')}`

function createPool(databaseUrl: string, isThroughPooler: boolean): TransactionPool {
  const created = new TransactionPool({
    connectionString: driverAddress(databaseUrl),
    max: env().poolSize,
    idleTimeoutMillis: env().isServerless ? IDLE_MS.serverless : IDLE_MS.server,
    connectionTimeoutMillis: 8_000,
    keepAlive: true,
    // Without this value, Linux sends the first probe after two hours.
    keepAliveInitialDelayMillis: 30_000,
    application_name: 'lastcall',
    // Poolers refuse startup parameters that they do not know, so each transaction sets the limits (SET_LIMITS).
    // A server that is frozen or cut off cannot enforce its limits, so the driver has a limit too.
    ...(isThroughPooler
      ? { Client: UnnamedClient, query_timeout: LIMITS.statement_timeout }
      : { ...LIMITS, query_timeout: 2 * LIMITS.statement_timeout }),
  })
  // An error event on a connection without a listener ends the process. The pool listens only while a connection is
  // idle, so this listener is added for the time in use. The running query fails by itself.
  const onLost = (error: Error) => log().warn({ err: error.message }, 'database connection lost')
  created.on('error', onLost)
  created.on('connect', (client) => client.on('error', onLost))
  return created
}

// Prisma's default of waiting two seconds for a connection is too short on a busy machine; the pool's own limits still
// apply.
const transactionOptions = { maxWait: 8_000, timeout: 15_000 }

/** Matches statements that only read, so repeating them outside of a transaction does no harm. */
const READS = /^\s*(?:SELECT|WITH)\b(?![\s\S]*\b(?:INSERT|UPDATE|DELETE|nextval|setval|pg_\w+)\b)/i

/** The maximum number of tries. A read may get several lost connections in a row before the pool notices their loss. */
const TRIES = 4

/**
 * Runs a statement outside of a transaction, and repeats it where that does no harm. A read is repeated when the
 * database was unavailable, for example because the connection was lost. A restart of the database ends every idle
 * connection of the pool, and the first statement on each of these connections would otherwise fail. Every statement is
 * repeated after a deadlock, because Postgres has undone it. Several checkouts of one buyer that begin and end at the
 * same moment can cause one.
 */
async function runStatement<Result>(text: string, run: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await run()
    } catch (error) {
      const isHarmless = isDeadlock(error) || (READS.test(text) && isDatabaseUnavailable(error))
      if (tries === TRIES || !isHarmless) throw error
      // During this pause the pool notices the other lost connections.
      await pause(25 * tries)
    }
  }
}

/** Prisma's adapter, which repeats statements outside of a transaction as runStatement() does. */
class RetryingAdapter extends PrismaPg {
  override async connect() {
    const adapter = await super.connect()
    const queryRaw = adapter.queryRaw.bind(adapter)
    adapter.queryRaw = (query) => runStatement(query.sql, () => queryRaw(query))
    return adapter
  }
}

/**
 * Returns Prisma's client, of which each process has one. Code inside a transaction uses `ctx.db` instead, because this
 * client would run its statements on another connection.
 */
export function db(): PrismaClient {
  return (shared.prisma ??= new PrismaClient({ adapter: new RetryingAdapter(pool()), transactionOptions }))
}

/** Runs hand-written statements outside of a transaction, each on any connection of the pool (runStatement()). */
const sql: Sql = sqlOver((query) => runStatement(query.text, () => pool().query(query)))

/** Returns the database outside of any transaction, for callers that do not need a whole context. */
export function database(): Database {
  return { db: db(), sql }
}

/**
 * Runs long read-only statements on the replica of READ_DATABASE_URL, which may be some seconds behind. While the
 * replica cannot be used or is not configured, the statements run on the main database.
 */
const readSql: Sql = sqlOver(async (query) => {
  const { readDatabaseUrl } = env()
  if (!readDatabaseUrl) return pool().query(query)
  shared.replica ??= createPool(readDatabaseUrl, isPooled() || saysPooler(readDatabaseUrl))
  try {
    return await shared.replica.query(query)
  } catch (error) {
    // Any error counts, such as a refused password, a table that the replica lacks, or a statement that the replica
    // canceled in order to apply a change. If the statement itself is wrong, the main database reports the same error.
    log().warn({ err: String(error) }, 'the replica cannot be read: reading from the main database')
    return pool().query(query)
  }
})

/** Returns access for lists and exports whose data may be some seconds old. */
export function reading(): Pick<Database, 'sql'> {
  return { sql: readSql }
}

/**
 * Opens a short transaction. Do not make network calls inside it. Operations use transaction() of context.ts instead,
 * which joins a transaction that is already open.
 * @throws whatever `work` throws, after the rollback.
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

/**
 * Opens a transaction for hand-written statements only. It takes about half the time of a transaction through Prisma.
 * After a deadlock, `work` runs again in a new transaction, because Postgres has undone everything that it did. A
 * payment and a new checkout of the same buyer can cause one: the checkout has locked the drop and waits for the
 * buyer's only open hold, and the payment has locked that hold and waits for the drop.
 */
export async function openSqlTransaction<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await runSqlTransaction(work)
    } catch (error) {
      if (tries === TRIES || !isDeadlock(error)) throw error
    }
  }
}

async function runSqlTransaction<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
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
 * Returns the transaction's own connection. It never falls back to another connection, because a rollback would not
 * undo what is written there.
 */
function clientOf({ client }: TransactionConnection) {
  if (!client) throw new Error('the transaction has ended, or Prisma did not take its connection from our pool')
  return client
}

const SCALARS = 'ScalarFieldEnum'

/** Returns every column of the Prisma schema that this version of the code was built with, as `Table.column`. */
export function knownColumns(): string[] {
  return Object.entries(Prisma).flatMap(([key, fields]: [string, unknown]) =>
    key.endsWith(SCALARS) && typeof fields === 'object' && fields !== null
      ? Object.keys(fields).map((column) => `${key.slice(0, -SCALARS.length)}.${column}`)
      : [],
  )
}

/** Closes all connection pools. Tests call it when they end, and the process calls it before it stops. */
export async function closeDatabase(): Promise<void> {
  await shared.prisma?.$disconnect()
  await shared.pool?.end()
  await shared.replica?.end()
  delete shared.prisma
  delete shared.pool
  delete shared.replica
}
