import 'server-only'
import type pg from 'pg'
import type { Kind, Objects, Stored } from './objects'

/** The request that caused an event; it is written into the event. */
type Origin = { id: string | null; idempotency_key: string | null }

/** One database transaction: the only way to read or change what is stored. */
export type Tx = {
  now: () => Date
  origin: Origin
  query: <Row extends pg.QueryResultRow>(text: string, values: readonly unknown[]) => Promise<Row[]>
  find: <K extends Kind>(kind: K, id: string) => Promise<Objects[K] | null>
  /** Finds and locks an object until this transaction ends. To avoid deadlocks, lock session, intent, charge in this order. */
  lock: <K extends Kind>(kind: K, id: string) => Promise<Objects[K] | null>
  /** Finds an object that Stripe would show, by its id alone. */
  findAny: (id: string) => Promise<Stored | null>
  insert: (object: Stored) => Promise<void>
  save: (object: Stored) => Promise<void>
  /** Sends the deliveries that this transaction writes, as soon as it is committed. */
  wakeDeliveries: () => void
}

export type Store = { transaction: <T>(origin: Origin, run: (tx: Tx) => Promise<T>) => Promise<T> }

// No id of ours has another form, and a NUL byte would make the database refuse the statement.
const ID = /^[\x21-\x7e]{1,255}$/
const RETRYABLE = new Set(['40001', '40P01'])
const MAX_ATTEMPTS = 3

type JsonRow<T> = { json: T }

function createTx(client: pg.PoolClient, now: () => Date, origin: Origin, wakeDeliveries: () => void): Tx {
  const query: Tx['query'] = async <Row extends pg.QueryResultRow>(text: string, values: readonly unknown[]) =>
    (await client.query<Row>(text, [...values])).rows

  async function read<K extends Kind>(kind: K, id: string, suffix: string): Promise<Objects[K] | null> {
    if (!ID.test(id)) return null
    const [row] = await query<JsonRow<Objects[K]>>(
      `SELECT "json" FROM "SandboxObject" WHERE "id" = $1 AND "kind" = $2${suffix}`,
      [id, kind],
    )
    return row?.json ?? null
  }

  return {
    now,
    origin,
    query,
    find: (kind, id) => read(kind, id, ''),
    lock: (kind, id) => read(kind, id, ' FOR UPDATE'),
    findAny: async (id) => {
      if (!ID.test(id)) return null
      const [row] = await query<JsonRow<Stored>>(
        `SELECT "json" FROM "SandboxObject" WHERE "id" = $1 AND "kind" NOT LIKE '~%'`,
        [id],
      )
      return row?.json ?? null
    },
    insert: async (object) => {
      await query(`INSERT INTO "SandboxObject" ("id", "kind", "json", "updatedAt") VALUES ($1, $2, $3, $4)`, [
        object.id,
        object.object,
        JSON.stringify(object),
        now(),
      ])
    },
    save: async (object) => {
      await query(`UPDATE "SandboxObject" SET "json" = $3, "updatedAt" = $4 WHERE "id" = $1 AND "kind" = $2`, [
        object.id,
        object.object,
        JSON.stringify(object),
        now(),
      ])
    },
    wakeDeliveries,
  }
}

type StoreOptions = { pool: pg.Pool; now: () => Date; onDeliveries: () => void }

async function attempt<T>(options: StoreOptions, origin: Origin, run: (tx: Tx) => Promise<T>): Promise<T> {
  const client = await options.pool.connect()
  let hasDeliveries = false
  let broken: Error | undefined
  // A connection that breaks emits an error event; without a listener it would end the process.
  const onError = (error: Error) => void (broken = error)
  client.on('error', onError)
  try {
    await client.query('BEGIN')
    const result = await run(createTx(client, options.now, origin, () => void (hasDeliveries = true)))
    await client.query('COMMIT')
    if (hasDeliveries) options.onDeliveries()
    return result
  } catch (error) {
    await client.query('ROLLBACK').catch((rollbackError: Error) => void (broken = rollbackError))
    throw error
  } finally {
    client.off('error', onError)
    client.release(broken)
  }
}

/** The stand-in's state in Postgres. After a deadlock or a serialization failure, a transaction is tried again. */
export function createStore(options: StoreOptions): Store {
  return {
    transaction: async (origin, run) => {
      for (let count = 1; ; count += 1) {
        try {
          return await attempt(options, origin, run)
        } catch (error) {
          const code = (error as { code?: string }).code ?? ''
          if (count >= MAX_ATTEMPTS || !RETRYABLE.has(code)) throw error
        }
      }
    },
  }
}
