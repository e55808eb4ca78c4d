import 'server-only'
import { PrismaPg } from '@prisma/adapter-pg'
import type { Prisma } from '@prisma/client'
import { PrismaClient } from '@prisma/client'
import pg from 'pg'
import { env } from './env'
import { log } from './log'

export type Db = PrismaClient
export type Tx = Prisma.TransactionClient

// Next bundles each route by itself: module state is not shared between them, the global object is.
const shared = globalThis as unknown as { lastcallPool?: pg.Pool; lastcallPrisma?: PrismaClient }

/** The one connection pool of this process, under Prisma and under the hand-written statements of the hot paths. */
export function pool(): pg.Pool {
  return (shared.lastcallPool ??= createPool())
}

function createPool(): pg.Pool {
  const created = new pg.Pool({
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

export function db(): Db {
  return (shared.lastcallPrisma ??= new PrismaClient({ adapter: new PrismaPg(pool()), transactionOptions }))
}

/**
 * One hand-written statement, prepared once per connection under its name. For the paths a crowd walks, where one
 * statement must decide (ADR 0006); everything else goes through Prisma.
 */
export async function statement<Row extends pg.QueryResultRow>(
  name: string,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const result = await pool().query<Row>({ name, text, values: [...values] })
  return result.rows
}

/**
 * One hand-written statement that is planned for its very values: for searches, where the best way depends on how rare the
 * words are and a plan made for all words would be wrong for most.
 */
export async function search<Row extends pg.QueryResultRow>(text: string, values: readonly unknown[]): Promise<Row[]> {
  const result = await pool().query<Row>(text, [...values])
  return result.rows
}

/** The database's clock: what decides whether a drop is over (DECISIONS 16). */
export async function databaseNow(): Promise<Date> {
  const [row] = await statement<{ now: Date }>('now', 'SELECT now() AS now')
  return row!.now
}

/**
 * A short transaction of hand-written statements on one connection. No network call belongs inside.
 * @throws whatever `work` throws, after everything was undone.
 */
export async function inTransaction<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool().connect()
  try {
    await client.query('BEGIN')
    const result = await work(client)
    await client.query('COMMIT')
    return result
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined)
    throw error
  } finally {
    client.release()
  }
}

type AdapterCause = { originalCode?: string; constraint?: { index?: string; fields?: string[] }; message?: string }

function adapterCause(error: unknown): AdapterCause | undefined {
  const meta = (error as { meta?: { driverAdapterError?: { cause?: AdapterCause } } } | null)?.meta
  return meta?.driverAdapterError?.cause
}

/**
 * The constraint a write ran into, from either driver, or null when the error is something else. Prisma puts it in a
 * place of its own with this adapter (STACK trap 6).
 */
export function uniqueViolation(error: unknown): string | null {
  const raw = error as { code?: string; constraint?: string } | null
  if (raw?.code === '23505') return raw.constraint ?? 'unknown'
  const cause = adapterCause(error)
  if (raw?.code !== 'P2002' && cause?.originalCode !== '23505') return null
  return cause?.constraint?.index ?? cause?.constraint?.fields?.join('_') ?? 'unknown'
}

// Away, or so busy that it gave up: lock and statement timeouts, deadlocks, serialization failures, no memory.
const UNAVAILABLE = new Set([
  '55P03',
  '57014',
  '40P01',
  '40001',
  '53200',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  '57P01',
  '57P02',
  '57P03',
  '53300',
  'P1001',
  'P1002',
  'P1017',
  'P2028',
])

/** Whether the error means that the database is away or overloaded, so that the answer is 503 and not 500. */
export function isDatabaseUnavailable(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { code?: string; message?: string }
  if (code && UNAVAILABLE.has(code)) return true
  if (adapterCause(error)?.originalCode && UNAVAILABLE.has(adapterCause(error)!.originalCode!)) return true
  return /Connection terminated|connection timeout|timeout exceeded when trying to connect|Can't reach database/i.test(
    message ?? '',
  )
}

/** Closes the pool: for tests and for a clean stop. */
export async function closeDatabase(): Promise<void> {
  await shared.lastcallPrisma?.$disconnect()
  await shared.lastcallPool?.end()
  delete shared.lastcallPrisma
  delete shared.lastcallPool
}
