import 'server-only'
import type pg from 'pg'
import { disturbance } from './events/disturbance'
import type { Kind, Objects, Stored } from './objects'

/**
 * The API request that caused an event. The event contains these fields. Both are null if no API request caused it.
 */
type Origin = { id: string | null; idempotency_key: string | null }

/** The stored response of an idempotency key, with a hash of its request. */
type KeptAnswer = { key: string; requestHash: string; status: number; body: string }

/**
 * The transaction of one request or job, which reads and changes stored objects and takes effect as a whole or not at
 * all. Writes are collected. They are sent in one statement, either before the next statement of `query` or `lock` or
 * at the end. A statement with a name is prepared once per connection, so Postgres does not plan it for every call.
 */
export type Tx = {
  now: () => Date
  origin: Origin
  query: <Row extends pg.QueryResultRow>(text: string, values: readonly unknown[], name?: string) => Promise<Row[]>
  find: <K extends Kind>(kind: K, id: string) => Promise<Objects[K] | null>
  /**
   * Finds and locks an object until the transaction ends. To avoid deadlocks, lock session, intent and charge in this
   * order.
   */
  lock: <K extends Kind>(kind: K, id: string) => Promise<Objects[K] | null>
  /** Finds an object of any kind that Stripe would show. */
  findAny: (id: string) => Promise<Stored | null>
  insert: (object: Stored) => Promise<void>
  save: (object: Stored) => Promise<void>
  /** Whether the application wants webhooks of this type. */
  wants: (type: string) => boolean
  /** Queues this webhook, which is sent after the transaction is committed. */
  deliver: (eventId: string, payload: string) => void
  /** Stores the response to a request under its idempotency key. */
  keep: (answer: KeptAnswer) => void
  /** Runs a function. If it throws, undoes its writes and throws the same error. */
  undoable: <T>(run: () => Promise<T>) => Promise<T>
}

export type Store = { transaction: <T>(origin: Origin, run: (tx: Tx) => Promise<T>) => Promise<T> }

// All ids of the stand-in have this form. Other strings are not looked up, because Postgres fails on a NUL byte.
const ID = /^[\x21-\x7e]{1,255}$/
const RETRYABLE = new Set(['40001', '40P01'])
const MAX_ATTEMPTS = 3

type JsonRow<T> = { json: T }

/**
 * An object that is not written yet. It is kept as JSON, so that later changes to the object are not stored by
 * accident.
 */
type Pending = { kind: string; json: string; isNew: boolean }
type Writes = { objects: Map<string, Pending>; deliveries: { eventId: string; payload: string }[]; kept: KeptAnswer[] }

const WRITE = `
  WITH added AS (
    INSERT INTO "SandboxObject" ("id", "kind", "json", "updatedAt")
    SELECT o."id", o."kind", o."json"::jsonb, $1
      FROM unnest($2::text[], $3::text[], $4::text[]) WITH ORDINALITY AS o("id", "kind", "json", "at") ORDER BY o."at"
  ), changed AS (
    UPDATE "SandboxObject" s SET "json" = o."json"::jsonb, "updatedAt" = $1
      FROM unnest($5::text[], $6::text[], $7::text[]) AS o("id", "kind", "json")
     WHERE s."id" = o."id" AND s."kind" = o."kind"
  ), sent AS (
    INSERT INTO "SandboxDelivery" ("eventId", "payload", "createdAt", "nextAttemptAt")
    SELECT d."id", d."payload", $1, $1 + make_interval(secs => d."waitMs" / 1000.0)
      FROM unnest($8::text[], $9::text[], $14::int[]) WITH ORDINALITY AS d("id", "payload", "waitMs", "at") ORDER BY d."at"
  )
  INSERT INTO "SandboxIdempotencyKey" AS k ("key", "requestHash", "status", "body", "createdAt")
  SELECT a."key", a."requestHash", a."status", a."body"::jsonb, $1
    FROM unnest($10::text[], $11::text[], $12::int[], $13::text[]) AS a("key", "requestHash", "status", "body")
  ON CONFLICT ("key") DO UPDATE SET "requestHash" = EXCLUDED."requestHash", "status" = EXCLUDED."status",
    "body" = EXCLUDED."body", "createdAt" = EXCLUDED."createdAt"`

const noWrites = (): Writes => ({ objects: new Map(), deliveries: [], kept: [] })

class Transaction {
  readonly #client: pg.PoolClient
  readonly #now: () => Date
  #writes = noWrites()
  #isOpen = false
  /** Inside undoable(): 'wanted' until the first flush of writes sets a savepoint, then 'set'. */
  #savepoint: 'none' | 'wanted' | 'set' = 'none'
  /** How long each delivery of this transaction waits before it is sent, in milliseconds. */
  readonly waits: number[] = []
  readonly #seed: number | null

  constructor(client: pg.PoolClient, now: () => Date, seed: number | null) {
    this.#client = client
    this.#now = now
    this.#seed = seed
  }

  /**
   * Sends the collected writes and runs a statement, both inside the transaction. Begins the transaction if it is not
   * open yet. Plain reads need no transaction.
   */
  async run<Row extends pg.QueryResultRow>(text: string, values: readonly unknown[], name?: string): Promise<Row[]> {
    if (!this.#isOpen) {
      this.#isOpen = true
      await this.#client.query('BEGIN')
    }
    await this.flush()
    return (await this.#client.query<Row>({ ...(name && { name }), text, values: [...values] })).rows
  }

  async read<T>(name: string, text: string, values: readonly unknown[]): Promise<T | null> {
    return (await this.#client.query<JsonRow<T>>({ name, text, values: [...values] })).rows[0]?.json ?? null
  }

  pending(id: string): Pending | undefined {
    return this.#writes.objects.get(id)
  }

  put(object: Stored, isNew: boolean): void {
    const earlier = this.#writes.objects.get(object.id)
    const json = JSON.stringify(object)
    this.#writes.objects.set(object.id, { kind: object.object, json, isNew: isNew || (earlier?.isNew ?? false) })
  }

  deliver(eventId: string, payload: string): void {
    this.#writes.deliveries.push({ eventId, payload })
  }

  keep(answer: KeptAnswer): void {
    this.#writes.kept.push(answer)
  }

  async undoable<T>(run: () => Promise<T>): Promise<T> {
    const { objects, deliveries, kept } = this.#writes
    const before = { objects: new Map(objects), deliveries: [...deliveries], kept: [...kept] }
    this.#savepoint = 'wanted'
    try {
      return await run()
    } catch (error) {
      if (this.#hasSavepoint()) await this.#client.query('ROLLBACK TO SAVEPOINT undoable')
      this.#writes = before
      throw error
    } finally {
      this.#savepoint = 'none'
    }
  }

  #hasSavepoint(): boolean {
    return this.#savepoint === 'set'
  }

  async flush(): Promise<void> {
    const { objects, deliveries, kept } = this.#writes
    if (objects.size + deliveries.length + kept.length === 0) return
    if (this.#savepoint === 'wanted') {
      if (!this.#isOpen) await this.#client.query('BEGIN')
      this.#isOpen = true
      await this.#client.query('SAVEPOINT undoable')
      this.#savepoint = 'set'
    }
    this.#writes = noWrites()
    const [added, changed] = [true, false].map((isNew) => {
      const chosen = [...objects].filter(([, one]) => one.isNew === isNew)
      return [chosen.map(([id]) => id), chosen.map(([, { kind }]) => kind), chosen.map(([, { json }]) => json)]
    }) as [string[][], string[][]]
    const values = [
      this.#now(),
      ...added,
      ...changed,
      deliveries.map(({ eventId }) => eventId),
      deliveries.map(({ payload }) => payload),
      kept.map(({ key }) => key),
      kept.map(({ requestHash }) => requestHash),
      kept.map(({ status }) => status),
      kept.map(({ body }) => body),
      this.#noteWaits(deliveries),
    ]
    await this.#client.query({ name: 'sandbox-write', text: WRITE, values })
  }

  /** Notes in `waits` how long each delivery waits, in milliseconds, and returns it. */
  #noteWaits(deliveries: readonly { eventId: string }[]): number[] {
    const waits = deliveries.map(({ eventId }) => disturbance(this.#seed, eventId).waitMs)
    this.waits.push(...waits)
    return waits
  }

  async commit(): Promise<void> {
    await this.flush()
    if (this.#isOpen) await this.#client.query('COMMIT')
  }

  async rollback(): Promise<void> {
    if (this.#isOpen) await this.#client.query('ROLLBACK')
  }
}

function createTx(transaction: Transaction, { now, wants }: StoreOptions, origin: Origin): Tx {
  const known = <K extends Kind>(kind: K, id: string): Objects[K] | null => {
    const pending = transaction.pending(id)
    return pending?.kind === kind ? (JSON.parse(pending.json) as Objects[K]) : null
  }
  return {
    now,
    origin,
    wants,
    query: (text, values, name) => transaction.run(text, values, name),
    find: async <K extends Kind>(kind: K, id: string) => {
      if (!ID.test(id)) return null
      const values = [id, kind]
      return known(kind, id) ?? transaction.read<Objects[K]>('sandbox-find', FIND, values)
    },
    lock: async <K extends Kind>(kind: K, id: string) => {
      if (!ID.test(id)) return null
      // No other transaction sees an object that is not written yet, so it needs no lock.
      if (transaction.pending(id)?.isNew) return known(kind, id)
      const [row] = await transaction.run<JsonRow<Objects[K]>>(`${FIND} FOR UPDATE`, [id, kind], 'sandbox-lock')
      return row?.json ?? null
    },
    findAny: async (id) => {
      if (!ID.test(id)) return null
      const pending = transaction.pending(id)
      if (pending) return pending.kind.startsWith('~') ? null : (JSON.parse(pending.json) as Stored)
      return transaction.read<Stored>('sandbox-find-any', FIND_ANY, [id])
    },
    insert: (object) => Promise.resolve(transaction.put(object, true)),
    save: (object) => Promise.resolve(transaction.put(object, false)),
    deliver: (eventId, payload) => transaction.deliver(eventId, payload),
    keep: (answer) => transaction.keep(answer),
    undoable: (run) => transaction.undoable(run),
  }
}

const FIND = `SELECT "json" FROM "SandboxObject" WHERE "id" = $1 AND "kind" = $2`
const FIND_ANY = `SELECT "json" FROM "SandboxObject" WHERE "id" = $1 AND "kind" NOT LIKE '~%'`

type StoreOptions = {
  pool: pg.Pool
  now: () => Date
  wants: (type: string) => boolean
  /** The seed that chooses how late an event is sent (disturbance.ts). */
  seed: () => Promise<number | null>
  /** Called after a commit with the time that each new delivery waits, in milliseconds. */
  onDeliveries: (waits: readonly number[]) => void
}

async function attempt<T>(options: StoreOptions, origin: Origin, run: (tx: Tx) => Promise<T>): Promise<T> {
  // The seed is read first: a transaction that waited for a second connection of the pool could wait forever.
  const seed = await options.seed()
  const client = await options.pool.connect()
  let broken: Error | undefined
  // A broken connection emits an error event, which would end the process if it had no listener.
  const onError = (error: Error) => void (broken = error)
  client.on('error', onError)
  const transaction = new Transaction(client, options.now, seed)
  try {
    const result = await run(createTx(transaction, options, origin))
    await transaction.commit()
    if (transaction.waits.length > 0) options.onDeliveries(transaction.waits)
    return result
  } catch (error) {
    await transaction.rollback().catch((rollbackError: Error) => void (broken = rollbackError))
    throw error
  } finally {
    client.off('error', onError)
    client.release(broken)
  }
}

/**
 * Creates the store, whose objects are in Postgres. After a deadlock or a serialization failure, it runs a transaction
 * again, at most three times in all.
 */
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
